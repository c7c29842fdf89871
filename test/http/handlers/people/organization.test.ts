import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations, type Plan } from "../../../../src/domain/people/organizations/Organization.ts"
import { makeAccessWorld } from "../../../support/access.ts"

const features = (body: {
  readonly features: ReadonlyArray<{ readonly id: string; readonly reason: string | null }>
}) => Object.fromEntries(body.features.map(({ id, reason }) => [id, reason]))

describe("at /api/organization", () => {
  it.live("each role sees the plan, and why a feature is not available", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      for (const role of ["OWNER", "ADMIN", "AGENT"] as const) {
        const { status, body } = yield* (yield* world.as(role)).ask("GET", "/api/organization")
        assert.strictEqual(status, 200)
        assert.deepInclude(body, { id: world.organizationId, name: "Acme", timeZone: "Asia/Kolkata", plan: "PREMIUM" })
        assert.strictEqual(features(body).modules, null)
        assert.match(features(body).voicePremium ?? "", /needs? the flag voicePremium/)
        assert.deepInclude(body.limits, { concurrentCalls: 20, voiceMinutesPerMonth: 500, broadcastSize: null })
      }
    })
  )

  it.live("a feature that the plan does not have is refused by its route with the same sentence", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const plan = (to: Plan) =>
        world.provide(Effect.flatMap(Organizations, (all) => all.setPlan(world.organizationId, to, false)))
      yield* plan("FREE")
      const { body } = yield* owner.ask("GET", "/api/organization")
      const refused = yield* owner.ask("POST", "/api/webhook-endpoints", {
        body: { url: "https://hooks.example.com/parley", events: ["message.received"] }
      })
      assert.deepStrictEqual([refused.status, refused.body.error], [403, features(body).webhooks])
      const companies = yield* owner.ask("GET", "/api/companies")
      assert.deepStrictEqual([companies.status, companies.body.error], [403, features(body).modules])
      assert.isString(features(body).broadcasts)
    })
  )

  it.live("an ADMIN changes name and time zone, which the audit log tells, and an AGENT may not", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const admin = yield* world.as("ADMIN")
      const changed = yield* admin.ask("PATCH", "/api/organization", { body: { name: "Maple Books" } })
      assert.deepInclude(changed.body, { name: "Maple Books", timeZone: "Asia/Kolkata" })
      const moved = yield* admin.ask("PATCH", "/api/organization", { body: { timeZone: "Europe/Berlin" } })
      assert.deepInclude(moved.body, { name: "Maple Books", timeZone: "Europe/Berlin" })
      const agent = yield* world.as("AGENT")
      assert.strictEqual((yield* agent.ask("PATCH", "/api/organization", { body: { name: "Mine" } })).status, 403)
      for (const body of [{}, { name: " " }, { timeZone: "Mars/Olympus" }, { name: null }])
        assert.strictEqual((yield* admin.ask("PATCH", "/api/organization", { body })).status, 400, JSON.stringify(body))
      assert.deepStrictEqual((yield* agent.ask("GET", "/api/organization")).body, moved.body)
      const log = (yield* world.audited()).filter(({ action }) => action === "organization.changed")
      assert.deepStrictEqual(
        log.map(({ before, after }) => [before, after]),
        [
          [{ timeZone: "Asia/Kolkata" }, { timeZone: "Europe/Berlin" }],
          [{ name: "Acme" }, { name: "Maple Books" }]
        ]
      )
    })
  )
})

describe("at /api/people", () => {
  it.live("an AGENT sees the names of people and agents, those who left too, and none of another organization", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const agent = yield* world.as("AGENT")
      const gone = yield* world.personOf("AGENT")
      yield* owner.ask("DELETE", `/api/users/${gone.id}`)
      const bot = yield* owner.ask("POST", "/api/ai-agents", {
        body: { name: "Bookworm", systemPrompt: "You answer for a book shop." }
      })
      assert.strictEqual(bot.status, 201)
      yield* world.as("OWNER", yield* world.otherOrganization)
      const { status, body } = yield* agent.ask("GET", "/api/people")
      assert.strictEqual(status, 200)
      const expected = [
        { id: agent.id, name: "Ada", kind: "person", active: true },
        { id: gone.id, name: "Ada", kind: "person", active: false },
        { id: owner.id, name: "Ada", kind: "person", active: true }
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(body.data, [
        ...expected,
        { id: bot.body.id, name: "Bookworm", kind: "text_agent", active: true }
      ])
      const second = yield* agent.ask("GET", "/api/people?page=2&limit=3")
      assert.deepStrictEqual([second.body.data.length, second.body.total], [1, 4])
      assert.strictEqual((yield* agent.ask("GET", "/api/people?limit=1001")).status, 400)
    })
  )
})
