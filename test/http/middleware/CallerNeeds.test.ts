/** Who may not use a route is told so before the body is checked: the body of these requests is one that nobody understands. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import { Calls } from "../../../src/domain/voice/calls/records/CallRecord.ts"
import { makeAccessWorld } from "../../support/access.ts"
import { answered, desk, ended } from "../../support/escalation.ts"
import { newOrganization } from "../../support/tenants.ts"

const unreadable = { body: '{ "nobody": ' }

/** Routes with a body, by what their plan is missing on FREE. */
const needingPlans = [
  ["POST", "/api/webhook-endpoints", /Outgoing webhooks need the Starter plan/],
  ["PATCH", "/api/webhook-endpoints/whk_1", /Outgoing webhooks need the Starter plan/],
  ["POST", "/api/webhook-endpoints/whk_1/rotate-secret", /Outgoing webhooks need the Starter plan/],
  ["POST", "/api/webhook-endpoints/whk_1/replay", /Outgoing webhooks need the Starter plan/],
  ["POST", "/api/integrations/hooks", /Automation hooks need the Starter plan/],
  ["PUT", "/api/integrations/hubspot", /Integrations need the Pro plan/],
  ["PUT", "/api/integrations/slack/mappings", /Integrations need the Pro plan/],
  ["POST", "/api/mcp-servers", /Integrations need the Pro plan/],
  ["PUT", "/api/mcp-servers/mcp_1", /Integrations need the Pro plan/],
  ["POST", "/api/mcp-servers/mcp_1/approve", /Integrations need the Pro plan/],
  ["POST", "/api/payment-links", /Integrations need the Pro plan/],
  ["POST", "/api/orders", /need the Premium plan/],
  ["PATCH", "/api/companies/cmp_1", /need the Premium plan/],
  ["PUT", "/api/custom-fields", /need the Premium plan/],
  ["POST", "/api/messaging-api/broadcasts", /Broadcasts need the Starter plan/],
  ["POST", "/api/voice-agents", /Voice agents need the Premium or Enterprise plan/],
  ["PUT", "/api/voice-agents/agt_1", /Voice agents need the Premium or Enterprise plan/],
  ["POST", "/api/voice-agents/agt_1/calls", /Voice agents need the Premium or Enterprise plan/],
  ["POST", "/api/voice-agents/agt_1/test-calls", /Voice agents need the Premium or Enterprise plan/],
  ["POST", "/api/voice-agents/agt_1/tools/order/try", /Voice agents need the Premium or Enterprise plan/],
  ["POST", "/api/voices/preview", /Voice agents need the Premium or Enterprise plan/],
  ["POST", "/api/voice-phone-numbers", /Voice agents need the Premium or Enterprise plan/],
  ["PUT", "/api/voice-phone-numbers/num_1", /Voice agents need the Premium or Enterprise plan/],
  ["PUT", "/api/organization/retention", /Only Enterprise sets its own retention; this organization is on FREE/]
] as const

