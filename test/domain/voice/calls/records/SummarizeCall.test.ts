/** Calls that have ended and are summed up, over real stores and the simulated model. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type * as LanguageModel from "../../../../../simulators/language-model/LanguageModel.ts"
import { newId } from "../../../../../src/domain/basics/Ids.ts"
import { ContactErasure } from "../../../../../src/domain/privacy/ContactErasure.ts"
import type { VoiceAgent } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { VoiceAgents } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { CallSummaries } from "../../../../../src/domain/voice/calls/records/CallSummary.ts"
import { makeSummarizeCall } from "../../../../../src/domain/voice/calls/records/SummarizeCall.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventsOf } from "../../../../support/conversations.ts"
import { agentOf, newOrganization, testStores } from "../../../../support/tenants.ts"
import { type ModelOptions, modelsOf, startModels } from "../../../../support/textAgents.ts"

const fields = {
  type: "object",
  properties: { orderNumber: { type: "string" }, wants: { type: "string", enum: ["pickup", "refund"] } },
  required: ["orderNumber"]
} as const

const leaseMs = 60_000

/** A call in which this was said, and which has ended; with the worker's steps. */
const ended = Effect.fnUntraced(function* (
  said: ReadonlyArray<readonly ["caller" | "agent", string]>,
  agentChanges: Partial<VoiceAgent> = {},
  options: ModelOptions = {}
) {
  const models = yield* startModels(options)
  const summarize = yield* Effect.provide(makeSummarizeCall, modelsOf(models))
  const { id: organizationId } = yield* newOrganization()
  const agent = agentOf(organizationId, { callFields: fields, ...agentChanges })
  yield* (yield* VoiceAgents).create(agent)
  const calls = yield* Calls
  const { call } = yield* calls.open({
    organizationId,
    agentId: agent.id,
    direction: "inbound",
    status: "ringing",
    from: "+14155550130",
    to: "+14155550131",
    callSid: newId("call")
  })
  const event = (what: string) => ({ id: `${call.id}.${what}`, organizationId, agentId: agent.id, callId: call.id })
  yield* calls.apply({ type: "call_started", ...event("start"), startedAt: "2026-05-01T10:00:00.000Z" })
  for (const [index, [role, text]] of said.entries())
    yield* calls.apply({
      type: "transcript",
      ...event(`said.${index}`),
      sequence: index,
      role,
      text,
      interrupted: false,
      startMs: index,
      endMs: index + 1
    })
  const hangUp = (what: string) =>
    calls.apply({
      type: "call_end",
      ...event(what),
      endReason: "caller_hangup",
      endedAt: "2026-05-01T10:01:00.000Z",
      durationSeconds: 60,
      turns: [],
      interruptions: 0,
      toolCalls: 0
    })
  yield* hangUp("end")
  const summaries = yield* CallSummaries
  const provided = { modelUrl: models.modelUrl, filterUrl: models.filterUrl }
  const claim = (now: number) =>
    Effect.map(summaries.claim(now, leaseMs, 100), (jobs) => jobs.filter(({ callId }) => callId === call.id))
  /** What the worker does at `now`. Gives how many jobs it had. */
  const work = Effect.fnUntraced(function* (now: number) {
    const jobs = yield* claim(now)
    yield* Effect.forEach(jobs, (job) => Effect.provide(summarize(job), modelsOf(provided)), { discard: true })
    return jobs.length
  })
  const found = summaries.find(organizationId, call.id)
  const events = eventsOf(organizationId, "call.summarized")
  const sql = yield* SqlClient.SqlClient
  const usage = tenant(organizationId)(
    sql<{
      agentId: string
      requests: string
    }>`SELECT agent_id, sum(requests)::text AS requests FROM ai_usage GROUP BY 1`
  )
  const run = (job: Parameters<typeof summarize>[0]) => Effect.provide(summarize(job), modelsOf(provided))
  return { organizationId, agent, call, models, calls, claim, run, work, found, events, usage, event }
})

const orderCall = [
  ["agent", "Maple Books, how can I help?"],
  ["caller", "Is my order 2041 ready for pickup?"],
  ["agent", "It is."]
] as const

/** The clock of the tests stands at 0, and the first claim is due some seconds after the end. */
const soon = 10_000

const reported =
  (report: object): LanguageModel.LanguageModelOptions["report"] =>
  () => ({
    _tag: "Call",
    name: "report_call",
    arguments: JSON.stringify(report)
  })

