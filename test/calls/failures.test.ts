/** Failures during a call: every call is recorded with its true end, no utterance is lost, and the service goes on. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fillers, fixedPhrases } from "../../src/domain/voice/dialogue/FixedPhrases.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"
import { type TcpProxy, tcpProxy } from "../support/tcp-proxy.ts"

playsInRealTime()

const lines = {
  hours: "Hello, I would like to know your opening hours.",
  price: "How much does express delivery cost?"
}
const script = [
  { when: /opening hours/i, reply: "We are open from nine to six, Monday to Saturday." },
  { when: /express/i, reply: "Express delivery costs five dollars." }
]
const { apology } = fixedPhrases("en-US")
const said = (utterances: ReadonlyArray<{ readonly role: string; readonly text: string }>, role: string) =>
  utterances.filter((utterance) => utterance.role === role).map(({ text }) => text)

/** Asserts that the service still answers the next caller. */
const stillAnswers = Effect.fnUntraced(function* (parley: Parley) {
  const response = yield* Effect.promise(() => fetch(`${parley.baseUrl}/readyz`))
  assert.strictEqual(response.status, 200)
})

/** A caller asks two questions. A provider is away from `ready` to the end of the first turn, which is an apology; the next one is answered. */
const askTwice = Effect.fnUntraced(function* (
  parley: Parley,
  faults: { failNext: number },
  ready: (sleep: (ms: number) => Promise<void>) => Promise<void>
) {
  yield* parley.call(async (caller) => {
    await caller.waitForAgentToFinish()
    const saying = caller.say(parley.samples("hours"))
    await ready((ms) => caller.sleep(ms))
    faults.failNext = Number.POSITIVE_INFINITY
    await saying
    await caller.waitForAgentToFinish()
    faults.failNext = 0
    await caller.say(parley.samples("price"))
    await caller.waitForAgentToFinish()
    caller.hangUp()
  })
  const { call, utterances } = yield* parley.stored
  assert.strictEqual(call.endReason, "caller_hangup")
  const [first, second] = said(utterances, "agent").slice(-2)
  assert.isTrue(first?.endsWith(apology), first)
  assert.strictEqual(second, "Express delivery costs five dollars.")
})

