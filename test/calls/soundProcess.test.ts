/** `parley serve --sound process`: the sound of calls is in a process of its own, and a call is as it always was. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { saying } from "../support/callers.ts"
import { eventually } from "../support/eventually.ts"
import { houseQuestions, houseScript, houseSentences } from "../support/house.ts"
import { isRunning, type ProcessOptions, startSeconds } from "../support/process.ts"
import { redisUrl } from "../support/redis.ts"
import { playsInRealTime } from "../support/Slowness.ts"
import { startSoundApart } from "../support/soundApart.ts"

playsInRealTime()

const startHouse = Effect.fnUntraced(function* (options: ProcessOptions = {}) {
  const { hours, parking } = yield* houseQuestions
  return { hours, parking, parley: yield* startSoundApart({ bank: [hours, parking], script: houseScript, ...options }) }
})

describe("a service whose sound is in a process of its own", () => {
  it.live(
    "carries and records a conversation, also when its engine is killed in mid-sentence: the caller goes on talking",
    () =>
      Effect.gen(function* () {
        const { hours, parking, parley } = yield* startHouse({ agent: { recording: true } })
        const { started } = parley
        const recorded = (callId: string) =>
          eventually("the end of the call, and its recording", async () => {
            const record = (await Effect.runPromise(parley.records)).find(({ id }) => id === callId)
            return record?.recording === null || record?.endReason === null ? undefined : record
          })
        const newest = Effect.map(parley.records, ([record]) => record.id)

        const plain = yield* Effect.promise(() => parley.call(saying(hours.samples)))
        assert.strictEqual(plain.endedBy, "caller", parley.log())
        const ofPlain = yield* Effect.flatMap(newest, recorded)
        assert.strictEqual(ofPlain.endReason, "caller_hangup")
        assert.strictEqual(ofPlain.turns.length, 1)
        assert.approximately(ofPlain.recording?.durationSeconds ?? 0, plain.durationMs / 1_000, 1)
        assert.notInclude(parley.log(), "has come to /media of this process")

        const [{ pid: engine }] = started("worker")
        const survived = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(hours.samples)
              await caller.waitForAgentToSpeak()
              await caller.sleep(1_000)
              process.kill(engine, "SIGKILL")
              await caller.waitForAgentToFinish()
              await caller.say(parking.samples)
              await parley.answered("Yes, behind the house.")
              caller.hangUp()
            },
            { maxMs: 150_000 }
          )
        )
        assert.strictEqual(survived.endedBy, "caller", parley.log())
        const ofSurvived = yield* Effect.flatMap(newest, recorded)
        assert.approximately(ofSurvived.recording?.durationSeconds ?? 0, survived.durationMs / 1_000, 1)
        yield* parley.recordsOnce(houseSentences)
        assert.lengthOf(started("worker"), 2)
        assert.lengthOf(started("media"), 1)

        parley.child.kill("SIGTERM")
        yield* eventually("the end of all", async () => (isRunning(parley.child) ? undefined : true))
        assert.strictEqual(parley.child.exitCode, 130)
        for (const { pid } of [...started("worker"), ...started("media")]) assert.throws(() => process.kill(pid, 0))
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(parley.dataDir, "recordings"))), [])
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )

  it.live(
    "gives the call of an engine that stands still to another, and what the first one does when it goes on does not count",
    () =>
      Effect.gen(function* () {
        const { hours, parking, parley } = yield* startHouse({
          args: ["--workers", "2"],
          env: { REDIS_URL: redisUrl() }
        })
        const { log } = parley
        yield* eventually(
          "two engines",
          async () => ((await parley.get("/readyz")).body.includes('"alive":2') ? true : undefined),
          startSeconds
        )
        const result = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(hours.samples)
              await caller.waitForAgentToSpeak()
              const stopped = await Effect.runPromise(parley.holder())
              process.kill(stopped, "SIGSTOP")
              await caller.waitForAgentToFinish(3_000)
              await caller.say(parking.samples)
              await parley.answered("Yes, behind the house.")
              process.kill(stopped, "SIGCONT")
              // It learns that it was replaced within a moment.
              await caller.sleep(2_000)
              caller.hangUp()
            },
            { maxMs: 150_000 }
          )
        )
        assert.strictEqual(result.endedBy, "caller", log())
        assert.include(log(), "a call is taken over")
        yield* parley.recordsOnce(houseSentences)
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )
})
