import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { billedMinutes } from "../../../../src/domain/usage/Metering.ts"
import { VoiceUsage } from "../../../../src/domain/usage/VoiceUsage.ts"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import type { CallFilter } from "../../../../src/domain/voice/calls/records/CallFilter.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { answered, type Desk, desk, ended } from "../../../support/escalation.ts"
import { newStores, storesOf } from "../../../support/stores.ts"
import { agentOf, testStores } from "../../../support/tenants.ts"

const after = (startedAt: string, seconds: number) => new Date(Date.parse(startedAt) + seconds * 1_000).toISOString()

/** A call from `startedAt` that the engine ended after `seconds`. */
const talked = Effect.fnUntraced(function* (here: Desk, startedAt: string, seconds: number) {
  const calls = yield* Calls
  const call = yield* answered(here, startedAt)
  const end = { ...ended(here, call.id, "caller_hangup", after(startedAt, seconds)), durationSeconds: seconds }
  yield* calls.apply(end)
  return { call, end }
})

const may = { from: "2026-05-01", to: "2026-05-31", groupBy: "day" } as const
const ledger = (organizationId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql`SELECT * FROM voice_ledger`))

layer(testStores)("the ledger of calls", (it) => {
  it.effect("counts a call once, however often its end is reported", () =>
    Effect.gen(function* () {
      const [calls, usage, here] = [yield* Calls, yield* VoiceUsage, yield* desk()]
      const { call, end } = yield* talked(here, "2026-05-04T10:00:00.000Z", 61.4)
      yield* Effect.all([calls.apply(end), calls.apply(end), calls.apply({ ...end, id: "evt_again" })], {
        concurrency: 3
      })
      const [day, ...others] = yield* usage.read(here.organizationId, may)
      assert.isEmpty(others)
      assert.deepInclude(day, {
        day: "2026-05-04",
        calls: 1,
        seconds: 61,
        minutes: 2,
        overageMinutes: 0,
        priceMicros: 0
      })
      assert.deepInclude(yield* usage.ofCall(here.organizationId, call.id), { minutes: 2, textToSpeechMicros: 30_000 })
    })
  )

  it.effect(
    "counts a call that returned from a human and went to one again as one call with the length of all its parts",
    () =>
      Effect.gen(function* () {
        const [calls, usage, here] = [yield* Calls, yield* VoiceUsage, yield* desk()]
        const start = "2026-05-04T10:00:00.000Z"
        const { call } = yield* talked(here, start, 30)
        yield* calls.resumed(here.organizationId, call.id)
        const second = ended(here, call.id, "transferred", after(start, 130), 2)
        yield* calls.apply({ ...second, durationSeconds: 40 })
        assert.deepInclude(yield* usage.ofCall(here.organizationId, call.id), { calls: 1, seconds: 130, minutes: 3 })
        yield* calls.finished(here.organizationId, call.id, "transferred", Date.parse(start) + 300_000)
        assert.deepInclude(yield* usage.ofCall(here.organizationId, call.id), {
          calls: 1,
          minutes: 5,
          speechToTextMicros: 27_500,
          languageModelMicros: 400
        })
        yield* calls.apply({ ...second, id: "late", durationSeconds: 40 })
        assert.deepInclude(yield* usage.ofCall(here.organizationId, call.id), { calls: 1, seconds: 300 })
      })
  )

  it.effect(
    "counts a call that a crash cut off until its last sign of life, and does not count one that was never answered",
    () =>
      Effect.gen(function* () {
        const [calls, usage, here] = [yield* Calls, yield* VoiceUsage, yield* desk()]
        const cut = yield* answered(here, "2026-05-04T10:00:00.000Z")
        const end = { ...ended(here, cut.id, "error", "2026-05-04T10:01:30.000Z"), durationSeconds: 90 }
        yield* calls.apply(end)
        yield* calls.apply(end)
        const unheard = yield* answered(here, "2026-05-04T11:00:00.000Z")
        yield* calls.apply({
          ...ended(here, unheard.id, "caller_hangup", "2026-05-04T11:00:00.000Z"),
          durationSeconds: 0
        })
        assert.isUndefined(yield* usage.ofCall(here.organizationId, unheard.id))
        const [day] = yield* usage.read(here.organizationId, may)
        assert.deepInclude(day, { calls: 1, minutes: 2 })
      })
  )

  it.effect("does not count a call whose end cannot be stored", () =>
    Effect.gen(function* () {
      const [calls, here] = [yield* Calls, yield* desk()]
      const call = yield* answered(here, "2026-05-04T10:00:00.000Z")
      const end = { ...ended(here, call.id, "caller_hangup", "2026-05-04T10:01:00.000Z"), durationSeconds: 60 }
      const exit = yield* Effect.exit(calls.apply({ ...end, durationSeconds: Number.MAX_VALUE }))
      assert.strictEqual(exit._tag, "Failure")
      assert.isEmpty(yield* ledger(here.organizationId))
      assert.strictEqual((yield* calls.find(here.organizationId, call.id))?.status, "in_progress")
      yield* calls.apply(end)
      assert.lengthOf(yield* ledger(here.organizationId), 1)
    })
  )

  it.effect("uses days and months of the organization's time zone", () =>
    Effect.gen(function* () {
      const [usage, here] = [yield* VoiceUsage, yield* desk()]
      yield* talked(here, "2026-04-30T18:29:59.000Z", 60)
      yield* talked(here, "2026-04-30T18:30:00.000Z", 60)
      yield* talked(here, "2026-05-31T18:29:00.000Z", 600)
      const days = yield* usage.read(here.organizationId, may)
      assert.deepStrictEqual(
        days.map(({ day, minutes }) => [day, minutes]),
        [
          ["2026-05-01", 1],
          ["2026-05-31", 10]
        ]
      )
    })
  )

  it.effect("lists agents separately, including removed ones, and shows nothing to another organization", () =>
    Effect.gen(function* () {
      const [usage, agents, here, other] = [yield* VoiceUsage, yield* VoiceAgents, yield* desk(), yield* desk()]
      const second = agentOf(here.organizationId, { voiceFamily: "indic", voiceId: "anushka" })
      yield* agents.create(second)
      const { call } = yield* talked(here, "2026-05-04T10:00:00.000Z", 60)
      yield* talked({ ...here, agent: second }, "2026-05-05T10:00:00.000Z", 180)
      yield* agents.remove(here.organizationId, here.agent.id)
      const rows = yield* usage.read(here.organizationId, { ...may, groupBy: "agent" })
      assert.deepStrictEqual(
        rows.map(({ agentId, agentName, minutes, textToSpeechMicros }) => [
          agentId,
          agentName,
          minutes,
          textToSpeechMicros
        ]),
        [
          [second.id, second.name, 3, 18_000],
          [here.agent.id, null, 1, 30_000]
        ]
      )
      const own = yield* usage.read(here.organizationId, { ...may, agentId: second.id })
      assert.deepStrictEqual(
        own.map(({ day }) => day),
        ["2026-05-05"]
      )
      assert.isEmpty(yield* usage.read(other.organizationId, may))
      assert.isUndefined(yield* usage.ofCall(other.organizationId, call.id))
    })
  )

  it.effect("keeps the terms of the day of each call, so that later terms change later calls only", () =>
    Effect.gen(function* () {
      const [usage, organizations, sql, here] = [
        yield* VoiceUsage,
        yield* Organizations,
        yield* SqlClient.SqlClient,
        yield* desk()
      ]
      const agree = (minutesPerMonth: number, overageMicrosPerMinute: number) =>
        organizations.setVoiceTerms(here.organizationId, { minutesPerMonth, overageMicrosPerMinute })
      yield* tenant(here.organizationId)(sql`UPDATE organizations SET plan = 'ENTERPRISE'`)
      yield* agree(2, 50_000)
      const first = yield* talked(here, "2026-05-04T10:00:00.000Z", 180)
      yield* agree(4, 10_000)
      const second = yield* talked(here, "2026-05-05T10:00:00.000Z", 180)
      const charge = (id: string) => usage.ofCall(here.organizationId, id)
      assert.deepInclude(yield* charge(first.call.id), { overageMinutes: 1, priceMicros: 50_000 })
      assert.deepInclude(yield* charge(second.call.id), { overageMinutes: 2, priceMicros: 20_000 })
    })
  )

  it.effect("uses up the allowance in the order in which calls began, whatever the order of their ends", () =>
    Effect.gen(function* () {
      const [usage, organizations, sql] = [yield* VoiceUsage, yield* Organizations, yield* SqlClient.SqlClient]
      const call = fc.record({
        startMs: fc.integer({ min: Date.parse("2026-05-01T00:00:00Z"), max: Date.parse("2026-06-29T00:00:00Z") }),
        seconds: fc.integer({ min: 1, max: 900 })
      })
      const months = fc.uniqueArray(call, { minLength: 1, maxLength: 12, selector: ({ startMs }) => startMs })
      const samples = fc.sample(fc.tuple(months, fc.integer({ min: 0, max: 60 })), 6)
      for (const [made, minutesPerMonth] of samples) {
        const here = yield* desk()
        const { organizationId } = here
        yield* tenant(organizationId)(sql`UPDATE organizations SET plan = 'ENTERPRISE', time_zone = 'UTC'`)
        yield* organizations.setVoiceTerms(organizationId, { minutesPerMonth, overageMicrosPerMinute: 120_000 })
        for (const { startMs, seconds } of made) yield* talked(here, new Date(startMs).toISOString(), seconds)
        const expected = new Map<string, number>()
        const used = new Map<string, number>()
        for (const { startMs, seconds } of [...made].sort((a, b) => a.startMs - b.startMs)) {
          const day = new Date(startMs).toISOString().slice(0, 10)
          const month = day.slice(0, 7)
          const minutes = billedMinutes(seconds)
          const before = used.get(month) ?? 0
          used.set(month, before + minutes)
          const over = Math.max(0, before + minutes - minutesPerMonth) - Math.max(0, before - minutesPerMonth)
          expected.set(day, (expected.get(day) ?? 0) + over)
        }
        const found = yield* usage.read(organizationId, { from: "2026-05-01", to: "2026-06-30", groupBy: "day" })
        assert.deepStrictEqual(
          new Map(found.map(({ day, overageMinutes }) => [day ?? "", overageMinutes])),
          new Map([...expected].sort())
        )
        for (const row of found) assert.strictEqual(row.priceMicros, row.overageMinutes * 120_000)
      }
    })
  )
})

