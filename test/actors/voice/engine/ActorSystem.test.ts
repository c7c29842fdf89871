import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { StreamRefused, type StreamStart } from "../../../../src/actors/voice/sound/StreamRefused.ts"
import { WarmUp } from "../../../../src/domain/ai/providers/WarmUp.ts"
import { fixedPhrases } from "../../../../src/domain/voice/dialogue/FixedPhrases.ts"
import { CallLeases } from "../../../../src/domain/voice/engine/CallLeases.ts"
import type { CallSetup } from "../../../../src/domain/voice/engine/CallSetup.ts"
import { AgentRejected, AgentUnknown, EngineFull } from "../../../../src/domain/voice/engine/EngineRefusal.ts"
import { twilioSignature } from "../../../../src/domain/voice/telephony/twilio/TwilioSignature.ts"
import { agentOf } from "../../../support/agent.ts"
import { eventually } from "../../../support/eventually.ts"
import { FakeLine, makeEngine, setupOf, startOf, streamUrl } from "./engine.ts"

const agent = agentOf()

/** An engine that runs the agent, with one reserved call. */
const reserved = Effect.fnUntraced(function* (capacity?: number) {
  const engine = yield* makeEngine(capacity)
  yield* engine.engine.putAgent(agent)
  const placement = yield* engine.engine.placeCall("org_1", setupOf("call_1"))
  return { ...engine, token: placement.token }
})

describe("an engine's agents", () => {
  it.effect("are refused with the fields, the model and the provider's sentence when the voice does not exist", () =>
    Effect.gen(function* () {
      const { engine } = yield* makeEngine()
      const error = yield* Effect.flip(engine.putAgent(agentOf({ voice: { ...agent.voice, voiceId: "nobody" } })))
      assert.instanceOf(error, AgentRejected)
      assert.strictEqual(
        error.message,
        `voiceFamily ${agent.voice.family} with voiceId nobody is refused by fake (model ${agent.voice.model}): There is no voice nobody.`
      )
      assert.instanceOf(yield* Effect.flip(engine.placeCall("org_1", setupOf("call_1"))), AgentUnknown)
    })
  )

  it.effect("have their disclosure and welcome synthesized once, before the first call", () =>
    Effect.gen(function* () {
      const { engine, synthesized } = yield* makeEngine()
      yield* engine.putAgent(agent)
      assert.deepStrictEqual(synthesized.slice(0, 2), [agent.disclosureText, agent.welcomeMessage])
      yield* engine.putAgent(agentOf({ version: "v2" }))
      assert.lengthOf(
        synthesized.filter((text) => text === agent.welcomeMessage),
        1
      )
    })
  )

  it.effect("take calls only in their current version, for their own organization, until they are deleted", () =>
    Effect.gen(function* () {
      const { engine } = yield* makeEngine()
      yield* engine.putAgent(agent)
      const refused = (organizationId: string, version: string) =>
        Effect.map(
          Effect.flip(engine.placeCall(organizationId, setupOf("call_1", { agentVersion: version }))),
          (error) => assert.instanceOf(error, AgentUnknown)
        )
      yield* refused("org_1", "v0")
      yield* refused("org_2", "v1")
      yield* engine.deleteAgent("org_2", agent.agentId)
      assert.strictEqual((yield* engine.placeCall("org_1", setupOf("call_1"))).streamUrl, streamUrl)
      yield* engine.deleteAgent("org_1", agent.agentId)
      yield* refused("org_1", "v1")
    })
  )
})

