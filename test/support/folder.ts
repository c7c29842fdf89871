import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A new temporary folder, removed with the scope. */
export const temporaryFolder = (what: string) =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), `parley-${what}-`))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 }))
  )
