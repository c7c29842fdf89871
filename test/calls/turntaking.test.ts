/** Turn-taking: who speaks when, what interrupts, and what the agent waits for. Real sockets; simulated providers speak their own protocols. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen, sendJson } from "../../simulators/support/Loopback.ts"
import type { CallerScript } from "../../simulators/telephone/Caller.ts"
import { noise, toPcm } from "../../simulators/voice/Noise.ts"
import type { Utterance } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { speakingOver } from "../support/callers.ts"
import { type Parley, type ParleyOptions, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = {
  hours: "What are your opening hours?",
  okay: "Okay.",
  stop: "Stop, please.",
  number: "My phone number is",
  digits: "four one five five five five zero one two three.",
  order: "Where is my order?"
}
const hours =
  "We are open from Monday to Friday, from nine in the morning until six in the evening. On Saturday we are open from ten to two."
const script = [
  { when: /hours/i, reply: hours },
  { when: /stop/i, reply: "Of course." },
  { when: /phone number is.*three/i, reply: "Thank you, I have noted your number." },
  { when: /pressed/i, reply: "You have chosen sales." },
  { when: /order/i, tool: { name: "look_up_order", arguments: { order: "42" } }, reply: "It is on its way." }
]

/** A noise like a cough: loud, short, and without words. */
const bang = (ms: number) => toPcm(noise("pink", ms * 8, 3), 6_000)