describe("reservations", () => {
  it.effect("are given up to the capacity, and the same one is given again to a call that has one", () =>
    Effect.gen(function* () {
      const { engine, token } = yield* reserved(2)
      yield* engine.placeCall("org_1", setupOf("call_2"))
      const error = yield* Effect.flip(engine.placeCall("org_1", setupOf("call_3")))
      assert.deepStrictEqual(error, new EngineFull({ reason: "process_full" }))
      assert.strictEqual((yield* engine.placeCall("org_1", setupOf("call_1"))).token, token)
      assert.strictEqual(yield* engine.liveCalls, 2)
    })
  )

  it.effect("open the connections that their call will need ahead of it", () =>
    Effect.gen(function* () {
      const warmed: Array<string> = []
      yield* reserved().pipe(Effect.provideService(WarmUp, (family) => Effect.sync(() => void warmed.push(family))))
      assert.deepStrictEqual(warmed, ["english"])
    }).pipe(Effect.scoped)
  )

  it.effect("end after 20 seconds without a stream, and the call's end is recorded", () =>
    Effect.gen(function* () {
      const { engine, connect, ended, token } = yield* reserved(1)
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(ended(), [])
      assert.strictEqual(yield* engine.liveCalls, 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        ended().map((event) => [event.callId, event.organizationId, event.agentId, event.endReason]),
        [["call_1", "org_1", "agt_1", "caller_hangup"]]
      )
      assert.strictEqual(yield* engine.liveCalls, 0)
      const late = connect(startOf("call_1", token), new FakeLine())
      assert.strictEqual(late instanceof StreamRefused && late.reason, "unknown_call")
      yield* engine.placeCall("org_1", setupOf("call_2"))
    })
  )

  it.effect("do not end a call whose stream came", () =>
    Effect.gen(function* () {
      const { engine, join, ended, token } = yield* reserved(1)
      join(startOf("call_1", token), new FakeLine())
      assert.instanceOf(yield* Effect.flip(engine.placeCall("org_1", setupOf("call_2"))), EngineFull)
      // The webhook of the running call comes again: it makes no second reservation, which would end the call.
      const repeated = yield* engine.placeCall("org_1", setupOf("call_1"))
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(ended(), [])
      assert.strictEqual(yield* engine.liveCalls, 1)
      assert.notStrictEqual(repeated.token, "")
    })
  )
})

describe("call admission", () => {
  const reasonOf = <A, E>(work: Effect.Effect<A, E>) =>
    Effect.map(Effect.flip(work), (error) => (error instanceof EngineFull ? error.reason : String(error)))

  it.effect(
    "lets an organization have as many calls as its limit, and frees the place of a call whose stream never came",
    () =>
      Effect.gen(function* () {
        const { engine } = yield* makeEngine(10)
        yield* engine.putAgent(agent)
        const place = (callId: string) => engine.placeCall("org_1", setupOf(callId, { concurrentCalls: 2 }))
        yield* place("call_1")
        yield* place("call_2")
        assert.strictEqual(yield* reasonOf(place("call_3")), "organization_full")
        yield* TestClock.adjust("20 seconds")
        yield* place("call_3")
        assert.strictEqual(yield* engine.liveCalls, 1)
      })
  )

  it.effect("counts the organization's calls on other engines, and holds nothing for a call that it refused", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const others = Layer.succeed(CallLeases, {
        acquire: ({ organizationId, callId }, limit) =>
          Effect.sync(() => {
            asked.push(`${organizationId} ${callId} ${limit}`)
            return false
          }),
        release: () => Effect.void,
        renew: () => Effect.void
      })
      const { engine, connect, ended } = yield* makeEngine(10, others)
      yield* engine.putAgent(agent)
      const place = engine.placeCall("org_1", setupOf("call_1", { concurrentCalls: 20 }))
      assert.strictEqual(yield* reasonOf(place), "organization_full")
      assert.deepStrictEqual(asked, ["org_1 call_1 20"])
      assert.strictEqual(yield* engine.liveCalls, 0)
      const stream = connect(startOf("call_1", "token"), new FakeLine())
      assert.strictEqual(stream instanceof StreamRefused && stream.reason, "unknown_call")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(ended(), [])
    })
  )

  it.effect("is closed once the process drains, except for the stream of a call that was admitted before", () =>
    Effect.gen(function* () {
      const { engine, draining, join, token } = yield* reserved(10)
      yield* draining.begin
      assert.strictEqual(yield* reasonOf(engine.placeCall("org_1", setupOf("call_2"))), "draining")
      assert.strictEqual(join(startOf("call_1", token), new FakeLine()).callId, "call_1")
    })
  )

  const resume = { outcome: "busy", disclosed: true, history: [], nextSequence: 2, elapsedMs: 60_000 } as const
  const callsThatAreThere: ReadonlyArray<readonly [string, Partial<CallSetup>]> = [
    ["comes back from a human", { resume }],
    ["we placed, when its callee picks up", { direction: "outbound" }]
  ]
  for (const [what, changes] of callsThatAreThere)
    it.effect(`of a process that drains admits a call that ${what}, until goodbye was said`, () =>
      Effect.gen(function* () {
        const { engine, draining, running, join } = yield* reserved(10)
        yield* draining.begin
        const { token } = yield* engine.placeCall("org_1", setupOf("call_2", changes))
        assert.strictEqual(join(startOf("call_2", token), new FakeLine()).callId, "call_2")
        yield* running.sayGoodbye
        assert.strictEqual(yield* reasonOf(engine.placeCall("org_1", setupOf("call_3", changes))), "draining")
      })
    )

  it.live(
    "gives a call that was admitted before goodbye and whose stream comes after it the disclosure and the goodbye",
    () =>
      Effect.gen(function* () {
        const { running, join, ended, recorded, token } = yield* reserved()
        yield* running.sayGoodbye
        const line = new FakeLine()
        const call = join(startOf("call_1", token), line)
        yield* eventually("the end", () => {
          for (const text of line.sent.splice(0)) {
            const { event, mark } = JSON.parse(text)
            if (event === "mark") call.mark(mark.name)
          }
          return ended().length > 0
        })
        assert.strictEqual(ended()[0].endReason, "max_duration")
        const said = recorded.flatMap((event) => (event.type === "transcript" ? [event.text] : []))
        assert.strictEqual(said.join(" "), `${agent.disclosureText} ${fixedPhrases(agent.voice.language).timeIsUp}`)
      })
  )
})

