/** `parley serve --sound process`: the sound of calls is in a process of its own, and a call is as it always was. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { speak } from "../../simulators/voice/Voice.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { saying } from "../support/callers.ts"
import { eventually } from "../support/eventually.ts"
import { isRunning, startParleyProcess, startSeconds } from "../support/process.ts"
import { redisUrl } from "../support/redis.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const script = [
  {
    when: /hours/i,
    reply:
      "We are open from Monday to Friday, from nine until six. On Saturday we are open until two. On Sunday we are closed."
  },
  { when: /parking/i, reply: "Yes, behind the house." }
]

type Parley = Effect.Success<ReturnType<typeof startParleyProcess>>

/** Resolves when the answer to the last question was heard to its end. A line that fills the wait is none. */
const answered = ({ records, utterances }: Parley) =>
  Effect.runPromise(
    eventually(
      "the answer after the take-over",
      async () => {
        const [{ id }] = await Effect.runPromise(records)
        const said = await Effect.runPromise(utterances(id))
        return said.some(({ text }) => text === "Yes, behind the house.") ? true : undefined
      },
      90
    )
  )

describe("a service whose sound is in a process of its own", () => {
  it.live(
    "carries and records a conversation, also when its engine is killed in mid-sentence: the caller goes on talking",
    () =>
      Effect.gen(function* () {
        const [hours, parking] = yield* Effect.promise(() =>
          Promise.all([speak("What are your opening hours?", "en-US"), speak("Is there parking?", "en-US")])
        )
        const mediaPort = yield* Effect.promise(freePort)
        const parley = yield* startParleyProcess({
          bank: [hours, parking],
          script,
          agent: {
            recording: true,
            silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." }
          },
          args: ["--sound", "process"],
          env: { MEDIA_PORT: `${mediaPort}`, STREAM_URL: `wss://127.0.0.1:${mediaPort}/media` }
        })
        const started = (kind: string) => {
          const lines = new RegExp(`${kind} started\\s+\\{ ${kind}: 1, pid: (\\d+) \\}`, "g")
          return [...stripVTControlCharacters(parley.log()).matchAll(lines)].map(([, pid]) => Number(pid))
        }
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

        const [engine] = started("worker")
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
              await answered(parley)
              caller.hangUp()
            },
            { maxMs: 150_000 }
          )
        )
        assert.strictEqual(survived.endedBy, "caller", parley.log())
        const ofSurvived = yield* Effect.flatMap(newest, recorded)
        assert.strictEqual(ofSurvived.endReason, "caller_hangup", parley.log())
        assert.approximately(ofSurvived.recording?.durationSeconds ?? 0, survived.durationMs / 1_000, 1)
        const said = (yield* parley.utterances(ofSurvived.id)).map(({ role, text }) => `${role}: ${text}`)
        for (const text of [
          "caller: What are your opening hours?",
          "caller: Is there parking?",
          "agent: Yes, behind the house."
        ])
          assert.lengthOf(
            said.filter((line) => line === text),
            1,
            said.join("\n")
          )
        const all = said.join(" ")
        assert.include(all, "On Sunday we are closed.", said.join("\n"))
        assert.strictEqual(all.split("On Sunday we are closed.").length, 2, said.join("\n"))
        assert.lengthOf(started("worker"), 2)
        assert.lengthOf(started("media"), 1)

        parley.child.kill("SIGTERM")
        yield* eventually("the end of all", async () => (isRunning(parley.child) ? undefined : true))
        assert.strictEqual(parley.child.exitCode, 130)
        for (const pid of [...started("worker"), ...started("media")]) assert.throws(() => process.kill(pid, 0))
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(parley.dataDir, "recordings"))), [])
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )

  it.live(
    "gives the call of an engine that stands still to another, and what the first one does when it goes on does not count",
    () =>
      Effect.gen(function* () {
        const [hours, parking] = yield* Effect.promise(() =>
          Promise.all([speak("What are your opening hours?", "en-US"), speak("Is there parking?", "en-US")])
        )
        const mediaPort = yield* Effect.promise(freePort)
        const parley = yield* startParleyProcess({
          bank: [hours, parking],
          script,
          agent: { silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." } },
          args: ["--sound", "process", "--workers", "2"],
          env: {
            MEDIA_PORT: `${mediaPort}`,
            STREAM_URL: `wss://127.0.0.1:${mediaPort}/media`,
            REDIS_URL: redisUrl()
          }
        })
        yield* eventually(
          "two engines",
          async () => ((await parley.get("/readyz")).body.includes('"alive":2') ? true : undefined),
          startSeconds
        )
        const log = () => stripVTControlCharacters(parley.log())
        const engines = [...log().matchAll(/worker started\s+\{ worker: (\d+), pid: (\d+) \}/g)].map(
          ([, worker, pid]) => ({ worker: Number(worker), pid: Number(pid) })
        )
        /** The engine that writes the call's journal. */
        const holder = () =>
          eventually("the engine of the call", async () => {
            for (const { worker, pid } of engines) {
              const folder = worker === 1 ? "" : `worker-${worker}`
              const names = await readdir(join(parley.dataDir, "calls", folder)).catch((): Array<string> => [])
              if (names.some((name) => name.endsWith(".jsonl"))) return pid
            }
          })
        const result = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(hours.samples)
              await caller.waitForAgentToSpeak()
              const stopped = await Effect.runPromise(holder())
              process.kill(stopped, "SIGSTOP")
              await caller.waitForAgentToFinish(3_000)
              await caller.say(parking.samples)
              await answered(parley)
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
        const record = yield* eventually("the end of the call", async () =>
          (await Effect.runPromise(parley.records)).find(({ endReason }) => endReason !== null)
        )
        assert.strictEqual(record.endReason, "caller_hangup", log())
        const said = (yield* parley.utterances(record.id)).map(({ role, text }) => `${role}: ${text}`).join("\n")
        for (const text of [
          "caller: What are your opening hours?",
          "On Sunday we are closed.",
          "caller: Is there parking?",
          "agent: Yes, behind the house."
        ])
          assert.strictEqual(said.split(text).length, 2, `${text}\n\n${said}`)
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )
})
