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
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const script = [{ when: /hours/i, reply: "We are open from Monday to Friday, from nine until six." }]

describe("a service whose sound is in a process of its own", () => {
  it.live(
    "carries and records a conversation, ends the calls of an engine that is killed, and takes the next call",
    () =>
      Effect.gen(function* () {
        const question = yield* Effect.promise(() => speak("What are your opening hours?", "en-US"))
        const mediaPort = yield* Effect.promise(freePort)
        const parley = yield* startParleyProcess({
          bank: [question],
          script,
          agent: { recording: true },
          args: ["--sound", "process"],
          env: { MEDIA_PORT: `${mediaPort}`, STREAM_URL: `wss://127.0.0.1:${mediaPort}/media` }
        })
        const started = (kind: string) =>
          [
            ...stripVTControlCharacters(parley.log()).matchAll(
              new RegExp(`${kind} started\\s+\\{ ${kind}: 1, pid: (\\d+) \\}`, "g")
            )
          ].map(([, pid]) => Number(pid))
        const conversation = () => parley.call(saying(question.samples))

        const result = yield* Effect.promise(conversation)
        assert.strictEqual(result.endedBy, "caller", parley.log())
        assert.strictEqual(result.frames.late, 0)
        const ofCall = yield* eventually("the end of the call, and its recording", async () => {
          const [record] = await Effect.runPromise(parley.records)
          return record?.recording === null || record?.endReason === null ? undefined : record
        })
        assert.strictEqual(ofCall.endReason, "caller_hangup")
        assert.strictEqual(ofCall.turns.length, 1)
        assert.approximately(ofCall.recording?.durationSeconds ?? 0, result.durationMs / 1_000, 1)
        assert.notInclude(parley.log(), "has come to /media of this process")

        const [engine] = started("worker")
        const cutOff = yield* Effect.promise(() =>
          parley.call(async (caller) => {
            await caller.waitForAgentToSpeak()
            process.kill(engine, "SIGKILL")
            await caller.sleep(10_000)
          })
        )
        assert.notStrictEqual(cutOff.endedBy, "caller")
        yield* eventually("a new engine", async () => (started("worker").length === 2 ? true : undefined), startSeconds)
        yield* eventually(
          "the service is ready again",
          () => parley.get("/readyz").then(({ status }) => (status === 200 ? true : undefined)),
          startSeconds
        )
        assert.lengthOf(started("media"), 1)
        const next = yield* Effect.promise(conversation)
        assert.strictEqual(next.endedBy, "caller")

        parley.child.kill("SIGTERM")
        yield* eventually("the end of all", async () => (isRunning(parley.child) ? undefined : true))
        assert.strictEqual(parley.child.exitCode, 130)
        for (const pid of [...started("worker"), ...started("media")]) assert.throws(() => process.kill(pid, 0))
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(parley.dataDir, "recordings"))), [])
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )
})
