/** Two processes with the same DATA_DIR by mistake, while one of them has a call. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/eventually.ts"
import { startParleyProcess } from "../support/process.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const silentAgent = { silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." } }

describe("a second process with the same DATA_DIR", () => {
  it.live(
    "does not start and says why, does not disturb the first one's calls and recordings, and starts after the first crashed",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParleyProcess({ agent: { ...silentAgent, recording: true } })
        const recordings = () => readdir(join(parley.dataDir, "recordings"))
        const recorded = eventually("a recording on disk", async () => (await recordings())[0])
        const result = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToSpeak()
              const name = await Effect.runPromise(recorded)
              const second = await Effect.runPromise(
                Effect.scoped(
                  Effect.gen(function* () {
                    const { ended, log } = yield* parley.another
                    const code = yield* Effect.promise(() => ended)
                    return { code, log: log() }
                  })
                )
              )
              assert.notStrictEqual(second.code, 0)
              assert.include(second.log, "Each process that takes calls needs a DATA_DIR of its own")
              assert.deepStrictEqual(await recordings(), [name])
              await caller.sleep(1_000)
              caller.hangUp()
            },
            // A start takes long on a machine that is busy with other tests.
            { maxMs: 120_000 }
          )
        )
        assert.strictEqual(result.endedBy, "caller")
        yield* eventually("the call's end on record", async () => {
          const [record] = await Effect.runPromise(parley.records)
          return record.endReason === "caller_hangup" ? true : undefined
        })

        parley.child.kill("SIGKILL")
        yield* Effect.promise(() => parley.ended)
        const third = yield* parley.another
        yield* eventually(
          "a start after the crash",
          () =>
            fetch(`http://127.0.0.1:${third.port}/readyz`).then(({ status }) => (status === 200 ? true : undefined)),
          60
        )
      }).pipe(Effect.scoped),
    240_000
  )
})