describe.concurrent("when something fails during a call,", () => {
  it.live("a caller whose socket breaks is recorded as hung up, and the last words are kept", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("hours"))
        caller.dropSocket()
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.deepStrictEqual(said(utterances, "caller"), [lines.hours])
      yield* stillAnswers(parley)
    }).pipe(Effect.scoped)
  )

  it.live("a lost speech-to-text socket loses no word of the caller", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        const saying = caller.say(parley.samples("hours"))
        await caller.sleep(800)
        parley.world.speechToText.faults.dropSockets()
        await saying
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.deepStrictEqual(said(utterances, "caller"), [lines.hours])
      assert.include(said(utterances, "agent"), "We are open from nine to six, Monday to Saturday.")
    }).pipe(Effect.scoped)
  )

  it.live("a speech-to-text connection that stalls for two seconds loses no word of the caller", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const { faults } = parley.world.speechToText
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        faults.silent = true
        await caller.say(parley.samples("hours"))
        await caller.sleep(1_000)
        faults.silent = false
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { utterances } = yield* parley.stored
      assert.deepStrictEqual(said(utterances, "caller"), [lines.hours])
      assert.include(said(utterances, "agent"), "We are open from nine to six, Monday to Saturday.")
    }).pipe(Effect.scoped)
  )

  it.live("a caller hears the answer when moderation, the model and the voice are each away for two seconds", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const { moderation, languageModel, textToSpeech } = parley.world
      const away = [moderation, languageModel, textToSpeech].map(({ faults }) => faults)
      const turns = ["hours", "price", "hours"] as const
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        for (const [index, faults] of away.entries()) {
          Object.assign(faults, { failNext: Number.POSITIVE_INFINITY, status: 0 })
          await caller.say(parley.samples(turns[index] ?? "hours"))
          await caller.sleep(2_000)
          faults.failNext = 0
          await caller.waitForAgentToFinish()
        }
        caller.hangUp()
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.deepStrictEqual(
        said(utterances, "caller"),
        turns.map((name) => lines[name])
      )
      const [hours, price] = [
        "We are open from nine to six, Monday to Saturday.",
        "Express delivery costs five dollars."
      ]
      // An answer that took long begins with a filler.
      const answers = said(utterances, "agent").slice(-3)
      const whole = answers.map((answer, index) => answer.endsWith([hours, price, hours][index] ?? ""))
      assert.deepStrictEqual(whole, [true, true, true], answers.join(" | "))
    }).pipe(Effect.scoped)
  )

  it.live(
    "a turn without a moderation verdict is not used: the caller is asked to repeat it, and the next turn is answered",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script })
        const { moderation, languageModel } = parley.world
        yield* askTwice(parley, moderation.faults, async () => undefined)
        assert.include(
          JSON.stringify(languageModel.requests[0]),
          "express",
          "the first question is not the first request"
        )
        assert.include(moderation.texts, `${lines.hours} ${lines.price}`, "what the model is told then is judged")
      }).pipe(Effect.scoped)
  )

  it.live("an answer without a moderation verdict is not heard, and does not delay the next one", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const { moderation, languageModel } = parley.world
      yield* askTwice(parley, moderation.faults, async (sleep) => {
        while (languageModel.requests.length === 0) await sleep(1)
      })
    }).pipe(Effect.scoped)
  )

  it.live("the caller hears an apology when speech synthesis is away for a turn, and the next turn is answered", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      yield* askTwice(parley, parley.world.textToSpeech.faults, async () => undefined)
    }).pipe(Effect.scoped)
  )

  it.live("a sentence is heard to its end when speech synthesis breaks off in the middle of it", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const { faults, synthesized } = parley.world.textToSpeech
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        faults.dropAfterBytes = 6_400
        const before = synthesized.length
        const broken = () => (synthesized[before]?.sentBytes ?? 0) >= 6_400
        await caller.say(parley.samples("hours"))
        while (!broken()) await caller.sleep(10)
        faults.dropAfterBytes = null
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.include(said(utterances, "agent"), "We are open from nine to six, Monday to Saturday.")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    { trouble: "breaks off", how: "drop" },
    { trouble: "falls silent", how: "stall" }
  ] as const)(
    "an answer is heard to its end, and nothing twice, when the model $trouble in the middle of it",
    ({ how }) =>
      Effect.gen(function* () {
        const reply = "We are open from nine to six. On Sundays we are closed. You can also write to us."
        const parley = yield* startParley({ lines, script: [{ when: /opening hours/i, reply }] })
        const { faults } = parley.world.languageModel
        yield* parley.call(async (caller) => {
          await caller.waitForAgentToFinish()
          faults.midStream = { after: 10, how }
          const brokeOff = () => parley.logs.some((line) => line.includes("the model broke off"))
          const saying = caller.say(parley.samples("hours"))
          while (!brokeOff()) await caller.sleep(2)
          faults.midStream = null
          await saying
          await caller.waitForAgentToSpeak()
          await caller.waitForAgentToFinish()
          caller.hangUp()
        })
        const { call, utterances } = yield* parley.stored
        assert.strictEqual(call.endReason, "caller_hangup")
        assert.strictEqual(said(utterances, "agent").at(-1), reply)
      }).pipe(Effect.scoped)
  )

  it.live(
    "the caller hears an apology when the model's stream breaks again and again, and the next turn is answered",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script })
        const { faults } = parley.world.languageModel
        yield* parley.call(async (caller) => {
          await caller.waitForAgentToFinish()
          faults.midStream = { after: 1, how: "drop" }
          await caller.say(parley.samples("hours"))
          await caller.waitForAgentToFinish()
          faults.midStream = null
          await caller.say(parley.samples("price"))
          await caller.waitForAgentToFinish()
          caller.hangUp()
        })
        const { call, utterances } = yield* parley.stored
        assert.strictEqual(call.endReason, "caller_hangup")
        assert.deepStrictEqual(said(utterances, "caller"), [lines.hours, lines.price])
        assert.isTrue(said(utterances, "agent").some((text) => text.includes("say it again")))
        assert.include(said(utterances, "agent"), "Express delivery costs five dollars.")
      }).pipe(Effect.scoped)
  )

  it.live.each([
    { trouble: "refuses every request", faults: { failNext: 1_000, status: 503 } },
    { trouble: "cuts every connection", faults: { failNext: 1_000, status: 0 } },
    { trouble: "breaks off every answer", faults: { midStream: { after: 1, how: "drop" } } },
    { trouble: "breaks off every answer before its first word", faults: { midStream: { after: 0, how: "drop" } } }
  ] as const)("a turn makes at most eight requests to a model that $trouble", ({ faults: planned }) =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script, settings: { reasoningModels: ["first", "second"] } })
      const { faults, stats } = parley.world.languageModel
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        const before = stats.requests
        Object.assign(faults, planned)
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToSpeak()
        await caller.waitForAgentToFinish(1_500)
        assert.isAtMost(stats.requests - before, 8)
        Object.assign(faults, { failNext: 0, midStream: null })
        await caller.say(parley.samples("price"))
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { utterances } = yield* parley.stored
      const [first, second] = said(utterances, "agent").slice(-2)
      assert.isTrue(first?.endsWith(apology), first)
      assert.strictEqual(second, "Express delivery costs five dollars.", "the next turn has attempts of its own")
    }).pipe(Effect.scoped)
  )

  it.live(
    "a caller hears within four seconds that it takes a moment when two models hang, and an apology within ten",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script, settings: { reasoningModels: ["first", "second"] } })
        const { faults, stats } = parley.world.languageModel
        const heardAfter: Array<number> = []
        yield* parley.call(async (caller) => {
          await caller.waitForAgentToFinish()
          faults.hang = true
          await caller.say(parley.samples("hours"))
          const began = caller.now()
          await caller.waitForAgentToSpeak()
          heardAfter.push(caller.now() - began)
          await caller.waitForAgentToFinish()
          await caller.waitForAgentToSpeak()
          heardAfter.push(caller.now() - began)
          await caller.waitForAgentToFinish()
          caller.hangUp()
        })
        const { utterances } = yield* parley.stored
        const [, wait] = fillers("en-US")
        assert.strictEqual(said(utterances, "agent").at(-1), `${wait} ${apology}`)
        const [line, end] = heardAfter
        assert.isBelow(line ?? Number.NaN, 4_000)
        assert.isBelow(end ?? Number.NaN, 10_000)
        assert.strictEqual(stats.requests, 2)
      }).pipe(Effect.scoped)
  )

  it.live("the caller hears a goodbye and is transferred to a human when the model stays away", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const { faults } = parley.world.languageModel
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        faults.failNext = 1_000
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("price"))
      })
      const { call } = yield* parley.stored
      assert.strictEqual(call.endReason, "provider_failure")
    }).pipe(Effect.scoped)
  )

  it.live("a database that goes away gets every utterance when it is back", () =>
    Effect.gen(function* () {
      let proxy: TcpProxy | undefined
      const parley = yield* startParley({
        lines,
        script,
        databaseUrl: (url) =>
          Effect.map(tcpProxy(url.hostname, Number(url.port || 5432)), (started) => {
            proxy = started
            return Object.assign(new URL(url), { port: String(started.port), hostname: "127.0.0.1" })
          })
      })
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        proxy?.cut()
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      yield* Effect.sleep("1 second")
      proxy?.restore()
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.deepStrictEqual(said(utterances, "caller"), [lines.hours])
      yield* stillAnswers(parley)
    }).pipe(Effect.scoped)
  )
})
