/** `parley serve --sound process`: what becomes of a tool whose engine is killed, and of calls whose sound is killed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "../../simulators/support/Loopback.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { saying } from "../support/callers.ts"
import { eventually } from "../support/eventually.ts"
import { startSeconds } from "../support/process.ts"
import { playsInRealTime } from "../support/Slowness.ts"
import { startSoundApart } from "../support/soundApart.ts"

playsInRealTime()

const notSure = "I am not sure whether it was cancelled."
const question = "Please cancel my order."

/** A tool that changes something and never answers. `asked` runs at each request. */
const silentTool = (asked: () => void) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      listen(() => {
        asked()
        return new Promise<void>(() => undefined)
      })
    ),
    ({ close }) => Effect.promise(close)
  )

describe("a service whose sound is in a process of its own", () => {
  it.live(
    "runs no tool twice whose engine was killed, ends the calls of a sound that was killed, and takes calls again",
    () =>
      Effect.gen(function* () {
        const order = yield* Effect.promise(() => speak(question, "en-US"))
        let requests = 0
        let killEngine: () => void = () => undefined
        const server = yield* silentTool(() => {
          requests++
          killEngine()
        })
        const tool = {
          name: "cancel_order",
          description: "Cancels an order",
          parameters: { type: "object", properties: {}, required: [] },
          handler: { type: "http", url: `${server.url}/cancel`, method: "POST" }
        }
        const parley = yield* startSoundApart({
          bank: [order],
          script: [{ when: /order/i, tool: { name: tool.name, arguments: {} }, reply: notSure }],
          agent: { tools: [tool], use_fillers: false }
        })
        const { log, started, wordsOf, answered } = parley
        const ended = (count: number) =>
          eventually(
            "the end of the call",
            async () => {
              const records = await Effect.runPromise(parley.records)
              return records.length === count && records[0].endReason !== null ? records[0] : undefined
            },
            60
          )
        killEngine = () => process.kill(started("worker")[0].pid, "SIGKILL")
        const asked = yield* Effect.promise(() =>
          parley.call(
            async (caller) => {
              await caller.waitForAgentToFinish()
              await caller.say(order.samples)
              await answered(notSure)
              caller.hangUp()
            },
            { maxMs: 150_000 }
          )
        )
        assert.strictEqual(asked.endedBy, "caller", log())
        const ofAsked = yield* ended(1)
        const said = yield* wordsOf(ofAsked.id)
        assert.strictEqual(ofAsked.endReason, "caller_hangup", log())
        for (const line of [`caller: ${question}`, `agent: ${notSure}`])
          assert.lengthOf(
            said.filter((one) => one === line),
            1,
            said.join("\n")
          )
        assert.strictEqual(requests, 1)

        const cut = yield* Effect.promise(() =>
          parley.call(async (caller) => {
            await caller.waitForAgentToSpeak()
            process.kill(started("media")[0].pid, "SIGKILL")
            await caller.waitForAgentToFinish()
          })
        )
        assert.notStrictEqual(cut.endedBy, "caller", log())
        assert.strictEqual((yield* ended(2)).endReason, "error", log())

        yield* eventually(
          "a call after that",
          async () => {
            const result = await parley.call(saying())
            return result.endedBy === "caller" ? result : undefined
          },
          60
        )
        assert.lengthOf(started("media"), 2)
      }).pipe(Effect.scoped),
    3 * startSeconds * 1_000
  )
})
