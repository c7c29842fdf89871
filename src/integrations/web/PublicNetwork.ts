/** Decides which addresses a customer may make this service connect to: only those of the public internet. */
import type { LookupAddress } from "node:dns"
import { BlockList, isIP } from "node:net"
import { Data } from "effect"
import { askNameServers } from "./NameServers.ts"
import type { Resolver } from "./Resolver.ts"

const refused = new BlockList()
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const)
  refused.addSubnet(net, bits, "ipv4")

/** In IPv6 only global unicast (2000::/3) is public, without the tunnels to IPv4 and the ranges for documentation. */
const global6 = new BlockList()
global6.addSubnet("2000::", 3, "ipv6")
const refused6 = new BlockList()
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const)
  refused6.addSubnet(net, bits, "ipv6")

/** Whether a numeric IP address is public. False for anything that is no IP address. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !refused.check(address, "ipv4")
    case 6:
      return global6.check(address, "ipv6") && !refused6.check(address, "ipv6")
    default:
      return false
  }
}

/** The address is not allowed, so no connection was tried. */
export class PrivateAddress extends Data.TaggedError("PrivateAddress")<{ readonly message: string }> {}

type Callback = (error: NodeJS.ErrnoException | null, address: string | Array<LookupAddress>, family?: number) => void

interface LookupOptions {
  readonly all?: boolean | undefined
  readonly family?: number | string | undefined
}

/** The function by which a socket resolves a name. */
export type Lookup = (hostname: string, options: LookupOptions, callback: Callback) => void

/**
 * A `lookup` for sockets that resolves a name once and refuses it unless every address is `allowed`. The checked address is the one the socket
 * connects to, so a name that changes its address between check and use gains nothing.
 */
export const pinnedLookup =
  (resolve: Resolver, allowed: (address: string) => boolean): Lookup =>
  (hostname, options, callback) => {
    resolve(hostname, { all: true, verbatim: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      if (addresses.length === 0 || !addresses.every(({ address }) => allowed(address)))
        return callback(new PrivateAddress({ message: `${hostname} is not a public address` }), [])
      if (options.all === true) return callback(null, addresses)
      callback(null, addresses[0].address, addresses[0].family)
    })
  }

/** Asks the name servers, and allows public addresses only. */
export const publicLookup: Lookup = pinnedLookup(askNameServers(), isPublicAddress)
