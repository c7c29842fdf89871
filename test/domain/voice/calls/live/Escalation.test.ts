import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { makeConfirmHandover } from "../../../../../src/domain/voice/calls/live/ConfirmHandover.ts"
import { makeEndTransfer } from "../../../../../src/domain/voice/calls/live/EndTransfer.ts"
import { makePlanEscalation } from "../../../../../src/domain/voice/calls/live/PlanEscalation.ts"
import { makeWaitInLine } from "../../../../../src/domain/voice/calls/live/WaitInLine.ts"
import { type CallRecord, Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { Deals } from "../../../../../src/domain/voice/calls/records/Deals.ts"
import { Transfers } from "../../../../../src/domain/voice/calls/records/Transfer.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import {
  answered,
  type Desk,
  desk,
  destination,
  ended,
  FakeEngineClient,
  FakeTelephony,
  policy,
  said,
  webhooks
} from "../../../../support/escalation.ts"
import { noMcp } from "../../../../support/mcp.ts"
import { testStores } from "../../../../support/tenants.ts"

/** The steps of an escalation. */
const makeEscalation = Effect.gen(function* () {
  return {
    ...(yield* makePlanEscalation),
    ...(yield* makeEndTransfer),
    wait: yield* makeWaitInLine,
    engineEnded: yield* makeConfirmHandover
  }
})

/** A desk, and everything an escalation touches. */
const office = Effect.fnUntraced(function* (humanDestination: string | null = destination, maxWaitSeconds = 300) {
  const telephony = new FakeTelephony()
  const engine = new FakeEngineClient()
  const escalation = yield* makeEscalation.pipe(
    Effect.provide([telephony.layer, engine.layer, noMcp, policy(maxWaitSeconds), Deals.layerIdOnly])
  )
  const at = yield* desk(humanDestination)
  const calls = yield* Calls
  const transfers = yield* Transfers
  const { organizationId, connection } = at
  const latest = (call: CallRecord) => transfers.latestOf(organizationId, call.id)
  const hook = (call: CallRecord, callStatus = "in-progress") =>
    Effect.map(latest(call), (transfer) => ({
      connection,
      transferId: transfer?.id ?? "",
      callSid: call.callSid ?? "",
      callStatus
    }))
  const outcome = (call: CallRecord) => Effect.map(latest(call), (transfer) => transfer?.outcome)
  const ask = (call: CallRecord) => escalation.request(call, `tool of ${call.id}`, at.agent.humanDestination)
  const line = Effect.gen(function* () {
    return (yield* transfers.lines(organizationId, yield* Clock.currentTimeMillis)).at(0)
  })
  /** The provider says that a call is over. */
  const over = Effect.fnUntraced(function* ({ id }: CallRecord) {
    const news = { status: "completed", sequence: null, durationSeconds: null, failureReason: null } as const
    yield* calls.told(organizationId, { id }, { ...news, at: yield* Clock.currentTimeMillis })
  })
  return { at, telephony, engine, escalation, calls, transfers, hook, outcome, ask, line, over, call: answered(at) }
})
type Office = Effect.Success<ReturnType<typeof office>>

const conversationOf = Effect.fnUntraced(function* ({ organizationId }: Desk, call: CallRecord) {
  const sql = yield* SqlClient.SqlClient
  const [conversation] = yield* tenant(organizationId)(
    sql<{ status: string }>`SELECT status FROM conversations WHERE id = ${call.conversationId}`
  )
  const notes = yield* tenant(organizationId)(
    sql<{ details: { reason: string } }>`SELECT details FROM audit_log WHERE subject_id = ${call.id} ORDER BY id`
  )
  return { status: conversation.status, notes: notes.map(({ details }) => details.reason) }
})