/** The time until a silent caller is asked whether they are still there: too long to come, except in tests about it. */
const patient = { promptAfterSeconds: 20, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Goodbye then." }

const start = (options: Partial<ParleyOptions> = {}) =>
  startParley({ lines, script, ...options, agent: { silence: patient, ...options.agent } })

const run = (parley: Parley, caller: CallerScript) => Effect.andThen(parley.call(caller), parley.stored)

const texts = (utterances: ReadonlyArray<Utterance>) => utterances.map(({ role, text }) => `${role}: ${text}`)
const said = (parley: Parley) => texts(parley.world.languageModel.requests.map(lastUser))
const lastUser = ({ messages }: Parley["world"]["languageModel"]["requests"][number]) =>
  ({
    role: "caller",
    text: messages.findLast((message) => message.role === "user")?.content ?? ""
  }) as Utterance

describe.concurrent("a caller who makes a noise while the agent speaks", () => {
  it.live("makes the agent stop, and then go on from the word that was cut off", () =>
    Effect.gen(function* () {
      const parley = yield* start()
      const { call, utterances } = yield* run(parley, speakingOver(parley.samples("hours"), bang(400), 1_500))
      assert.strictEqual(utterances.at(-1)?.text, hours)
      assert.isFalse(utterances.at(-1)?.interrupted)
      assert.strictEqual(call.interruptions, 0)
      assert.strictEqual(call.falseInterruptions, 1)
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a caller who says okay while the agent speaks", () => {
  it.live("is heard, and the agent goes on", () =>
    Effect.gen(function* () {
      const parley = yield* start()
      const { call, utterances } = yield* run(
        parley,
        speakingOver(parley.samples("hours"), parley.samples("okay"), 1_500)
      )
      assert.include(texts(utterances), `agent: ${hours}`)
      assert.include(texts(utterances), `caller: ${lines.okay}`)
      assert.strictEqual(call.interruptions, 0)
      assert.deepStrictEqual(said(parley), [`caller: ${lines.hours}`])
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a caller who says stop", () => {
  it.live("silences the agent, and the model is told only the text that was heard, cut at the word", () =>
    Effect.gen(function* () {
      const parley = yield* start()
      const { call, utterances } = yield* run(parley, speakingOver(parley.samples("hours"), parley.samples("stop")))
      const [cut] = utterances.filter(({ interrupted }) => interrupted)
      assert.isTrue(cut !== undefined && hours.startsWith(cut.text) && cut.text.length < hours.length, cut?.text)
      assert.strictEqual(call.interruptions, 1)
      const messages = parley.world.languageModel.requests.at(-1)?.messages ?? []
      assert.deepInclude(
        messages.findLast(({ role }) => role !== "user" && role !== "system"),
        { role: "assistant", content: cut?.text }
      )
      assert.strictEqual(utterances.at(-1)?.text, "Of course.")
      assert.lengthOf(
        utterances.filter(({ interrupted }) => interrupted),
        1
      )
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a caller who hangs up while the agent speaks", () => {
  it.live("has not interrupted it: neither the utterance nor the count of the call says so", () =>
    Effect.gen(function* () {
      const parley = yield* start()
      const { call, utterances } = yield* run(parley, async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToSpeak()
        await caller.sleep(2_000)
        caller.hangUp()
      })
      const last = utterances.at(-1)
      assert.isTrue(last !== undefined && last.text !== "" && hours.startsWith(last.text), last?.text)
      assert.notStrictEqual(last?.text, hours)
      assert.deepStrictEqual([last?.interrupted, call.interruptions], [false, 0])
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a caller who pauses in the middle of a sentence", () => {
  it.live("is waited for when the words are unfinished, and gets one answer to the whole sentence", () =>
    Effect.gen(function* () {
      const parley = yield* start()
      const { utterances } = yield* run(parley, async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("number"))
        await caller.sleep(1_000)
        await caller.say(parley.samples("digits"))
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      assert.deepStrictEqual(texts(utterances).slice(2), [
        `caller: ${lines.number} ${lines.digits}`,
        "agent: Thank you, I have noted your number."
      ])
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a caller who presses keys", () => {
  it.live("is answered as if the keys had been said", () =>
    Effect.gen(function* () {
      const parley = yield* start()
      const { utterances } = yield* run(parley, async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.press("12#")
        await caller.waitForAgentToSpeak()
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      assert.deepStrictEqual(texts(utterances).slice(2), ["caller: pressed 1 2 #", "agent: You have chosen sales."])
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a caller who says nothing", () => {
  it.live("is asked as often as configured, and then hears a whole goodbye", () =>
    Effect.gen(function* () {
      const parley = yield* start({ agent: { silence: { ...patient, promptAfterSeconds: 1 } } })
      const { call, utterances } = yield* run(parley, (caller) => caller.sleep(60_000))
      assert.deepStrictEqual(texts(utterances).slice(2), ["agent: Hello?", "agent: Goodbye then."])
      assert.isFalse(utterances.at(-1)?.interrupted)
      assert.strictEqual(call.endReason, "silence")
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("an agent that has to look something up", () => {
  /** A tool that answers after `ms`. It counts requests, and connections that were closed before the answer. */
  const slowTool = (ms: number, onInterruption: "keep" | "cancel") =>
    Effect.gen(function* () {
      const stats = { asked: 0, left: 0 }
      const server = yield* Effect.acquireRelease(
        Effect.promise(() =>
          listen((_request, response) => {
            stats.asked++
            response.once("close", () => {
              if (!response.writableFinished) stats.left++
            })
            setTimeout(() => sendJson(response, 200, { status: "on its way" }), ms)
            return Promise.resolve()
          })
        ),
        ({ close }) => Effect.promise(close)
      )
      const tool = {
        name: "look_up_order",
        description: "Finds an order",
        parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
        handler: { type: "http", url: `${server.url}/orders`, method: "POST" },
        onInterruption
      }
      return { stats, tool }
    })

  it.live("says so when it takes long, and answers when it has the result", () =>
    Effect.gen(function* () {
      const { tool } = yield* slowTool(2_500, "keep")
      const parley = yield* start({ agent: { use_fillers: true, tools: [tool] } })
      const { utterances, call } = yield* run(parley, async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("order"))
        await caller.waitForAgentToFinish(2_500)
        caller.hangUp()
      })
      const answer = utterances.at(-1)?.text ?? ""
      assert.isTrue(answer.endsWith("It is on its way.") && answer.length > "It is on its way.".length, answer)
      assert.strictEqual(call.toolCallCount, 1)
    }).pipe(Effect.scoped)
  )

  for (const onInterruption of ["keep", "cancel"] as const) {
    it.live(
      `follows the setting "${onInterruption}" for its tool when the caller interrupts, and tells the model`,
      () =>
        Effect.gen(function* () {
          // A tool that is to be cancelled must still run when the caller's words are understood.
          const { stats, tool } = yield* slowTool(onInterruption === "keep" ? 3_000 : 20_000, onInterruption)
          const parley = yield* start({
            agent: { tools: [tool] },
            script: [{ when: /hours/i, reply: "Nine to six." }, ...script]
          })
          yield* run(parley, async (caller) => {
            await caller.waitForAgentToFinish()
            await caller.say(parley.samples("order"))
            await caller.sleep(1_500)
            await caller.say(parley.samples("hours"))
            await caller.waitForAgentToFinish(3_000)
            await caller.say(parley.samples("stop"))
            await caller.waitForAgentToFinish()
            caller.hangUp()
          })
          assert.strictEqual(stats.asked, 1)
          assert.strictEqual(stats.left, onInterruption === "cancel" ? 1 : 0)
          const told = parley.world.languageModel.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")
          assert.match(String(told?.content), onInterruption === "cancel" ? /cancelled/i : /on its way/)
        }).pipe(Effect.scoped)
    )
  }
})

describe.concurrent("an answer", () => {
  it.live("is prepared while the caller may still go on, and is heard as soon as the turn is over", () =>
    Effect.gen(function* () {
      const parley = yield* start({ agent: { endpointing: { minSilenceMs: 950, maxSilenceMs: 2_500 } } })
      const { call } = yield* run(parley, async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToSpeak()
        caller.hangUp()
      })
      const [turn] = call.turns
      assert.isBelow(turn?.firstAudioMs ?? 9_999, turn?.decisionMs ?? 0)
      assert.isBelow((turn?.firstFrameMs ?? 9_999) - (turn?.decisionMs ?? 0), 60)
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("an agent with background noise", () => {
  it.live("is never digitally silent", () =>
    Effect.gen(function* () {
      const parley = yield* start({ agent: { ambient_noise: true } })
      const result = yield* parley.call(async (caller) => {
        await caller.waitForAgentToSpeak()
        await caller.sleep(14_000)
        caller.hangUp()
      })
      const heard = result.heard.subarray(8_000)
      const silent = heard.filter((sample) => sample === 0xff || sample === 0x7f).length
      assert.isBelow(silent / heard.length, 0.2)
      assert.strictEqual(result.frames.wrongSize, 0)
    }).pipe(Effect.scoped)
  )
})
