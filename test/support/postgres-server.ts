import { join } from "node:path"
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import { temporaryFolder } from "./folder.ts"

/** Starts an empty PostgreSQL in a temporary folder and gives its administrator's URL. Stopped and removed with the scope. */
export const startServer = Effect.gen(function* () {
  const folder = yield* temporaryFolder("test")
  return Redacted.value(yield* EmbeddedPostgres.start({ dataDir: join(folder, "postgres"), durable: false }))
})
