/** A service whose sound is in a process of its own gets engines with the code that is on disk now, and nobody notices. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/eventually.ts"
import { temporaryFolder } from "../support/folder.ts"
import { houseQuestions, houseScript, houseSentences } from "../support/house.ts"
import { isRunning, type ProcessOptions, startSeconds } from "../support/process.ts"
import { redisUrl } from "../support/redis.ts"
import { playsInRealTime } from "../support/Slowness.ts"
import { startSoundApart } from "../support/soundApart.ts"
import { steadyRequests } from "../support/steadyRequests.ts"

playsInRealTime()

/** A version of the program on disk: it says its name when it is loaded. */
const version = (name: string) => `if (process.env.PARLEY_MEDIA_SOCKETS !== undefined) console.log("loaded ${name}")\n`
const broken = `if (process.env.PARLEY_SUCCESSOR !== undefined) throw new Error("this version is broken")\n`

const startHouse = Effect.fnUntraced(function* (options: ProcessOptions = {}) {
  const folder = yield* temporaryFolder("version")
  const onDisk = join(folder, "version.mjs")
  const deploy = (code: string) => Effect.promise(() => writeFile(onDisk, code))
  yield* deploy(version("first"))
  const { hours, parking } = yield* houseQuestions
  const parley = yield* startSoundApart({
    ...{ bank: [hours, parking], script: houseScript, ...options },
    env: { NODE_OPTIONS: `--import ${pathToFileURL(onDisk).href}`, ...options.env }
  })
  const logged = (text: string, times = 1) =>
    eventually(
      text,
      async () => {
        if (!isRunning(parley.child)) throw new Error(parley.log())
        return parley.log().split(text).length > times ? true : undefined
      },
      startSeconds
    )
  return { hours, parking, parley, deploy, logged, reload: () => parley.child.kill("SIGHUP") }
})

/** A request waits while the old engine closes and the new one begins. */
const longestRequestMs = 10_000

describe("a service that is reloaded", () => {
  it.live(
    "goes on with its calls in mid-sentence and refuses no request, and keeps its engine when the version on disk does not start",
    () =>
      Effect.gen(function* () {
        const { hours, parking, parley, deploy, logged, reload } = yield* startHouse()
        const { started, log } = parley
        yield* deploy(broken)
        reload()
        yield* logged("the reload has failed")
        assert.lengthOf(started("worker"), 1)
        assert.strictEqual((yield* Effect.promise(() => parley.get("/readyz"))).status, 200, log())

        yield* deploy(version("second"))
        const stop = steadyRequests(`${parley.baseUrl}/healthz`)
        const survived = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(hours.samples)
              reload()
              await caller.waitForAgentToSpeak()
              await caller.waitForAgentToFinish()
              await Effect.runPromise(logged("reloaded: all workers"))
              await caller.say(parking.samples)
              await parley.answered("Yes, behind the house.")
              caller.hangUp()
            },
            { maxMs: 150_000 }
          )
        )
        const { refused, answered, slowestMs } = yield* Effect.promise(stop)
        assert.strictEqual(survived.endedBy, "caller", log())
        assert.deepStrictEqual(refused, [], log())
        assert.isAbove(answered, 100)
        assert.isBelow(slowestMs, longestRequestMs, log())
        assert.include(log(), "loaded second")
        assert.lengthOf(started("worker"), 2)
        assert.lengthOf(started("media"), 1)

        yield* parley.recordsOnce(houseSentences)

        parley.child.kill("SIGTERM")
        yield* eventually("the end of all", async () => (isRunning(parley.child) ? undefined : true))
        for (const { pid } of [...started("worker"), ...started("media")]) assert.throws(() => process.kill(pid, 0))
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )

  it.live(
    "with two engines replaces them one after the other, and the other one goes on with the calls",
    () =>
      Effect.gen(function* () {
        const { hours, parking, parley, deploy, logged, reload } = yield* startHouse({
          args: ["--workers", "2"],
          env: { REDIS_URL: redisUrl() }
        })
        const { started, log } = parley
        yield* eventually(
          "two engines",
          async () => ((await parley.get("/readyz")).body.includes('"alive":2') ? true : undefined),
          startSeconds
        )
        yield* deploy(version("second"))
        const stop = steadyRequests(`${parley.baseUrl}/healthz`)
        const survived = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(hours.samples)
              await caller.waitForAgentToSpeak()
              reload()
              await caller.waitForAgentToFinish()
              await Effect.runPromise(logged("reloaded: all workers"))
              await caller.say(parking.samples)
              await parley.answered("Yes, behind the house.")
              caller.hangUp()
            },
            { maxMs: 150_000 }
          )
        )
        const { refused } = yield* Effect.promise(stop)
        assert.strictEqual(survived.endedBy, "caller", log())
        assert.deepStrictEqual(refused, [], log())
        assert.include(log(), "a call is taken over")
        assert.deepStrictEqual(
          started("worker").map(({ id }) => id),
          [1, 2, 1, 2]
        )
        assert.lengthOf(started("media"), 2)
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )
})