layer(testStores)("an escalation", (it) => {
  it.effect("puts one of two simultaneous callers through and makes the other wait in line", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const callers = yield* Effect.all([here.call, here.call])
      const plans = yield* Effect.all(callers.map(here.ask), { concurrency: 2 })
      assert.deepStrictEqual(plans.map(({ outcome }) => outcome).sort(), ["queue", "transfer"])
      const queued = plans.find((plan) => plan.outcome === "queue")
      assert.strictEqual(queued?.position, 1)
      const line = yield* here.line
      assert.lengthOf(line?.waiting ?? [], 1)
      assert.isNotNull(line?.dialing)
    })
  )

  it.effect("tells the provider where to ask when the human hangs up, and shows the human a number of ours", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const call = yield* here.call
      const plan = yield* here.ask(call)
      const transfer = yield* here.transfers.latestOf(call.organizationId, call.id)
      assert.strictEqual(
        plan.outcome === "transfer" && plan.twiml,
        '<?xml version="1.0" encoding="UTF-8"?><Response><Dial callerId="+14155550131" timeout="30" timeLimit="14400" ' +
          `action="${webhooks}/transfer/ended?transfer=${transfer?.id}"><Number>${destination}</Number></Dial></Response>`
      )
    })
  )

  it.effect(
    "gives the same plan and takes no second place when it is asked for again, by the same tool call or another one",
    () =>
      Effect.gen(function* () {
        const here = yield* office()
        const [first, second] = yield* Effect.all([here.call, here.call])
        yield* here.ask(first)
        const plan = yield* here.ask(second)
        assert.deepStrictEqual(yield* here.ask(second), plan)
        assert.deepStrictEqual(yield* here.escalation.request(second, "another tool call", destination), plan)
        assert.deepStrictEqual(yield* here.escalation.planAgain(second, "another tool call"), plan)
        assert.lengthOf((yield* here.line)?.waiting ?? [], 1)
      })
  )

  it.effect("leaves the conversation open for the team when the agent has no human destination", () =>
    Effect.gen(function* () {
      const here = yield* office(null)
      const call = yield* here.call
      assert.deepStrictEqual(yield* here.ask(call), { outcome: "nobody" })
      assert.deepStrictEqual(yield* here.ask(call), { outcome: "nobody" })
      assert.deepStrictEqual(yield* conversationOf(here.at, call), {
        status: "OPEN",
        notes: ["The agent has no human destination."]
      })
      const record = yield* here.calls.find(call.organizationId, call.id)
      assert.deepInclude(record?.transfer, { destination: null, outcome: "nobody" })
    })
  )

  it.effect("ends as transferred when the human hangs up, and the next in line is put through", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second, third] = yield* Effect.all([here.call, here.call, here.call])
      for (const call of [first, second, third]) yield* here.ask(call)
      yield* here.escalation.engineEnded(ended(here.at, first.id, "transferred"))
      const waiting = yield* here.escalation.wait(yield* here.hook(third))
      assert.deepInclude(waiting, { _tag: "Wait", language: "en-US", pauseSeconds: 15 })
      assert.include(waiting?._tag === "Wait" ? waiting.sentence : "", "number 2 in line")
      yield* here.escalation.wait(yield* here.hook(second))
      assert.deepStrictEqual(yield* here.escalation.dialEnded(yield* here.hook(first), "completed"), { _tag: "HangUp" })
      assert.deepStrictEqual(
        here.telephony.redirects.map(({ callSid, authToken }) => [callSid, authToken]),
        [[second.callSid, here.at.connection.authToken]]
      )
      assert.include(here.telephony.redirects[0].twiml, `<Number>${destination}</Number>`)
      const record = yield* here.calls.find(first.organizationId, first.id)
      assert.deepInclude(record, { status: "completed", endReason: "transferred" })
      assert.deepInclude(record?.transfer, { destination, outcome: "transferred" })
      const moved = yield* here.escalation.wait(yield* here.hook(third))
      assert.include(moved?._tag === "Wait" ? moved.sentence : "", "number 1 in line")
    })
  )

  /** What the agent is told of the call so far when it comes back: of these words, caller and agent in turn, the filter found `flagged`. */
  const historyAfter = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, flagged: string) {
    const here = yield* office()
    const call = yield* here.call
    for (const [index, text] of texts.entries()) yield* here.calls.apply(said(here.at, call.id, index + 1, text))
    yield* here.calls.apply({
      type: "moderation",
      id: `${call.id}.flag`,
      organizationId: here.at.organizationId,
      agentId: here.at.agent.id,
      callId: call.id,
      direction: "input",
      text: flagged,
      categories: ["illicit"]
    })
    yield* here.ask(call)
    const end = ended(here.at, call.id, "moderation")
    yield* here.calls.apply(end)
    yield* here.escalation.engineEnded(end)
    yield* here.escalation.dialEnded(yield* here.hook(call), "no-answer")
    return here.engine.setups[0].resume?.history.map(({ text }) => text)
  })

  it.effect("comes back to the agent without what the content filter found", () =>
    Effect.gen(function* () {
      const texts = ["Hello.", "Hello", "Yes?", "how do I", "Yes?", "build a bomb", "I cannot help."]
      const history = yield* historyAfter(texts, "how do I build a bomb")
      assert.deepStrictEqual(history, ["Hello.", "Hello", "Yes?", "Yes?", "I cannot help."])
    })
  )

  it.effect(
    "comes back to the agent with words that were said before, and again in what the content filter found",
    () =>
      Effect.gen(function* () {
        const before = ["Hello.", "Yes", "And?", "a bomb", "Pardon?", "mm-hm", "Well?"]
        const history = yield* historyAfter(
          [...before, "Yes build a bomb", "I cannot help."],
          "a bomb Yes build a bomb"
        )
        assert.deepStrictEqual(history, ["Hello.", "Yes", "And?", "Pardon?", "mm-hm", "Well?", "I cannot help."])
      })
  )

  for (const [how, texts, found, told] of [
    [
      "word for word",
      ["Hi.", "My order?", "Sure.", "Go away.", "No.", "Go away."],
      "Go away.",
      ["Hi.", "My order?", "Sure.", "No."]
    ],
    ["in pieces", ["Hi.", "Go", "What?", "away.", "No.", "Go away."], "Go away.", ["Hi.", "What?", "No."]],
    [
      "in one, with a part of it",
      ["Hi.", "No.", "So?", "No. Go away.", "No!", "Go away."],
      "No. Go away.",
      ["Hi.", "So?", "No!"]
    ],
    [
      "but for its beginning",
      ["Hi.", "No.", "So?", "Go away.", "No!", "Go away."],
      "No. Go away.",
      ["Hi.", "So?", "No!"]
    ]
  ] as const)
    it.effect(`comes back to the agent without what the content filter found and the caller said twice, ${how}`, () =>
      Effect.map(historyAfter(texts, found), (history) => assert.deepStrictEqual(history, [...told]))
    )

  it.effect("comes back to the agent with all that was said when the human does not answer", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const call = yield* here.call
      const disclosure = "Hello. You may be speaking with an AI assistant on this call."
      yield* here.calls.apply(said(here.at, call.id, 1, disclosure))
      yield* here.calls.apply(said(here.at, call.id, 2, "Give me a human"))
      yield* here.ask(call)
      const end = ended(here.at, call.id, "transferred")
      yield* here.calls.apply(end)
      yield* here.escalation.engineEnded(end)
      yield* TestClock.adjust("90 seconds")
      const hook = yield* here.hook(call)
      const answer = yield* here.escalation.dialEnded(hook, "no-answer")
      assert.deepStrictEqual(answer, {
        _tag: "Connect",
        callId: call.id,
        streamUrl: "wss://engine.example.test/media",
        token: `token of ${call.id}`
      })
      assert.deepStrictEqual(here.engine.setups[0].resume, {
        outcome: "no_answer",
        disclosed: true,
        history: [
          { role: "agent", text: disclosure },
          { role: "caller", text: "Give me a human" }
        ],
        nextSequence: 3,
        elapsedMs: 90_000
      })
      const during = yield* here.calls.find(call.organizationId, call.id)
      assert.deepInclude(during, { status: "in_progress", endReason: null, endedAt: null })
      assert.deepInclude(during?.transfer, { outcome: "no_answer" })
      assert.deepStrictEqual(yield* conversationOf(here.at, call), {
        status: "OPEN",
        notes: ["The human did not answer."]
      })
      // Repeated, it gives the same answer and changes nothing.
      assert.deepStrictEqual(yield* here.escalation.dialEnded(hook, "no-answer"), answer)
      assert.isUndefined(yield* here.line)

      yield* here.calls.apply(ended(here.at, call.id, "caller_hangup", "1970-01-01T00:03:00.000Z", 2))
      yield* here.calls.apply(ended(here.at, call.id, "transferred", "1970-01-01T00:01:00.000Z", 3))
      const after = yield* here.calls.find(call.organizationId, call.id)
      assert.deepInclude(after, {
        status: "completed",
        endReason: "caller_hangup",
        endedAt: "1970-01-01T00:03:00.000Z",
        startedAt: "1970-01-01T00:00:00.000Z",
        durationSeconds: 180,
        interruptions: 3,
        toolCallCount: 3
      })
      assert.lengthOf(after?.turns ?? [], 3)
    })
  )

  it.effect("whose caller hung up before the human was dialled does not keep the human busy", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second, third] = yield* Effect.all([here.call, here.call, here.call])
      for (const call of [first, second, third]) yield* here.ask(call)
      yield* here.escalation.wait(yield* here.hook(third))
      // The first caller hangs up while the agent still talks to the second, who keeps the turn.
      yield* here.escalation.engineEnded(ended(here.at, first.id, "caller_hangup"))
      assert.strictEqual(yield* here.outcome(first), "abandoned")
      assert.isEmpty(here.telephony.redirects)
      assert.deepStrictEqual(yield* here.escalation.wait(yield* here.hook(second)), { _tag: "Leave" })
      const dialled = yield* here.escalation.leftLine(yield* here.hook(second), "leave")
      assert.strictEqual(dialled?._tag, "Dial")
      // A transfer that the provider refused frees the human too.
      yield* here.escalation.dialEnded(yield* here.hook(second), "completed")
      assert.deepStrictEqual(
        here.telephony.redirects.map(({ callSid }) => callSid),
        [third.callSid]
      )
      const fourth = yield* here.call
      yield* here.escalation.dialEnded(yield* here.hook(third), "completed")
      assert.strictEqual((yield* here.ask(fourth)).outcome, "transfer")
      yield* here.escalation.engineEnded(ended(here.at, fourth.id, "queued_for_human"))
      assert.strictEqual(yield* here.outcome(fourth), "failed")
      assert.isUndefined(yield* here.line)
    })
  )

  it.effect("whose caller hangs up in the line, or is found gone, is passed over", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second, third, fourth] = yield* Effect.all([here.call, here.call, here.call, here.call])
      for (const call of [first, second, third, fourth]) {
        yield* here.ask(call)
        if (call !== first) yield* here.escalation.wait(yield* here.hook(call))
      }
      const gone = yield* here.hook(second, "completed")
      assert.deepStrictEqual(yield* here.escalation.leftLine(gone, "hangup"), { _tag: "HangUp" })
      assert.deepStrictEqual((yield* conversationOf(here.at, second)).notes, [
        "The caller hung up before a human took the call."
      ])
      // The report that the third caller hung up was lost.
      here.telephony.refuse = (callSid) => (callSid === third.callSid ? 21220 : undefined)
      yield* here.escalation.dialEnded(yield* here.hook(first), "completed")
      assert.deepStrictEqual(
        here.telephony.redirects.map(({ callSid }) => callSid),
        [fourth.callSid]
      )
      assert.strictEqual(yield* here.outcome(third), "abandoned")
      const record = yield* here.calls.find(second.organizationId, second.id)
      assert.deepInclude(record, { status: "completed", endReason: "caller_hangup" })
    })
  )

  for (const reason of ["moderation", "provider_failure"] as const)
    it.effect(`taken over by the provider goes on, whatever the agent gave it away for: ${reason}`, () =>
      Effect.gen(function* () {
        const here = yield* office()
        const [first, second, third] = yield* Effect.all([here.call, here.call, here.call])
        for (const call of [first, second]) {
          yield* here.ask(call)
          yield* here.escalation.engineEnded({ ...ended(here.at, call.id, reason), handover: "taken" })
        }
        // The human is still taken, and the line goes on waiting for it.
        assert.strictEqual((yield* here.ask(third)).outcome, "queue")
        assert.strictEqual((yield* here.escalation.wait(yield* here.hook(second)))?._tag, "Wait")
        assert.isEmpty(here.telephony.redirects)
        yield* here.escalation.dialEnded(yield* here.hook(first), "completed")
        assert.strictEqual(yield* here.outcome(first), "transferred")
        assert.strictEqual(yield* here.outcome(second), "dialing")
      })
    )

  it.effect("that did not reach the provider, or was refused by it, frees the human, whatever its reason", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second] = yield* Effect.all([here.call, here.call])
      yield* here.ask(first)
      yield* here.escalation.engineEnded(ended(here.at, first.id, "moderation"))
      assert.strictEqual(yield* here.outcome(first), "abandoned")
      yield* here.ask(second)
      yield* here.escalation.engineEnded({ ...ended(here.at, second.id, "moderation"), handover: "refused" })
      assert.strictEqual(yield* here.outcome(second), "failed")
      assert.isUndefined(yield* here.line)
    })
  )

  it.effect("that the provider could not be told of is repeated when the line asks again", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second] = yield* Effect.all([here.call, here.call])
      yield* here.ask(first)
      yield* here.ask(second)
      yield* here.escalation.wait(yield* here.hook(second))
      yield* here.escalation.engineEnded(ended(here.at, first.id, "transferred"))
      here.telephony.refuse = () => 20_500
      yield* here.escalation.dialEnded(yield* here.hook(first), "busy")
      const hook = yield* here.hook(second)
      assert.deepStrictEqual(yield* here.escalation.wait(hook), { _tag: "Leave" })
      assert.strictEqual((yield* here.escalation.leftLine(hook, "leave"))?._tag, "Dial")
    })
  )

  it.effect("that waits too long comes back to the agent", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second] = yield* Effect.all([here.call, here.call])
      yield* here.ask(first)
      yield* here.ask(second)
      yield* here.escalation.engineEnded(ended(here.at, second.id, "queued_for_human"))
      const hook = yield* here.hook(second)
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual((yield* here.escalation.wait(hook))?._tag, "Wait")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* here.escalation.wait(hook), { _tag: "Leave" })
      assert.strictEqual((yield* here.escalation.leftLine(hook, "leave"))?._tag, "Connect")
      assert.strictEqual(here.engine.setups[0].resume?.outcome, "no_answer")
      const record = yield* here.calls.find(second.organizationId, second.id)
      assert.deepInclude(record?.transfer, { outcome: "timed_out" })
    })
  )

  it.effect("whose end is never heard of frees the human after the longest possible call", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second] = yield* Effect.all([here.call, here.call])
      yield* here.ask(first)
      yield* TestClock.adjust("4 hours")
      assert.strictEqual((yield* here.ask(second)).outcome, "queue")
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* here.escalation.wait(yield* here.hook(second)), { _tag: "Leave" })
      assert.strictEqual(yield* here.outcome(first), "failed")
      assert.strictEqual(yield* here.outcome(second), "dialing")
    })
  )

  it.effect(
    "whose caller hung up unnoticed leaves the line when the provider reports the end of the call, and blocks nobody",
    () =>
      Effect.gen(function* () {
        const here = yield* office()
        const [first, second, third] = yield* Effect.all([here.call, here.call, here.call])
        yield* here.ask(first)
        yield* here.ask(second)
        yield* here.escalation.engineEnded(ended(here.at, first.id, "transferred"))
        const waiting = Effect.map(here.line, (line) => line?.waiting.map(({ callId }) => callId))
        assert.deepStrictEqual(yield* waiting, [second.id])
        // The engine's part ended when the line took the call over.
        yield* here.calls.apply(ended(here.at, second.id, "queued_for_human", "1970-01-01T00:00:00.000Z"))
        assert.deepStrictEqual(yield* waiting, [second.id])
        yield* here.over(second)
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* waiting, [])
        const plan = yield* here.ask(third)
        assert.strictEqual(plan.outcome === "queue" && plan.position, 1)
        assert.strictEqual(yield* here.outcome(second), "abandoned")
      })
  )

  it.effect("whose end was lost frees the human when the provider has reported the end of the call", () =>
    Effect.gen(function* () {
      const here = yield* office()
      const [first, second, third] = yield* Effect.all([here.call, here.call, here.call])
      yield* here.ask(first)
      yield* here.ask(second)
      const end = { ...ended(here.at, first.id, "transferred", "1970-01-01T00:00:00.000Z"), handover: "taken" } as const
      yield* here.calls.apply(end)
      yield* here.escalation.engineEnded(end)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* here.line)?.dialing?.callId, first.id)
      yield* here.over(first)
      // The end of the transfer may be on its way.
      assert.strictEqual((yield* here.escalation.wait(yield* here.hook(second)))?._tag, "Wait")
      yield* TestClock.adjust("10 seconds")
      assert.isNull((yield* here.line)?.dialing)
      assert.deepStrictEqual(yield* here.escalation.wait(yield* here.hook(second)), { _tag: "Leave" })
      assert.strictEqual(yield* here.outcome(first), "failed")
      assert.strictEqual(yield* here.outcome(second), "dialing")
      // It is asked for after the call has ended, and nobody notices.
      yield* here.escalation.dialEnded(yield* here.hook(second), "completed")
      yield* here.ask(third)
      yield* here.over(third)
      yield* TestClock.adjust("10 seconds")
      assert.isUndefined(yield* here.line)
    })
  )

  it.effect("cannot be used by another account or another call, nor under an unknown name", () =>
    Effect.gen(function* () {
      const [here, there] = yield* Effect.all([office(), office()])
      const [call, other] = yield* Effect.all([here.call, here.call])
      yield* here.ask(call)
      const hook = yield* here.hook(call)
      const foreign = [
        { ...hook, connection: there.at.connection },
        { ...hook, callSid: other.callSid },
        { ...hook, transferId: "trf_unknown" }
      ]
      for (const wrong of foreign) {
        assert.isUndefined(yield* here.escalation.dialEnded(wrong, "completed"))
        assert.isUndefined(yield* here.escalation.wait(wrong))
        assert.isUndefined(yield* here.escalation.leftLine(wrong, "hangup"))
      }
      assert.strictEqual(yield* here.outcome(call), "dialing")
      // The same human of another organization is another human.
      assert.strictEqual((yield* there.ask(yield* there.call)).outcome, "transfer")
    })
  )
})

