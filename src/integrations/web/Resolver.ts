/** The type of a function that resolves a name: the shape of `dns.lookup` with `all`. */
import type { LookupAddress } from "node:dns"

/** Gives all addresses of a name to `callback`. */
export type Resolver = (
  hostname: string,
  options: { readonly all: true; readonly verbatim: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: Array<LookupAddress>) => void
) => void
