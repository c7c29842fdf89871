import { statfsSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import { temporaryFolder } from "./folder.ts"

const memory = "/dev/shm"
/** Some twenty copies of the template, and the log. */
const enoughBytes = 2 * 1_024 ** 3

/**
 * Whether files may be kept in memory here. Each test makes and removes a database of some 1,500 files. On a disk with ext4 the kernel then spends a third
 * of the processor on looking for inodes that were not removed just now.
 */
const memoryIsThere = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}

/** Starts an empty PostgreSQL in a temporary folder, in memory where there is room, and gives its administrator's URL. Removed with the scope. */
export const startServer = Effect.gen(function* () {
  const folder = yield* temporaryFolder("test", memoryIsThere() ? memory : undefined)
  return Redacted.value(yield* EmbeddedPostgres.start({ dataDir: join(folder, "postgres"), durable: false }))
})
