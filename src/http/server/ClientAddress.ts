/**
 * Finds the client's address of a request: the socket's address or, when that is a trusted proxy, an address from `X-Forwarded-For`. Each proxy
 * appends the address that it saw, so the list is read from its right end. The first address that is not a trusted proxy is the client's. Entries
 * further left come from the client and are ignored.
 */
import { BlockList, isIP, isIPv4 } from "node:net"

/** An address or a network: `10.0.0.0/8`, `::1` or `fd00::/8`. */
const cidr = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i

/** A sentence about the first entry that is no address or network; `undefined` when all are valid. */
export const proxiesProblem = (proxies: ReadonlyArray<string>): string | undefined => {
  const wrong = proxies.find((text) => {
    const [, address, bits] = cidr.exec(text) ?? []
    const version = isIP(address ?? "")
    return version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128)
  })
  return wrong === undefined ? undefined : `"${wrong}" is not an address or a network like 10.0.0.0/8.`
}

const trustedList = (proxies: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const text of proxies) {
    const [, address, bits] = cidr.exec(text) ?? []
    const family = isIPv4(address) ? "ipv4" : "ipv6"
    list.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family)
  }
  return list
}

/** The canonical spelling of an address, with an IPv4-mapped IPv6 address as IPv4; `undefined` when the text is no address. */
export const canonicalAddress = (text: string): string | undefined => {
  const version = isIP(text)
  if (version !== 6) return version === 4 ? text : undefined
  if (text.includes("%")) return undefined
  const short = new URL(`http://[${text}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short) ?? []
  if (high === undefined) return short
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join(".")
}

/** An entry of the header without its port, which it may have: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const withoutPort = (entry: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry

/** The most proxies in a row that are looked through: of a longer chain, the last one looked at counts as the client. Real chains have a few. */
const mostHops = 20

/** The last entries of the header, the nearest first. */
const nearestEntries = (forwardedFor: string): ReadonlyArray<string> => {
  const entries: Array<string> = []
  let end = forwardedFor.length
  while (end >= 0 && entries.length < mostHops) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(",", end - 1)
    entries.push(forwardedFor.slice(comma + 1, end))
    end = comma
  }
  return entries
}

/**
 * Makes the function that finds the client's address behind these proxies (addresses or networks). Without proxies it gives the socket's address and
 * ignores the header.
 */
export const makeClientAddress = (
  proxies: ReadonlyArray<string>
): ((peer: string, forwardedFor: string | undefined) => string) => {
  const trusted = trustedList(proxies)
  const isTrusted = (address: string) => trusted.check(address, isIPv4(address) ? "ipv4" : "ipv6")
  return (peer, forwardedFor) => {
    let client = canonicalAddress(peer) ?? peer
    if (proxies.length === 0 || forwardedFor === undefined || isIP(client) === 0 || !isTrusted(client)) return client
    for (const entry of nearestEntries(forwardedFor)) {
      const address = canonicalAddress(withoutPort(entry.trim()))
      // If an entry is no address, the proxy that sent it counts as the client.
      if (address === undefined) return client
      client = address
      if (!isTrusted(address)) return client
    }
    return client
  }
}

/** The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which usually belongs to one household or machine. */
export const clientNetwork = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head, tail] = address.split("::")
  const [left, right] = [head, tail ?? ""].map((half) => (half === "" ? [] : half.split(":")))
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0")
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`
}
