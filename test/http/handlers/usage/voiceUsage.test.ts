/** Usage, costs and the history of calls over HTTP, on the real stores. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { answered, desk, ended } from "../../../support/escalation.ts"
import { testStores } from "../../../support/tenants.ts"
import { makeWorld } from "../../world.ts"

/** An organization in Kolkata with calls of these lengths in seconds, one a minute, the last one just now. */
const office = Effect.fnUntraced(function* (...lengths: ReadonlyArray<number>) {
  const stores = yield* Layer.build(testStores)
  const world = yield* makeWorld({ stores: Layer.succeedContext(stores) })
  const keys = yield* ApiKeys.pipe(Effect.provide(stores))
  const calls = yield* Calls.pipe(Effect.provide(stores))
  const here = yield* desk().pipe(Effect.provide(stores))
  const keyOf = (organizationId: string) =>
    Effect.map(keys.create({ organizationId, name: "k", scopes: ["voice:read"] }), ({ secret }) => secret)
  const key = yield* keyOf(here.organizationId)
  const ids: Array<string> = []
  for (const durationSeconds of lengths) {
    const startedAt = new Date().toISOString()
    const { id } = yield* answered(here, startedAt).pipe(Effect.provide(stores))
    yield* calls.apply({ ...ended(here, id, "caller_hangup", new Date().toISOString()), durationSeconds })
    ids.push(id)
  }
  const get = (path: string, as = key) => Effect.promise(() => world.call("GET", path, undefined, as))
  return { here, stores, get, ids, keyOf }
})

const today = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(new Date())

describe("voice usage", () => {
  it.live("shows what was used this month, what is left, and what it cost", () =>
    Effect.gen(function* () {
      const { get, ids, here } = yield* office(180, 61)
      const day = today("Asia/Kolkata")
      const { status, body } = yield* get("/api/voice-usage")
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { from: `${day.slice(0, 7)}-01`, to: day, timeZone: "Asia/Kolkata" })
      assert.deepStrictEqual(body.allowance, {
        month: day.slice(0, 7),
        minutes: 500,
        used: 5,
        remaining: 495,
        overagePrice: "0.12"
      })
      const used = {
        calls: 2,
        durationSeconds: 241,
        minutes: 5,
        includedMinutes: 5,
        overageMinutes: 0,
        price: "0.00",
        providerCost: { speechToText: "0.022092", languageModel: "0.0008", textToSpeech: "0.06", total: "0.082892" }
      }
      assert.deepStrictEqual(body.totals, used)
      assert.deepStrictEqual(body.data, [{ day, ...used }])
      assert.notInclude(JSON.stringify(body), "margin")
      const byAgent = yield* get(`/api/voice-usage?groupBy=agent&from=${day}&to=${day}`)
      assert.deepStrictEqual(byAgent.body.data, [{ agentId: here.agent.id, agentName: here.agent.name, ...used }])
      const call = yield* get(`/api/calls/${ids[0]}`)
      const { calls: _, ...cost } = used
      assert.deepStrictEqual(call.body.cost, {
        ...cost,
        durationSeconds: 180,
        minutes: 3,
        includedMinutes: 3,
        providerCost: { speechToText: "0.0165", languageModel: "0.0004", textToSpeech: "0.03", total: "0.0469" }
      })
    })
  )

  it.live(
    "bills what a Premium organization used beyond 500 minutes in a month, at 0.12 USD for each minute begun",
    () =>
      Effect.gen(function* () {
        const { get, ids } = yield* office(400 * 60, 99 * 60 + 1, 1, 50 * 60 + 59)
        const { body } = yield* get("/api/voice-usage")
        assert.deepInclude(body.allowance, { minutes: 500, used: 552, remaining: 0, overagePrice: "0.12" })
        assert.deepInclude(body.totals, { minutes: 552, includedMinutes: 500, overageMinutes: 52, price: "6.24" })
        const costs = [
          { includedMinutes: 400, overageMinutes: 0, price: "0.00" },
          { includedMinutes: 100, overageMinutes: 0, price: "0.00" },
          { includedMinutes: 0, overageMinutes: 1, price: "0.12" },
          { includedMinutes: 0, overageMinutes: 51, price: "6.12" }
        ]
        for (const [nth, id] of ids.entries())
          assert.deepInclude((yield* get(`/api/calls/${id}`)).body.cost, costs[nth])
      })
  )

  it.live("refuses days that do not exist, ranges that are reversed or too long, and keys without the scope", () =>
    Effect.gen(function* () {
      const { get } = yield* office()
      for (const query of [
        "from=2026-02-30",
        "from=yesterday",
        "from=2026-05-02&to=2026-05-01",
        "from=2025-01-01&to=2026-05-01",
        "from=0000-01-01&to=0000-01-31",
        "from=9999-12-31&to=9999-12-31"
      ]) {
        const { status, body } = yield* get(`/api/voice-usage?${query}`)
        assert.strictEqual(status, 400, query)
        assert.isString(body.error)
      }
      assert.strictEqual((yield* get("/api/voice-usage?groupBy=month")).status, 400)
      assert.strictEqual((yield* get("/api/voice-usage", "mk_nobody")).status, 401)
    })
  )
})

