/** `parley media` by itself, as on another machine: engines reach it by TLS, and calls outlive their engines as beside it. */
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/eventually.ts"
import { houseQuestions, houseScript, houseSentences } from "../support/house.ts"
import { isRunning, startSeconds } from "../support/process.ts"
import { redisUrl } from "../support/redis.ts"
import { playsInRealTime } from "../support/Slowness.ts"
import { startSoundElsewhere } from "../support/soundApart.ts"

playsInRealTime()

describe("a service whose sound is on another machine", () => {
  it.live(
    "carries a conversation whose engine is killed in mid-sentence, while strangers knock at the link",
    () =>
      Effect.gen(function* () {
        const { hours, parking } = yield* houseQuestions
        const parley = yield* startSoundElsewhere({
          bank: [hours, parking],
          script: houseScript,
          args: ["--workers", "2"],
          env: { REDIS_URL: redisUrl() }
        })
        const { log, media, linkPort } = parley
        yield* eventually(
          "two engines",
          async () => ((await parley.get("/readyz")).body.includes('"alive":2') ? true : undefined),
          startSeconds
        )
        const strangers = Array.from({ length: 100 }, () =>
          connect(linkPort, "127.0.0.1", () => undefined).on("error", () => undefined)
        )
        for (const [at, socket] of strangers.entries()) if (at % 2 === 0) socket.write(Buffer.alloc(2_000, at))
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            for (const socket of strangers) socket.destroy()
          })
        )
        const result = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(hours.samples)
              await caller.waitForAgentToSpeak()
              await caller.sleep(1_000)
              process.kill(await Effect.runPromise(parley.holder()), "SIGKILL")
              await caller.waitForAgentToFinish()
              await caller.say(parking.samples)
              await parley.answered("Yes, behind the house.")
              caller.hangUp()
            },
            { maxMs: 150_000 }
          )
        )
        assert.strictEqual(result.endedBy, "caller", log() + media.log())
        assert.include(log(), "a call is taken over")
        const record = yield* parley.recordsOnce(houseSentences)
        // The times of a turn are of both machines, whose clocks are hours apart.
        assert.isNotEmpty(record.turns)
        for (const { turn: _, ...times } of record.turns)
          for (const [name, ms] of Object.entries(times)) assert.isBelow(Math.abs(ms ?? 0), 60_000, name)
        assert.include(media.log(), "a connection of another machine was refused")
        // Without calls it ends at once, though engines are linked.
        media.child.kill("SIGTERM")
        yield* eventually("the end of the sound", async () => (isRunning(media.child) ? undefined : true))
        assert.strictEqual(media.child.exitCode, 0, media.log())
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )
})
