/** `parley serve --sound process`: what becomes of a call that is being transferred when its engine is killed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { speak } from "../../simulators/voice/Voice.ts"
import { fixedPhrases } from "../../src/domain/voice/dialogue/FixedPhrases.ts"
import { eventually } from "../support/eventually.ts"
import { startSeconds } from "../support/process.ts"
import { playsInRealTime } from "../support/Slowness.ts"
import { startSoundApart } from "../support/soundApart.ts"

playsInRealTime()

const question = "Please let me talk to a human."

describe("a service whose sound is in a process of its own", () => {
  it.live(
    "transfers a call once whose engine is killed while it does, and keeps the caller and the record",
    () =>
      Effect.gen(function* () {
        const human = yield* Effect.promise(() => speak(question, "en-US"))
        const parley = yield* startSoundApart({ bank: [human] })
        const { log, started, wordsOf } = parley
        const takenOver = () => log().includes("a call is taken over")
        const result = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(human.samples)
              // The human talks until somebody has seen to the call's record.
              while (!takenOver()) await caller.sleep(100)
              await caller.sleep(2_000)
              caller.hangUp()
            },
            {
              humans: [{ status: "completed", ms: 150_000 }],
              maxMs: 150_000,
              onEvent: ({ type }) => {
                if (type === "dialed") process.kill(started("worker")[0].pid, "SIGKILL")
              }
            }
          )
        )
        assert.strictEqual(result.endedBy, "caller", log())
        assert.deepStrictEqual(
          result.dials.map(({ to }) => to),
          ["+14155550199"]
        )
        const record = yield* eventually(
          "the end of the call",
          async () => (await Effect.runPromise(parley.records)).find(({ endReason }) => endReason !== null),
          60
        )
        assert.strictEqual(record.endReason, "transferred", log())
        const said = yield* wordsOf(record.id)
        for (const line of [`caller: ${question}`, `agent: ${fixedPhrases("en-US").transfer}`])
          assert.lengthOf(
            said.filter((one) => one === line),
            1,
            said.join("\n")
          )
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )
})
