/** A deployment in the middle of a call: the real program in its own process is asked to stop. */
import type { ChildProcess } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/eventually.ts"
import { killGroup, startParleyProcess } from "../support/process.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const silentAgent = { silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." } }

// Each starts a process of its own.
describe.concurrent("a process that is asked to stop", () => {
  it.live("refuses new calls and says so, lets the running call come to its end, and exits", () =>
    Effect.gen(function* () {
      const parley = yield* startParleyProcess({ agent: silentAgent })
      const result = yield* Effect.promise(() =>
        parley.call(async (caller) => {
          await caller.waitForAgentToSpeak()
          parley.child.kill("SIGTERM")
          const ready = await Effect.runPromise(
            eventually("not ready", async () => {
              const answer = await parley.get("/readyz")
              return answer.status === 500 ? answer : undefined
            })
          )
          assert.include(ready.body, "draining")
          assert.strictEqual((await parley.get("/healthz")).status, 200)
          const second = await parley.call(async () => {}, { from: "+14155550101" })
          assert.strictEqual(second.rejected, "busy")
          await caller.waitForAgentToFinish()
          await caller.sleep(1_000)
          caller.hangUp()
        })
      )
      // Disclosure and welcome are played to their end.
      assert.isAbove(result.durationMs, 3_000)
      const records = yield* eventually("both calls on record", async () => {
        const all = await Effect.runPromise(parley.records)
        return all.length === 2 && all.every(({ endReason }) => endReason !== null) ? all : undefined
      })
      assert.sameMembers(
        records.map(({ endReason }) => endReason),
        ["caller_hangup", "capacity"]
      )
      yield* eventually("the end of the process", async () => (parley.child.exitCode === null ? undefined : true))
      assert.include(parley.log(), "every call came to its end")
    }).pipe(Effect.scoped)
  )

  it.live("says goodbye to callers who are still on the line when the time is up", () =>
    Effect.gen(function* () {
      const parley = yield* startParleyProcess({ agent: silentAgent, env: { DRAIN_SECONDS: "1" } })
      const result = yield* Effect.promise(() =>
        parley.call(async (caller) => {
          await caller.waitForAgentToFinish()
          parley.child.kill("SIGTERM")
          await caller.sleep(40_000)
        })
      )
      assert.notStrictEqual(result.endedBy, "caller")
      yield* eventually("the end of the process", async () => (parley.child.exitCode === null ? undefined : true))
      const [record] = yield* parley.records
      assert.strictEqual(record.endReason, "max_duration")
    }).pipe(Effect.scoped)
  )

  it.live("stores and reports the recording of the last call before it exits", () =>
    Effect.gen(function* () {
      const parley = yield* startParleyProcess({ agent: { ...silentAgent, recording: true } })
      yield* Effect.promise(() =>
        parley.call(async (caller) => {
          await caller.waitForAgentToFinish()
          parley.child.kill("SIGTERM")
          await caller.sleep(1_000)
          caller.hangUp()
        })
      )
      yield* Effect.promise(() => parley.ended)
      assert.include(parley.log(), "every call came to its end")
      const recordings = yield* Effect.promise(() => readdir(join(parley.dataDir, "recordings")))
      assert.deepStrictEqual(recordings, [])
      const [record] = yield* parley.records
      assert.isNotNull(record.recording)
    }).pipe(Effect.scoped)
  )

  it.live("stops at once when it is asked twice, and has told the end of its call or has it on disk", () =>
    Effect.gen(function* () {
      const parley = yield* startParleyProcess({ agent: silentAgent })
      const call = parley.call(async (caller) => {
        await caller.waitForAgentToSpeak()
        parley.child.kill("SIGTERM")
        await caller.sleep(1_500)
        parley.child.kill("SIGTERM")
        await caller.sleep(40_000)
      })
      yield* eventually("the end of the process", async () => (parley.child.exitCode === null ? undefined : true), 30)
      yield* Effect.promise(() => call)
      assert.include(parley.log(), "in the middle of calls")
      const folder = join(parley.dataDir, "calls")
      // On a slow machine there is time to deliver it.
      const [record] = yield* parley.records
      if (record?.endReason === "error") return
      const events = yield* Effect.promise(async () => {
        const files = await readdir(folder)
        assert.lengthOf(files, 1)
        const lines = (await readFile(join(folder, files[0]), "utf8")).trim().split("\n")
        return lines.map((line): { type: string; endReason?: string } => JSON.parse(line))
      })
      assert.deepInclude(
        events.map(({ type, endReason }) => [type, endReason]),
        ["call_end", "error"],
        parley.log()
      )
    }).pipe(Effect.scoped)
  )

  const stops: ReadonlyArray<readonly [string, (npm: ChildProcess) => void]> = [
    ["`docker stop` (a signal to npm alone)", (npm) => void npm.kill("SIGTERM")],
    ["Ctrl-C (a signal to every process, and once more by npm)", (npm) => killGroup(npm, "SIGINT")]
  ]
  for (const [name, stop] of stops)
    it.live(`that runs under \`npm start\` lets the running call come to its end after ${name}`, () =>
      Effect.gen(function* () {
        const parley = yield* startParleyProcess({ by: "npm", agent: silentAgent })
        const result = yield* Effect.promise(() =>
          parley.call(async (caller) => {
            await caller.waitForAgentToSpeak()
            stop(parley.child)
            await caller.sleep(3_000)
            caller.hangUp()
          })
        )
        assert.strictEqual(result.endedBy, "caller")
        yield* Effect.promise(() => parley.ended)
        assert.include(parley.log(), "every call came to its end")
        // The service is gone, not only npm.
        assert.strictEqual(
          yield* Effect.promise(() => parley.get("/healthz").catch(() => "nobody answers")),
          "nobody answers"
        )
        const [record] = yield* parley.records
        assert.strictEqual(record.endReason, "caller_hangup")
      }).pipe(Effect.scoped)
    )
})