describe("in the history of calls", () => {
  it.live("pages stay consistent while new calls come in, and totals cover the filtered calls", () =>
    Effect.gen(function* () {
      const { get, here, ids, stores } = yield* office(10, 20, 130)
      const path = `/api/voice-agents/${here.agent.id}/calls`
      const first = yield* get(`${path}?limit=2`)
      const asOf = String(first.body.asOf)
      yield* Effect.sleep(5)
      yield* answered(here).pipe(Effect.provide(stores))
      const second = yield* get(`${path}?limit=2&page=2&asOf=${asOf}`)
      const listed = [first, second]
        .flatMap(({ body }) => body.data as ReadonlyArray<{ id: string }>)
        .map(({ id }) => id)
      assert.deepStrictEqual(listed, [...ids].reverse())
      assert.deepInclude(second.body, { page: 2, limit: 2, total: 3, asOf })
      assert.deepInclude(second.body.totals, { calls: 3, durationSeconds: 160, minutes: 5 })
      const long = yield* get(
        `${path}?minDurationSeconds=100&status=completed&direction=inbound&endReason=caller_hangup`
      )
      assert.deepInclude(long.body, { total: 1 })
      assert.deepInclude(long.body.totals, { calls: 1, minutes: 3 })
      const day = today("Asia/Kolkata")
      assert.strictEqual((yield* get(`${path}?from=${day}&to=${day}`)).body.total, 4)
      assert.strictEqual((yield* get(`${path}?to=2020-01-01`)).body.total, 0)
    })
  )

  it.live("a telephone number is found however it is written, and wrong filters are refused by name", () =>
    Effect.gen(function* () {
      const { get, here, ids } = yield* office(10)
      const path = `/api/voice-agents/${here.agent.id}/calls`
      const { from } = (yield* get(`/api/calls/${ids[0]}`)).body as { from: string }
      for (const phone of [from, encodeURIComponent(from), encodeURIComponent(from.replace("+1415", "+1 (415) "))])
        assert.strictEqual((yield* get(`${path}?phone=${phone}`)).body.total, 1, phone)
      for (const query of [
        "status=done",
        "direction=sideways",
        "minDurationSeconds=-1",
        "from=2026-13-01",
        "from=0001-01-01",
        "to=9999-12-31",
        "asOf=now",
        "asOf=0000-01-01T00:00:00Z"
      ]) {
        const { status, body } = yield* get(`${path}?${query}`)
        assert.strictEqual(status, 400, query)
        assert.include(String(body.error), query.split("=")[0])
      }
    })
  )

  it.live("another organization's calls and costs are not found", () =>
    Effect.gen(function* () {
      const { get, here, ids, keyOf, stores } = yield* office(60)
      const other = yield* desk().pipe(Effect.provide(stores))
      const key = yield* keyOf(other.organizationId)
      assert.strictEqual((yield* get(`/api/calls/${ids[0]}`, key)).status, 404)
      assert.strictEqual((yield* get(`/api/voice-agents/${here.agent.id}/calls`, key)).status, 404)
      const { body } = yield* get(`/api/voice-usage?agentId=${here.agent.id}`, key)
      assert.deepInclude(body.totals, { calls: 0, price: "0.00" })
    })
  )
})
