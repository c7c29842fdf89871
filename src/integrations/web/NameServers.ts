/**
 * Resolves customers' host names at the name servers directly. The system's resolver takes one of the process's few threads for each name and
 * gives up late. Two names whose servers do not answer would delay every other look-up of the process, including those of providers and the
 * database. Names that only the system's resolver knows (`/etc/hosts`, search domains) are no names of the public internet.
 */
import { type LookupAddress, Resolver as NameServers } from "node:dns"
import type { Resolver } from "./Resolver.ts"

export interface NameServersOptions {
  /** `address:port`; those of the system by default. */
  readonly servers?: ReadonlyArray<string>
  /** Milliseconds until a server is asked again. Default 2,000. */
  readonly timeoutMs?: number
}

const tries = 2

/** Names of this machine, whatever a name server says (RFC 6761). */
const own = /(^|\.)localhost\.?$/i
const loopback: ReadonlyArray<LookupAddress> = [{ address: "127.0.0.1", family: 4 }]

/** IPv4 first: not every machine has a way out by IPv6. Fails when neither kind is known. */
export const askNameServers =
  ({ servers, timeoutMs = 2_000 }: NameServersOptions = {}): Resolver =>
  (hostname, _options, callback) => {
    if (own.test(hostname)) return process.nextTick(callback, null, [...loopback])
    // One for each name: it takes microseconds, and uses the system's current servers.
    const names = new NameServers({ timeout: timeoutMs, tries })
    if (servers !== undefined) names.setServers(servers)
    const found: { 4?: ReadonlyArray<string>; 6?: ReadonlyArray<string> } = {}
    let problem: NodeJS.ErrnoException | null = null
    const answered = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<string>) => {
      problem ??= error
      found[family] = error === null ? addresses : []
      if (found[4] === undefined || found[6] === undefined) return
      const all = [...found[4].map(withFamily(4)), ...found[6].map(withFamily(6))]
      callback(all.length === 0 ? problem : null, all)
    }
    names.resolve4(hostname, answered(4))
    names.resolve6(hostname, answered(6))
  }

const withFamily =
  (family: 4 | 6) =>
  (address: string): LookupAddress => ({ address, family })
