/** An inbound call: the real service between a simulated telephone network and providers that speak their own protocols. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { CallerApi } from "../../simulators/telephone/Caller.ts"
import { saying } from "../support/callers.ts"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = {
  hours: "Hello, I would like to know your opening hours.",
  price: "How much does express delivery cost?",
  human: "Please let me talk to a human."
}
const script = [
  { when: /opening hours/i, reply: "We are open from nine to six, Monday to Saturday." },
  { when: /express/i, reply: "Express delivery costs five dollars." }
]

describe.concurrent("an inbound call", () => {
  it.live("is answered with the disclosure, then the welcome, then what the caller asks for", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const result = yield* parley.call(saying(parley.samples("hours"), parley.samples("price")))
      const { call, utterances } = yield* parley.stored
      assert.deepStrictEqual(
        utterances.map(({ role, text }) => [role, text]),
        [
          ["agent", "Hello. You may be speaking with an AI assistant on this call."],
          ["agent", "Welcome to Maple Books. How can I help you?"],
          ["caller", lines.hours],
          ["agent", "We are open from nine to six, Monday to Saturday."],
          ["caller", lines.price],
          ["agent", "Express delivery costs five dollars."]
        ]
      )
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.strictEqual(call.status, "completed")
      assert.deepInclude(result.frames, { wrongSize: 0, late: 0 })
      assert.isTrue(call.turns.every(({ firstFrameMs }) => firstFrameMs !== null))
    }).pipe(Effect.scoped)
  )

  it.live("is transferred when the caller asks for a human in the middle of a sentence", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const result = yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("human"))
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "transferred")
      assert.strictEqual(result.dialed?.to, "+14155550199")
      assert.isTrue(utterances.some(({ role, text }) => role === "caller" && text === lines.human))
    }).pipe(Effect.scoped)
  )

  it.live("says the fallback line and goes to a human when moderation flags the caller's words", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script, flagWords: ["express"] })
      const flagged = async (caller: CallerApi) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("price"))
      }
      yield* parley.call(flagged, { humans: [{ status: "completed", ms: 2_000 }] })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "moderation")
      assert.deepInclude(call.transfer, { destination: "+14155550199", outcome: "transferred" })
      assert.include(utterances.at(-1)?.text ?? "", "I cannot help with that")
      assert.strictEqual(parley.world.languageModel.requests.length, 0)
    }).pipe(Effect.scoped)
  )

  it.live("is held in Hindi with a voice of the Indic family", () =>
    Effect.gen(function* () {
      const question = "नमस्ते, मेरा ऑर्डर कहाँ है?"
      const reply = "आपका ऑर्डर रास्ते में है।"
      const parley = yield* startParley({
        lines: { question },
        language: "hi-IN",
        script: [{ when: /ऑर्डर/, reply }],
        agent: {
          voiceFamily: "indic",
          voiceId: "anushka",
          primaryLanguage: "hi-IN",
          welcomeMessage: "मेपल बुक्स में स्वागत है।"
        }
      })
      yield* parley.call(saying(parley.samples("question")))
      const { utterances } = yield* parley.stored
      assert.deepStrictEqual(
        utterances.slice(-2).map(({ role, text }) => [role, text]),
        [
          ["caller", question],
          ["agent", reply]
        ]
      )
    }).pipe(Effect.scoped)
  )
})
