/** Text agents as a client sees them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld } from "../../../support/access.ts"
import { newConversation } from "../../../support/conversations.ts"
import { root } from "../../../support/messaging.ts"
import { agentOf } from "../../../support/tenants.ts"

const at = "/api/ai-agents"
const secret = "Bearer shop-secret-0123456789"
const tool = {
  name: "find_order",
  description: "Finds an order.",
  parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
  handler: { type: "http", url: "https://shop.example/orders", method: "GET", headers: { authorization: secret } }
}

const stage = Effect.gen(function* () {
  const world = yield* makeAccessWorld()
  const owner = yield* world.as("OWNER")
  const stranger = yield* world.as("OWNER", yield* world.otherOrganization)
  return { ...world, owner, stranger }
})

describe("text agents", () => {
  it.live("are created with defaults, changed, listed and deleted, with an entry in the audit log each time", () =>
    Effect.gen(function* () {
      const { owner, audited, organizationId } = yield* stage
      const made = yield* owner.ask("POST", at, { body: { name: "Shop", limits: { waitMs: 0 } } })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, {
        organizationId,
        name: "Shop",
        answers: "when_unassigned",
        channels: ["messaging"]
      })
      assert.deepStrictEqual(made.body.limits, {
        waitMs: 0,
        historyTokens: 4_000,
        modelCallsPerTurn: 8,
        secondsPerTurn: 30
      })
      assert.match(made.body.id, /^bot_/)
      const one = `${at}/${made.body.id}`
      const changed = yield* owner.ask("PUT", one, { body: { answers: "always", limits: { secondsPerTurn: 20 } } })
      assert.deepInclude(changed.body, { name: "Shop", answers: "always", createdAt: made.body.createdAt })
      assert.deepInclude(changed.body.limits, { waitMs: 0, secondsPerTurn: 20 })
      // What was read can be written back.
      assert.strictEqual((yield* owner.ask("PUT", one, { body: changed.body })).status, 200)
      assert.deepStrictEqual((yield* owner.ask("GET", at)).body.total, 1)
      assert.deepStrictEqual((yield* owner.ask("DELETE", one)).body, { id: made.body.id, deleted: true })
      for (const method of ["GET", "DELETE"]) assert.strictEqual((yield* owner.ask(method, one)).status, 404)
      const actions = (yield* audited())
        .map(({ action }) => action)
        .filter((action) => action.startsWith("text_agent."))
      assert.sameMembers(actions, [
        "text_agent.created",
        "text_agent.updated",
        "text_agent.updated",
        "text_agent.deleted"
      ])
    })
  )

  it.live("keep the secrets of their tools: encrypted, shown in part, and kept when they are sent back", () =>
    Effect.gen(function* () {
      const { owner, audited, provide, organizationId } = yield* stage
      const { body } = yield* owner.ask("POST", at, { body: { name: "Shop", tools: [tool] } })
      assert.notInclude(JSON.stringify(body), secret)
      const rows = provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql`SELECT settings FROM text_agents`))
      )
      assert.notInclude(JSON.stringify(yield* rows), "shop-secret")
      const sealed = JSON.stringify(yield* rows)
      assert.include(sealed, '"sealed"')
      yield* owner.ask("PUT", `${at}/${body.id}`, { body: { name: "Bookshop", tools: body.tools } })
      const moved = [{ ...body.tools[0], handler: { ...body.tools[0].handler, url: "https://other.example/orders" } }]
      assert.strictEqual((yield* owner.ask("PUT", `${at}/${body.id}`, { body: { tools: moved } })).status, 400)
      assert.notInclude(JSON.stringify(yield* audited()), secret)
    })
  )

  it.live("are refused with a sentence that names the field", () =>
    Effect.gen(function* () {
      const { owner } = yield* stage
      const { body: known } = yield* owner.ask("POST", at, { body: { name: "Shop" } })
      const refused = (body: object, status = 400) =>
        Effect.map(owner.ask("POST", at, { body }), (answer) => {
          assert.strictEqual(answer.status, status, JSON.stringify(body))
          return String(answer.body.error)
        })
      for (const [body, word] of [
        [{}, "name"],
        [{ name: " " }, "name"],
        [{ name: "A", language: "English" }, "language"],
        [{ name: "A", disclosureText: "…" }, "switched off"],
        [{ name: "A", answers: "sometimes" }, "answers"],
        [{ name: "A", channels: ["voice"] }, "channels"],
        [{ name: "A", limits: { modelCallsPerTurn: 9 } }, "modelCallsPerTurn"],
        [{ name: "A", knowledgeBases: ["agt_1"] }, "knowledgeBases"],
        [{ name: "A", voiceAgentId: "agt_0" }, "voiceAgentId"],
        [{ name: "A", tools: [tool, tool] }, "tools"]
      ] as const)
        assert.include(yield* refused(body), word)
      assert.include(yield* refused({ name: "Shop" }, 409), "Shop")
      assert.strictEqual((yield* owner.ask("PUT", `${at}/${known.id}`, { body: {} })).status, 400)
    })
  )

  it.live("need scopes: an AGENT sees them and changes nothing, and a stranger sees none", () =>
    Effect.gen(function* () {
      const { owner, stranger, ...world } = yield* stage
      const { body } = yield* owner.ask("POST", at, { body: { name: "Shop" } })
      const one = `${at}/${body.id}`
      const agent = yield* world.as("AGENT")
      assert.strictEqual((yield* agent.ask("GET", one)).status, 200)
      assert.strictEqual((yield* agent.ask("PUT", one, { body: { name: "Mine" } })).status, 403)
      assert.strictEqual((yield* agent.ask("POST", at, { body: { name: "Mine" } })).status, 403)
      for (const method of ["GET", "DELETE"]) assert.strictEqual((yield* stranger.ask(method, one)).status, 404)
      assert.strictEqual((yield* stranger.ask("PUT", one, { body: { name: "Mine" } })).status, 404)
      assert.strictEqual((yield* stranger.ask("GET", at)).body.total, 0)
    })
  )

  it.live("share the prompt of a voice agent of the same organization", () =>
    Effect.gen(function* () {
      const { owner, stranger, provide, organizationId } = yield* stage
      const voice = agentOf(organizationId)
      yield* provide(Effect.flatMap(VoiceAgents, (agents) => agents.create(voice)))
      const body = { name: "In chat", voiceAgentId: voice.id }
      assert.strictEqual((yield* owner.ask("POST", at, { body })).body.voiceAgentId, voice.id)
      assert.strictEqual((yield* stranger.ask("POST", at, { body })).status, 400)
    })
  )

  it.live("have conversations assigned to them, which are OPEN when the agent is gone", () =>
    Effect.gen(function* () {
      const { owner, provide, organizationId } = yield* stage
      const { body: bot } = yield* owner.ask("POST", at, { body: { name: "Shop" } })
      const { conversationId } = yield* provide(newConversation(organizationId))
      const chat = `${root}/chats/${conversationId}`
      const taken = yield* owner.ask("PATCH", chat, { body: { assignee: bot.id } })
      assert.deepInclude(taken.body, { status: "ASSIGNED", assignee: bot.id })
      const listed = yield* owner.ask("GET", `${root}/chats?assignee=${bot.id}`)
      assert.deepStrictEqual([listed.body.total, listed.body.data[0].assignee], [1, bot.id])
      assert.strictEqual((yield* owner.ask("GET", `${root}/chats?assignee=none`)).body.total, 0)
      const resolved = yield* owner.ask("PATCH", chat, { body: { status: "RESOLVED" } })
      assert.deepInclude(resolved.body, { status: "RESOLVED", assignee: bot.id })
      yield* owner.ask("PATCH", chat, { body: { assignee: bot.id } })
      yield* owner.ask("DELETE", `${at}/${bot.id}`)
      assert.deepInclude((yield* owner.ask("GET", chat)).body, { status: "OPEN", assignee: null })
      assert.strictEqual((yield* owner.ask("PATCH", chat, { body: { assignee: bot.id } })).status, 404)
    })
  )
})
