import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A new folder, by default among temporary files. Removed with the scope. */
export const temporaryFolder = (what: string, within: string = tmpdir()) =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(within, `parley-${what}-`))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 }))
  )