layer(testStores)("a call that has ended", (it) => {
  it.effect("is summed up once, with the fields that its agent is told to find, and an event tells it", () =>
    Effect.gen(function* () {
      const { work, found, events, usage, agent } = yield* ended(orderCall)
      assert.strictEqual((yield* found)?.state, "waiting")
      assert.strictEqual(yield* work(0), 0)
      assert.strictEqual(yield* work(soon), 1)
      const summary = yield* found
      assert.deepInclude(summary, { state: "done", outcome: "resolved", problem: null })
      assert.deepStrictEqual(summary?.fields, { orderNumber: "2041", wants: "pickup" })
      assert.include(summary?.text ?? "", "order 2041")
      assert.strictEqual(yield* work(10 * soon), 0)
      const told = yield* events
      assert.lengthOf(told, 1)
      assert.deepStrictEqual(told[0].data.summary, summary)
      assert.deepStrictEqual(yield* usage, [{ agentId: agent.id, requests: "1" }])
    })
  )

  it.effect(
    "is summed up by another process when the first one is killed, and the first one's late answer is not stored",
    () =>
      Effect.gen(function* () {
        const { claim, run, work, found, events } = yield* ended(orderCall)
        const [killed] = yield* claim(soon)
        assert.strictEqual(yield* work(soon + leaseMs - 1), 0)
        const [next] = yield* claim(soon + leaseMs)
        yield* run(killed)
        assert.strictEqual((yield* found)?.state, "waiting")
        yield* run(next)
        assert.strictEqual((yield* found)?.state, "done")
        yield* run(next)
        assert.lengthOf(yield* events, 1)
      })
  )

  it.effect("in which nobody said anything has no summary, and no model is asked", () =>
    Effect.gen(function* () {
      const { work, found, models } = yield* ended([])
      yield* work(soon)
      assert.deepInclude(yield* found, { state: "nothing_said", text: null })
      assert.isEmpty(models.model.requests)
    })
  )

  it.effect("a report that does not fit the agent's fields is refused, and the model may correct it once", () =>
    Effect.gen(function* () {
      const reports = [
        { summary: "An order.", outcome: "resolved", reason: "An order", fields: {} },
        { summary: "An order.", outcome: "resolved", reason: "An order", fields: { orderNumber: "2041" } }
      ]
      const { work, found, models } = yield* ended(
        orderCall,
        {},
        { report: () => reported(reports.length > 1 ? (reports.shift() ?? {}) : reports[0])?.({} as never) }
      )
      yield* work(soon)
      assert.deepStrictEqual((yield* found)?.fields, { orderNumber: "2041" })
      const [, second] = models.model.requests
      assert.match(JSON.stringify(second.messages), /orderNumber\\" is missing/)
    })
  )

  it.effect(
    "what the content filter flags in the transcript is not read by the model; a flagged summary is not stored",
    () =>
      Effect.gen(function* () {
        const flagged = yield* ended(
          [["caller", "Something forbiddenword."], ...orderCall],
          {},
          { flagWords: ["forbiddenword"] }
        )
        yield* flagged.work(soon)
        assert.notInclude(JSON.stringify(flagged.models.model.requests), "forbiddenword")
        assert.strictEqual((yield* flagged.found)?.state, "done")
        const report = reported({
          summary: "A forbiddenword.",
          outcome: "resolved",
          reason: "x",
          fields: { orderNumber: "1" }
        })
        const rude = yield* ended(
          orderCall,
          {},
          { flagWords: ["forbiddenword"], ...(report === undefined ? {} : { report }) }
        )
        yield* rude.work(soon)
        assert.deepInclude(yield* rude.found, { state: "unavailable", text: null })
      })
  )

  it.effect("a call of hours is summed up in parts, so that every request fits into the model's budget", () =>
    Effect.gen(function* () {
      const long = Array.from(
        { length: 60 },
        (_, index) => ["caller", `${index} ${"words and words ".repeat(120)}`] as const
      )
      const { work, found, models } = yield* ended([...long, ["caller", "The order is 2041."]])
      yield* work(soon)
      assert.strictEqual((yield* found)?.state, "done")
      assert.isAbove(models.model.requests.length, 2)
      for (const { messages } of models.model.requests) assert.isBelow(JSON.stringify(messages).length, 4 * 10_000)
    })
  )

  it.effect("loses its summary when its contact is erased, also one that is being made", () =>
    Effect.gen(function* () {
      const { organizationId, call, claim, run, found, events } = yield* ended(orderCall)
      const [job] = yield* claim(soon)
      yield* (yield* ContactErasure).erase(organizationId, call.contactId ?? "")
      yield* run(job)
      assert.isNull(yield* found)
      assert.isEmpty(yield* events)
    })
  )
})

layer(testStores, { excludeTestServices: true })("a call that has ended, while the model is away,", (it) => {
  it.effect("is tried again while the model fails, and then the summary is plainly absent", () =>
    Effect.gen(function* () {
      const { work, found, models, events } = yield* ended(orderCall)
      Object.assign(models.model.faults, { failNext: 1_000, status: 400 })
      let tries = 0
      const begun = Date.now()
      for (let now = begun; now < begun + 2 * 3_600_000; now += 60_000) tries += yield* work(now)
      assert.strictEqual(tries, 6)
      const summary = yield* found
      assert.strictEqual(summary?.state, "unavailable")
      assert.match(summary?.problem ?? "", /^It failed 6 times: the model did not answer/)
      assert.isEmpty(yield* events)
    })
  )
})