describe("a caller who may not use a route", () => {
  it.live("is told which plan is missing before the body is read, and the body's fault once the plan has it", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { id } = yield* world.provide(newOrganization({ plan: "FREE" }))
      const { ask } = yield* world.as("ADMIN", id)
      for (const [method, path, expected] of needingPlans) {
        const { status, body } = yield* ask(method, path, unreadable)
        assert.strictEqual(status, 403, `${method} ${path}`)
        assert.match(body.error, expected, `${method} ${path}`)
      }
      const premium = yield* world.as("ADMIN")
      for (const path of ["/api/orders", "/api/webhook-endpoints", "/api/voice-agents"])
        assert.strictEqual((yield* premium.ask("POST", path, unreadable)).status, 400, path)
    })
  )

  it.live("may still stop what the plan does not have, and ask for nothing else with it", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { id } = yield* world.provide(newOrganization({ plan: "FREE" }))
      const { ask } = yield* world.as("ADMIN", id)
      for (const [method, path, stop] of [
        ["PATCH", "/api/webhook-endpoints/whk_1", { enabled: false }],
        ["PUT", "/api/voice-phone-numbers/num_1", { agentId: null }]
      ] as const) {
        assert.strictEqual((yield* ask(method, path, { body: stop })).status, 404, path)
        assert.strictEqual((yield* ask(method, path, { body: { ...stop, description: "x" } })).status, 403, path)
        assert.strictEqual((yield* ask(method, path, { body: [stop] })).status, 403, path)
      }
    })
  )

  it.live("costs one reading of the organization, of which the use case then has the plan", () =>
    Effect.gen(function* () {
      let readings = 0
      const world = yield* makeAccessWorld({
        changed: (stores) => {
          const organizations = Context.get(stores, Organizations)
          const find = (id: string) => Effect.tap(organizations.find(id), () => Effect.sync(() => readings++))
          return Context.add(stores, Organizations, { ...organizations, find })
        }
      })
      const { ask } = yield* world.as("ADMIN")
      for (const [path, body] of [
        ["/api/companies", { name: "Maple Books" }],
        ["/api/webhook-endpoints", { url: "https://shop.example/hooks", events: ["message.received"] }]
      ] as const) {
        readings = 0
        assert.strictEqual((yield* ask("POST", path, { body })).status, 201, path)
        assert.strictEqual(readings, 1, path)
      }
    })
  )

  it.live("is told which scope the key lacks before the body and the query are read", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const ask = world.withKey((yield* world.keyOf(["status:read"])).secret)
      const contact = yield* ask("POST", "/api/messaging-api/contacts", unreadable)
      assert.deepStrictEqual(
        [contact.status, contact.body],
        [403, { error: "This API key lacks the scope contacts:write." }]
      )
      const list = yield* ask("GET", "/api/messaging-api/contacts?limit=1000")
      assert.deepStrictEqual([list.status, list.body], [403, { error: "This API key lacks the scope contacts:read." }])
      // An import may be of contacts or of a module, and its record says which.
      const modules = world.withKey((yield* world.keyOf(["modules:read"])).secret)
      assert.strictEqual((yield* modules("GET", "/api/messaging-api/imports/imp_1")).status, 404)
      assert.strictEqual((yield* ask("GET", "/api/messaging-api/imports/imp_1")).status, 403)
    })
  )
})

describe("a person with the role AGENT", () => {
  it.live("sees calls, and not what they cost", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const here = yield* world.provide(desk())
      const startedAt = new Date().toISOString()
      const { id } = yield* world.provide(answered(here, startedAt))
      const hangUp = { ...ended(here, id, "caller_hangup", startedAt), durationSeconds: 180 }
      yield* world.provide(Effect.flatMap(Calls, (calls) => calls.apply(hangUp)))
      const agent = yield* world.as("AGENT", here.organizationId)
      const admin = yield* world.as("ADMIN", here.organizationId)
      const lists = ["/api/calls", `/api/voice-agents/${here.agent.id}/calls`]

      assert.strictEqual((yield* admin.ask("GET", `/api/calls/${id}`)).body.cost.minutes, 3)
      assert.isNull((yield* agent.ask("GET", `/api/calls/${id}`)).body.cost)
      for (const path of lists) {
        assert.strictEqual((yield* admin.ask("GET", path)).body.totals.minutes, 3)
        const { body } = yield* agent.ask("GET", path)
        assert.deepStrictEqual([body.total, body.totals], [1, null])
      }
      assert.strictEqual((yield* admin.ask("GET", "/api/voice-usage")).status, 200)
      const usage = yield* agent.ask("GET", "/api/voice-usage")
      assert.strictEqual(usage.status, 403)
      assert.match(usage.body.error, /The role AGENT may not see what calls cost\. An OWNER or ADMIN may\./)
    })
  )

  it.live("does not erase contacts", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const admin = yield* world.as("ADMIN")
      const made = yield* admin.ask("POST", "/api/messaging-api/contacts", { body: { phone: "+14155550123" } })
      const path = `/api/messaging-api/contacts/${made.body.id}`
      const refused = yield* (yield* world.as("AGENT")).ask("DELETE", path)
      assert.strictEqual(refused.status, 403)
      assert.match(refused.body.error, /The role AGENT may not erase contacts\./)
      assert.strictEqual((yield* admin.ask("GET", path)).status, 200)
      assert.strictEqual((yield* admin.ask("DELETE", path)).status, 200)
    })
  )
})
