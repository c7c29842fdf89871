/** A process that records a call until it is killed: `node recorder-process.ts <folder>`. Prints `recorded <ms>` as it records. */
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { CallJournal } from "../../../src/domain/voice/engine/CallJournal.ts"
import { Recordings } from "../../../src/domain/voice/engine/Recordings.ts"
import * as SpooledRecordings from "../../../src/integrations/recordings/SpooledRecordings.ts"
import * as LocalObjectStorage from "../../../src/integrations/storage/LocalObjectStorage.ts"

const [folder] = process.argv.slice(2)
const journal = Layer.succeed(CallJournal, {
  leave: () => Effect.void,
  record: () => Effect.die("not while the call goes on"),
  delivered: Effect.void
})

const record = Effect.gen(function* () {
  const { open } = yield* Recordings
  const { write } = yield* open({ organizationId: "org_1", agentId: "agt_1", callId: "call_1" })
  // Every sample shows its position: the left one counts milliseconds, the right one is its negative. It runs ten times as fast as a call.
  for (let ms = 0; ; ms += 500) {
    write(Int16Array.from({ length: 8_000 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (ms + Math.floor(i / 16) + 1)))
    process.stdout.write(`recorded ${ms + 500}\n`)
    yield* Effect.sleep(50)
  }
})

Effect.runFork(
  record.pipe(
    Effect.scoped,
    Effect.provide(
      SpooledRecordings.layer({ folder: join(folder, "recordings"), flushEvery: "200 millis" }).pipe(
        Layer.provide([journal, LocalObjectStorage.layer({ folder: join(folder, "objects") })])
      )
    )
  )
)
