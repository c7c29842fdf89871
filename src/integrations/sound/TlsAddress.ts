/** Where pipes between machines are listened for. */
export interface TlsAddress {
  /** A name or an address, IPv6 without brackets. */
  readonly host: string
  readonly port: number
}

const pattern = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/

/** Reads `host:port`, e.g. `0.0.0.0:8443` or `[::1]:8443`. Undefined for anything else. */
export const parseHostAndPort = (text: string): TlsAddress | undefined => {
  const [, bracketed, plain, digits] = pattern.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port }
}

/** Reads `tls://host:port`. Undefined for anything else. */
export const parseTlsAddress = (text: string): TlsAddress | undefined =>
  text.startsWith("tls://") ? parseHostAndPort(text.slice("tls://".length)) : undefined
