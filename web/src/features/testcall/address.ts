/** The address of a test call as a page reaches it. Pure; `test/web/testCall.test.ts`. */

interface Page {
  readonly protocol: string
  readonly host: string
  readonly hostname: string
}

const isLocal = (host: string) => host === "localhost" || host === "127.0.0.1" || host === "[::1]"

/** A service without TLS, as in development, still names itself `wss`: its page, which has no TLS either, is on the same server. */
export const reachable = (address: string, { protocol, host, hostname }: Page): string => {
  const url = new URL(address)
  const same = url.hostname === hostname || (isLocal(url.hostname) && isLocal(hostname))
  if (protocol !== "http:" || !same) return address
  url.protocol = "ws:"
  url.host = host
  return url.href
}
