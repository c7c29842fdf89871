/** The audit of tools over HTTP, on the real stores. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Scope } from "../../../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { newConversation } from "../../../support/conversations.ts"
import { answered, desk } from "../../../support/escalation.ts"
import { testStores } from "../../../support/tenants.ts"
import { makeWorld } from "../../world.ts"

describe("the audit of tools", () => {
  it.live("shows the tool runs of the organization's agents only to administrators", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(testStores)
      const world = yield* makeWorld({ stores: Layer.succeedContext(stores) })
      const keys = yield* ApiKeys.pipe(Effect.provide(stores))
      const calls = yield* Calls.pipe(Effect.provide(stores))
      const [here, other] = [yield* desk().pipe(Effect.provide(stores)), yield* desk().pipe(Effect.provide(stores))]
      const get = Effect.fnUntraced(function* (organizationId: string, scope: Scope, query = "") {
        const { secret } = yield* keys.create({ organizationId, name: "k", scopes: [scope] })
        return yield* Effect.promise(() => world.call("GET", `/api/tool-calls${query}`, undefined, secret))
      })
      const ran: Array<string> = []
      for (const [name, outcome] of [
        ["orders", "ok"],
        ["orders", "error"],
        ["refund", "ok"]
      ] as const) {
        const { id } = yield* answered(here).pipe(Effect.provide(stores))
        ran.unshift(id)
        const entry = { id: "tool_1", name, arguments: '{"order":1}', result: "{}", outcome, durationMs: 12 }
        yield* calls.recordToolCall(here.organizationId, id, entry)
      }
      const { status, body } = yield* get(here.organizationId, "admin")
      assert.strictEqual(status, 200)
      const data = body.data as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        data.map(({ callId }) => callId),
        ran
      )
      assert.deepInclude(data[0], { name: "refund", arguments: '{"order":1}', outcome: "ok", agentId: here.agent.id })
      const found = yield* get(here.organizationId, "admin", "?name=orders&outcome=error")
      assert.deepInclude(found.body, { total: 1, page: 1, limit: 20 })
      assert.strictEqual((yield* get(here.organizationId, "admin", `?callId=${ran[1]}`)).body.total, 1)
      assert.strictEqual((yield* get(here.organizationId, "admin", "?to=2020-01-01")).body.total, 0)
      assert.strictEqual((yield* get(here.organizationId, "admin", "?outcome=maybe")).status, 400)
      assert.deepStrictEqual((yield* get(other.organizationId, "admin")).body.data, [])
      const { conversationId, organizationId } = yield* newConversation(other.organizationId).pipe(
        Effect.provide(stores)
      )
      const { sql, asTenant } = yield* Effect.provide(makeSql, stores)
      yield* asTenant(
        organizationId
      )(sql`INSERT INTO agent_tool_runs (organization_id, conversation_id, turn_id, key, position, agent_id,
          name, arguments, outcome, result, started_at, ended_at)
        VALUES (${organizationId}, ${conversationId}, 'trn_1', 'call_1', 0, 'bot_1', 'find_order', '{}', 'ok', 'ready', now(), now())`)
      const [inChat] = (yield* get(organizationId, "admin", "?agentId=bot_1")).body.data as ReadonlyArray<object>
      assert.deepInclude(inChat, { name: "find_order", result: "ready", callId: "", conversationId, agentId: "bot_1" })
      const refused = yield* get(here.organizationId, "voice:read")
      assert.deepStrictEqual([refused.status, refused.body.error], [403, "This API key lacks the scope admin."])
    })
  )
})
