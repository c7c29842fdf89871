import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations, type Plan } from "../../../../src/domain/people/organizations/Organization.ts"
import { makeOperatorWorld } from "../../../support/operators.ts"

const makeShops = (shops: ReadonlyArray<readonly [name: string, plan: Plan]>) =>
  Effect.flatMap(Organizations, (organizations) =>
    Effect.forEach(shops, ([name, plan]) => organizations.create({ name, plan, timeZone: "UTC" }))
  )

describe("at /api/operator/organizations", () => {
  it.live("an operator finds organizations by a part of the name, by id, by plan and by stage", () =>
    Effect.gen(function* () {
      const { ask, provide } = yield* makeOperatorWorld()
      const [maple, birch] = yield* provide(
        makeShops([
          ["Maple Books", "PREMIUM"],
          ["birch 100% Tea", "FREE"],
          ["Maple Bikes", "FREE"]
        ])
      )
      const names = (query: string) =>
        Effect.map(ask("GET", `organizations?${query}`), ({ body }) => [
          body.data.map(({ name }: { readonly name: string }) => name),
          body.total
        ])
      assert.deepStrictEqual(yield* names("search=mAPLE"), [["Maple Bikes", "Maple Books"], 2])
      assert.deepStrictEqual(yield* names("search=mAPLE&limit=1&page=2"), [["Maple Books"], 2])
      assert.deepStrictEqual(yield* names("search=mAPLE&limit=1&page=9"), [[], 2])
      assert.deepStrictEqual(yield* names("search=100%25"), [["birch 100% Tea"], 1])
      assert.deepStrictEqual(yield* names(`search=${birch.id}`), [["birch 100% Tea"], 1])
      assert.deepStrictEqual(yield* names("search=maple&plan=FREE"), [["Maple Bikes"], 1])
      yield* ask("PATCH", `organizations/${maple.id}`, { body: { stage: "staging", reason: "The first to hear it." } })
      assert.deepStrictEqual(yield* names("stage=staging"), [["Maple Books"], 1])
      assert.strictEqual((yield* ask("GET", "organizations?search=")).status, 400)
      assert.strictEqual((yield* ask("GET", `organizations/${maple.id}0`)).status, 404)
    }).pipe(Effect.scoped)
  )

  it.live("an operator changes plan, flags and terms with a reason, which both logs tell", () =>
    Effect.gen(function* () {
      const { ask, operator, organizationId, audited, events, as } = yield* makeOperatorWorld()
      const owner = yield* as("OWNER")
      const before = yield* ask("GET", `organizations/${organizationId}`)
      assert.deepInclude(before.body, { plan: "PREMIUM", stage: "production", voiceAgents: 0 })
      assert.deepStrictEqual(before.body.flags, {
        voiceAgents: { set: true, inForce: true },
        voicePremium: { set: false, inForce: false }
      })
      assert.deepInclude(before.body.usage, { calls: 0, minutes: { allowed: 500, used: 0 } })

      const reason = "They signed the Enterprise contract of November."
      const after = yield* ask("PATCH", `organizations/${organizationId}`, {
        body: {
          reason,
          plan: "ENTERPRISE",
          flags: { voiceAgents: true, voicePremium: true },
          terms: { minutesPerMonth: 10_000 },
          aiTokensPerMonth: 5
        }
      })
      assert.strictEqual(after.status, 200)
      assert.deepInclude(after.body, { plan: "ENTERPRISE" })
      assert.deepInclude(after.body.limits, { minutesPerMonth: 10_000, concurrentCalls: 200, aiTokensPerMonth: 5 })
      const own = yield* owner.ask("GET", "/api/organization")
      assert.deepInclude(own.body, { plan: "ENTERPRISE", flags: { voiceAgents: true, voicePremium: true } })

      const actor = { type: "operator" as const, id: operator.id }
      const entries = (yield* audited()).filter((entry) => entry.actor.id === operator.id)
      assert.deepStrictEqual(entries.map(({ action }) => action).toSorted(), [
        "organization.ai_tokens_changed",
        "organization.flag_changed",
        "organization.flag_changed",
        "organization.plan_changed",
        "organization.voice_terms_changed"
      ])
      for (const entry of entries) assert.deepStrictEqual(entry.actor, actor)
      const [told] = yield* events
      assert.deepInclude(told, { type: "organization.changed", organizationId, reason })
      assert.deepInclude(told.details, {
        before: {
          plan: "PREMIUM",
          voicePremium: false,
          minutesPerMonth: null,
          overageMicrosPerMinute: null,
          aiTokensPerMonth: null
        }
      })
    }).pipe(Effect.scoped)
  )

  it.live("of a change that is refused in part nothing is done", () =>
    Effect.gen(function* () {
      const { ask, organizationId, audited, events } = yield* makeOperatorWorld()
      const path = `organizations/${organizationId}`
      const before = yield* ask("GET", path)
      const [count, told] = [(yield* audited()).length, (yield* events).length]
      const refused = yield* ask("PATCH", path, {
        body: { reason: "Try it.", plan: "PRO", stage: "staging", terms: { minutesPerMonth: 1 } }
      })
      assert.deepStrictEqual(
        [refused.status, refused.body],
        [403, { error: "Only Enterprise has terms of its own; this organization is on PRO." }]
      )
      for (const body of [
        { reason: "Nothing." },
        { plan: "PRO" },
        { reason: " ", plan: "PRO" },
        { reason: "x", stage: "moon" }
      ])
        assert.strictEqual((yield* ask("PATCH", path, { body })).status, 400, JSON.stringify(body))
      assert.deepStrictEqual((yield* ask("GET", path)).body, before.body)
      assert.deepStrictEqual([(yield* audited()).length, (yield* events).length], [count, told])
    }).pipe(Effect.scoped)
  )
})