/** What can happen to the n-th caller. `lost`: the provider's report of a hang-up in the line never arrives. */
const step = fc.record({
  caller: fc.nat(4),
  what: fc.constantFrom("ask", "ask", "poll", "poll", "answered", "unanswered", "hangUp", "hangUpLost", "hangUpEarly")
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Callers as the provider knows them. */
class Provider {
  readonly where: Array<"agent" | "line" | "human" | "gone">
  readonly served: Array<number> = []
  readonly here: Office
  readonly callers: ReadonlyArray<CallRecord>
  parts = 0

  constructor(here: Office, callers: ReadonlyArray<CallRecord>) {
    this.here = here
    this.callers = callers
    this.where = callers.map(() => "agent")
    here.telephony.refuse = (callSid) => {
      const n = callers.findIndex((call) => call.callSid === callSid)
      if (this.where[n] !== "line") return 21220
      this.dial(n)
      return undefined
    }
  }

  dial(n: number) {
    this.where[n] = "human"
    this.served.push(n)
    assert.isAtMost(this.where.filter((where) => where === "human").length, 1, "a human was given two calls")
  }

  run({ caller: n, what }: Step): Effect.Effect<void> {
    const { here, callers, where } = this
    const call = callers[n]
    const engineEnded = (reason: "transferred" | "queued_for_human" | "caller_hangup") =>
      here.escalation.engineEnded(ended(here.at, call.id, reason, undefined, ++this.parts))
    return Effect.gen({ self: this }, function* () {
      if (where[n] === "agent" && (what === "ask" || what === "hangUpEarly")) {
        const plan = yield* here.escalation.request(call, `tool ${++this.parts}`, destination)
        if (what === "hangUpEarly") {
          where[n] = "gone"
          return yield* engineEnded("caller_hangup")
        }
        if (plan.outcome === "transfer") this.dial(n)
        else where[n] = "line"
        yield* engineEnded(plan.outcome === "transfer" ? "transferred" : "queued_for_human")
      } else if (where[n] === "line" && what === "poll") {
        const hook = yield* here.hook(call)
        const answer = yield* here.escalation.wait(hook)
        // Redirected over REST meanwhile: the answer comes too late.
        if (answer?._tag !== "Leave" || where[n] !== "line") return
        const left = yield* here.escalation.leftLine(hook, "leave")
        if (left?._tag === "Dial" && where[n] === "line") this.dial(n)
      } else if (where[n] === "line" && (what === "hangUp" || what === "hangUpLost")) {
        where[n] = "gone"
        if (what === "hangUp") yield* here.escalation.leftLine(yield* here.hook(call, "completed"), "hangup")
      } else if (where[n] === "human" && (what === "answered" || what === "hangUp")) {
        where[n] = "gone"
        yield* here.escalation.dialEnded(yield* here.hook(call), "completed")
      } else if (where[n] === "human" && what === "unanswered") {
        where[n] = "agent"
        yield* here.escalation.dialEnded(yield* here.hook(call), "no-answer")
      }
    })
  }
}

const anyOrder = Effect.fnUntraced(function* (batches: ReadonlyArray<ReadonlyArray<Step>>) {
  const everybody = [0, 1, 2, 3, 4]
  const here = yield* office(destination, 10_000)
  const callers = yield* Effect.forEach(everybody, () => here.call)
  const provider = new Provider(here, callers)
  for (const batch of batches) {
    // One thing at a time happens to a caller, to different ones at once.
    const distinct = batch.filter(({ caller }, i) => batch.findIndex((other) => other.caller === caller) === i)
    yield* Effect.all(
      distinct.map((one) => provider.run(one)),
      { concurrency: "unbounded" }
    )
  }
  // The line drains: whoever waits asks again, whoever talks hangs up.
  const order = (yield* here.line)?.waiting.map(({ callId }) => callers.findIndex(({ id }) => id === callId)) ?? []
  const stillThere = order.filter((n) => provider.where[n] === "line")
  const before = provider.served.length
  for (let round = 0; round < 8; round++) {
    // A caller who hung up unnoticed on the way to the line keeps the human busy for a minute.
    yield* TestClock.adjust("1 minute")
    for (const caller of everybody) yield* provider.run({ caller, what: "poll" })
    for (const caller of everybody) yield* provider.run({ caller, what: "answered" })
  }
  assert.deepStrictEqual(
    provider.served.slice(before).filter((n) => order.includes(n)),
    stillThere
  )
  yield* TestClock.adjust("1 minute")
  // Nobody is left to ask, so the line learns from the provider's reports on the calls who is gone.
  for (const n of everybody) if (provider.where[n] === "gone") yield* here.over(callers[n])
  yield* TestClock.adjust("10 seconds")
  assert.isUndefined(yield* here.line, "nobody is busy and nobody waits")
})

layer(testStores)("a human and a line of callers", (it) => {
  it.effect(
    "never join in two calls at once, never block without a call, and serve first come first, in any order of events",
    () =>
      Effect.gen(function* () {
        const run = Effect.runPromiseWith(yield* Effect.context<Effect.Services<ReturnType<typeof anyOrder>>>())
        const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 10 })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(batches, (of) => run(anyOrder(of))),
            { numRuns: 15 }
          )
        )
      }),
    240_000
  )
})
