/** `parley serve --workers 2`: two real processes on one port, with Redis and Postgres; one of them is killed in the middle of calls. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/eventually.ts"
import { killGroup, type StartedBy, startParleyProcess, startSeconds } from "../support/process.ts"
import { redisUrl } from "../support/redis.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const silentAgent = { silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." } }

const startWorkers = Effect.fnUntraced(function* (by: StartedBy = "node") {
  const parley = yield* startParleyProcess({
    by,
    args: ["--workers", "2"],
    env: { REDIS_URL: redisUrl() },
    agent: silentAgent
  })
  const bothAlive = eventually(
    "two workers",
    async () => ((await parley.get("/readyz")).body.includes('"alive":2') ? true : undefined),
    startSeconds
  )
  /** Process ids of the workers that were started, in the order of the log. */
  const started = () =>
    [...stripVTControlCharacters(parley.log()).matchAll(/worker started\s+\{ worker: (\d+), pid: (\d+) \}/g)].map(
      ([, worker, pid]) => ({ worker: Number(worker), pid: Number(pid) })
    )
  /** The calls that run in a worker: those with a journal there. */
  const callsOf = async (worker: number) => {
    const folder = worker === 1 ? join(parley.dataDir, "calls") : join(parley.dataDir, "calls", `worker-${worker}`)
    const names = await readdir(folder).catch((): Array<string> => [])
    return names
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.replace(/%5f/g, "_").replace(".jsonl", ""))
  }
  yield* bothAlive
  return { ...parley, bothAlive, started, callsOf }
})

type Workers = Effect.Success<ReturnType<typeof startWorkers>>
type Caller = Parameters<Parameters<Workers["call"]>[0]>[0]

/** A call runs while all processes are asked to stop, and ends when its caller hangs up. */
const callOutlasts = Effect.fnUntraced(function* (parley: Workers, stopping: (caller: Caller) => Promise<void>) {
  const result = yield* Effect.promise(() =>
    parley.call(async (caller) => {
      await caller.waitForAgentToSpeak()
      await stopping(caller)
      caller.hangUp()
    })
  )
  assert.strictEqual(result.endedBy, "caller")
  yield* Effect.promise(() => parley.ended)
  const [record] = yield* parley.records
  assert.strictEqual(record.endReason, "caller_hangup")
})

describe("two workers on one port", () => {
  it.live(
    "take each other's streams, lose only the calls of a worker that crashes, and start it again",
    () =>
      Effect.gen(function* () {
        const parley = yield* startWorkers()
        assert.deepStrictEqual(
          parley.started().map(({ worker }) => worker),
          [1, 2]
        )
        let over = false
        const hold = () =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToSpeak()
              while (!over) await caller.sleep(100)
              await caller.sleep(500)
              caller.hangUp()
            },
            { maxMs: 3 * startSeconds * 1_000 }
          )
        // The kernel distributes the streams: after a few calls both workers have some.
        const calls: Array<ReturnType<typeof hold>> = []
        const spread = async () => [await parley.callsOf(1), await parley.callsOf(2)]
        while (calls.length < 12) {
          calls.push(hold())
          yield* eventually(
            "the call runs",
            async () => ((await spread()).flat().length === calls.length ? true : undefined),
            10
          )
          const [first, second] = yield* Effect.promise(spread)
          if (calls.length >= 4 && first.length > 0 && second.length > 0) break
        }
        const [first, second] = yield* Effect.promise(spread)
        assert.isAbove(first.length, 0)
        assert.isAbove(second.length, 0)

        const victim = parley.started().find(({ worker }) => worker === 2)
        assert.isDefined(victim)
        process.kill(victim.pid, "SIGKILL")
        yield* eventually("a new worker 2", async () => (parley.started().length === 3 ? true : undefined))
        yield* parley.bothAlive
        assert.sameMembers(yield* Effect.promise(() => parley.callsOf(1)), first)

        // Both workers take new calls.
        const fresh = yield* Effect.promise(() =>
          Promise.all(
            Array.from({ length: 4 }, () =>
              parley.call(async (caller) => {
                await caller.waitForAgentToSpeak()
                caller.hangUp()
              })
            )
          )
        )
        assert.deepStrictEqual(
          fresh.map(({ endedBy }) => endedBy),
          ["caller", "caller", "caller", "caller"]
        )
        over = true
        yield* Effect.promise(() => Promise.all(calls))
        const total = calls.length + fresh.length
        const records = yield* eventually("every call's end on record", async () => {
          const all = await Effect.runPromise(parley.records)
          assert.lengthOf(all, total)
          assert.deepStrictEqual(
            all.filter(({ endReason }) => endReason === null),
            []
          )
          return all
        })
        const reasons = new Map(records.map(({ id, endReason }) => [id, endReason]))
        for (const callId of first) assert.strictEqual(reasons.get(callId), "caller_hangup")
        for (const callId of second) assert.strictEqual(reasons.get(callId), "error")
        assert.lengthOf(
          records.filter(({ endReason }) => endReason === "caller_hangup"),
          first.length + fresh.length
        )

        parley.child.kill("SIGTERM")
        yield* eventually("the end of all", async () => (parley.child.exitCode === null ? undefined : true))
        for (const { pid } of parley.started()) assert.throws(() => process.kill(pid, 0))
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )

  it.live(
    "let calls come to their end after Ctrl-C, which reaches each of them directly and through the parent",
    () =>
      Effect.gen(function* () {
        const parley = yield* startWorkers("npm")
        yield* callOutlasts(parley, async (caller) => {
          killGroup(parley.child, "SIGINT")
          await caller.sleep(3_000)
        })
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )

  it.live(
    "count a signal of their own and a later one to their parent as one request to stop",
    () =>
      Effect.gen(function* () {
        const parley = yield* startWorkers()
        yield* callOutlasts(parley, async (caller) => {
          for (const { pid } of parley.started()) process.kill(pid, "SIGTERM")
          await caller.sleep(1_500)
          parley.child.kill("SIGTERM")
          await caller.sleep(2_000)
        })
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )

  it.live("do not start without Redis, and say why", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.exit(startParleyProcess({ args: ["--workers", "2"] }))
      assert.include(String(failed), "Several workers need REDIS_URL")
    }).pipe(Effect.scoped)
  )
})