layer(testStores)("in the history of an agent's calls", (it) => {
  it.effect("each filter finds what it names, and the totals are of just those calls", () =>
    Effect.gen(function* () {
      const [calls, usage, here] = [yield* Calls, yield* VoiceUsage, yield* desk()]
      const { organizationId, agent } = here
      const short = yield* talked(here, "2026-05-04T10:00:00.000Z", 20)
      const long = yield* talked(here, "2026-05-05T10:00:00.000Z", 400)
      const { call: outbound } = yield* calls.open({
        organizationId,
        agentId: agent.id,
        direction: "outbound",
        status: "busy",
        endReason: "capacity",
        from: "+14155550131",
        to: short.call.from,
        callSid: "CAoutbound"
      })
      const idsOf = Effect.fnUntraced(function* (filter: CallFilter) {
        const { data, total } = yield* calls.list(organizationId, 1, 10, { ...filter, agentId: agent.id })
        assert.lengthOf(data, total)
        return data.map(({ id }) => id)
      })
      const [a, b, c] = [short.call.id, long.call.id, outbound.id]
      assert.deepStrictEqual(yield* idsOf({}), [c, b, a])
      assert.deepStrictEqual(yield* idsOf({ direction: "outbound" }), [c])
      assert.deepStrictEqual(yield* idsOf({ status: "completed" }), [b, a])
      assert.deepStrictEqual(yield* idsOf({ endReason: "capacity" }), [c])
      assert.deepStrictEqual(yield* idsOf({ phone: short.call.from }), [c, a])
      assert.deepStrictEqual(yield* idsOf({ phone: "+14155550131" }), [])
      assert.deepStrictEqual(yield* idsOf({ minDurationSeconds: 20, maxDurationSeconds: 399 }), [a])
      const recorded = Date.parse(long.call.createdAt)
      assert.notInclude(yield* idsOf({ since: recorded }), a)
      assert.deepStrictEqual(yield* idsOf({ before: recorded }), [a])
      const totals = yield* usage.ofCalls(organizationId, { agentId: agent.id, minDurationSeconds: 100 })
      assert.deepInclude(totals, { calls: 1, seconds: 400, minutes: 7 })
      assert.deepInclude(yield* usage.ofCalls(organizationId, { agentId: agent.id }), { calls: 2, minutes: 8 })
      assert.deepInclude(yield* usage.ofCalls(organizationId, { agentId: agent.id, status: "ringing" }), {
        calls: 0,
        minutes: 0
      })
    })
  )
})

