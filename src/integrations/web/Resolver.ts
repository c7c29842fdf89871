/** How the addresses of a name are asked for: the shape of `dns.lookup` with `all`. */
import type { LookupAddress } from "node:dns"

/** All addresses of a name. */
export type Resolver = (
  hostname: string,
  options: { readonly all: true; readonly verbatim: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: Array<LookupAddress>) => void
) => void
