/** A program: runs the embedded database of the folder given as its argument, prints the URL, and waits to be killed. */
import { Console, Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"

const run = Effect.gen(function* () {
  const url = yield* EmbeddedPostgres.start({ dataDir: process.argv[2], durable: false })
  yield* Console.log(Redacted.value(url))
  // A timer keeps the process alive.
  yield* Effect.sleep("10 minutes")
})

await Effect.runPromise(Effect.scoped(run))