describe("among many calls", () => {
  it.effect("every filter has an index that the planner uses", () =>
    Effect.gen(function* () {
      const environment = yield* newStores
      const stores = yield* Layer.build(storesOf(environment, 2))
      const here = yield* desk().pipe(Effect.provide(stores))
      const sql = yield* SqlClient.SqlClient.pipe(Effect.provide(stores))
      const asTenant = <A, E>(effect: Effect.Effect<A, E>) =>
        tenant(here.organizationId)(effect).pipe(Effect.provide(stores))
      yield* asTenant(sql`INSERT INTO calls (organization_id, id, agent_id, direction, status, end_reason, from_address, to_address,
          call_sid, duration_seconds, created_at)
        SELECT ${here.organizationId}, 'call_' || n, ${here.agent.id}, CASE n % 100 WHEN 0 THEN 'outbound' ELSE 'inbound' END,
          CASE n % 100 WHEN 1 THEN 'busy' ELSE 'completed' END, CASE n % 100 WHEN 2 THEN 'capacity' ELSE 'silence' END,
          '+1415' || n, '+14155550131', 'CA' || n, (n * 7919) % 20000, now() - n * interval '1 minute'
        FROM generate_series(1, 20000) n`)
      // Only the owner may gather statistics.
      yield* Effect.flatMap(SqlClient.SqlClient, (owner) => owner`ANALYZE calls`).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(environment.databaseUrl) }))
      )
      const planOf = (condition: string) =>
        asTenant(
          sql.unsafe(`EXPLAIN SELECT * FROM calls WHERE agent_id = '${here.agent.id}' AND ${condition}
            ORDER BY created_at DESC, id DESC LIMIT 20`)
        ).pipe(Effect.map((rows) => JSON.stringify(rows)))
      const indexes = {
        "direction = 'outbound'": "calls_by_direction",
        "status = 'busy'": "calls_by_status",
        "end_reason = 'capacity'": "calls_by_end_reason",
        "CASE direction WHEN 'inbound' THEN from_address ELSE to_address END = '+14157'": "calls_of_number",
        "duration_seconds >= 19995": "calls_by_duration",
        "created_at < now() - interval '13 days'": "calls_of_agent"
      }
      for (const [condition, index] of Object.entries(indexes))
        assert.include(yield* planOf(condition), index, condition)
    })
  )
})