describe("a media stream", () => {
  const signature = (token: string, url: string) => twilioSignature(token, url, {})
  const table: ReadonlyArray<readonly [string, StreamRefused["reason"], Partial<StreamStart>]> = [
    ["an unknown call", "unknown_call", { callId: "call_9" }],
    ["an empty token", "bad_token", { token: "" }],
    ["a token of the same length in another alphabet", "bad_token", { token: "é".repeat(67) }],
    ["another account", "foreign_call", { accountSid: "AC2" }],
    ["another call's sid", "foreign_call", { callSid: "CA of call_2" }],
    ["no signature", "bad_signature", { upgradeSignature: "" }],
    ["a signature with another account's token", "bad_signature", { upgradeSignature: signature("other", streamUrl) }],
    [
      "a signature of another address",
      "bad_signature",
      { upgradeSignature: signature("auth token", "wss://elsewhere.example.test/media") }
    ]
  ]
  for (const [what, reason, changes] of table)
    it.effect(`is refused with ${what}, and its true stream still gets the call`, () =>
      Effect.gen(function* () {
        const { connect, join, token } = yield* reserved()
        assert.lengthOf(token, 67)
        const refused = connect(startOf("call_1", token, changes), new FakeLine())
        assert.strictEqual(refused instanceof StreamRefused && refused.reason, reason)
        assert.strictEqual(join(startOf("call_1", token), new FakeLine()).callId, "call_1")
      })
    )

  it.effect("is refused with the token of another call", () =>
    Effect.gen(function* () {
      const { connect, engine } = yield* reserved()
      const { token } = yield* engine.placeCall("org_1", setupOf("call_2"))
      const refused = connect(startOf("call_1", token), new FakeLine())
      assert.strictEqual(refused instanceof StreamRefused && refused.reason, "bad_token")
    })
  )

  it.live("uses up its token, carries the disclosure first, and ends the call when it closes", () =>
    Effect.gen(function* () {
      const { connect, join, engine, recorded, token } = yield* reserved(1)
      const line = new FakeLine()
      const call = join(startOf("call_1", token), line)
      const again = connect(startOf("call_1", token), new FakeLine())
      assert.strictEqual(again instanceof StreamRefused && again.reason, "unknown_call")
      yield* eventually("a mark", () => line.sent.some((text) => text.includes('"mark"')))
      assert.lengthOf(
        line.sent.filter((text) => text.startsWith('{"event":"media","streamSid":"MZ1"')),
        5
      )
      call.mark("g0:0")
      yield* eventually("the disclosure on record", () => recorded.some((event) => event.type === "transcript"))
      call.closed()
      call.closed()
      yield* eventually("the end", () => recorded.some((event) => event.type === "call_end"))
      const words = recorded.flatMap((event) => (event.type === "transcript" ? [event.text] : []))
      assert.strictEqual(words[0], agent.disclosureText)
      const ends = recorded.flatMap((event) => (event.type === "call_end" ? [event.endReason] : []))
      assert.deepStrictEqual(ends, ["caller_hangup"])
      assert.strictEqual(recorded[0]?.type, "call_started")
      assert.strictEqual(recorded.at(-1)?.type, "call_end")
      yield* eventually("the line closed", () => line.closes > 0)
      // The slot is free again.
      yield* engine.placeCall("org_1", setupOf("call_2"))
    })
  )

  it.live("gets its end recorded when it runs while the engine stops", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { join, recorded, token } = yield* Scope.provide(reserved(), scope)
      const line = new FakeLine()
      join(startOf("call_1", token), line)
      yield* eventually("something said", () => line.sent.length > 0)
      yield* Scope.close(scope, Exit.void)
      const ends = recorded.flatMap((event) => (event.type === "call_end" ? [event.endReason] : []))
      assert.deepStrictEqual(ends, ["error"])
      assert.strictEqual(line.closes, 1)
    })
  )
})
