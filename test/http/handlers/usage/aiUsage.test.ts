/** AI tokens as a client sees them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { makeAccessWorld } from "../../../support/access.ts"
import { newTextAgent } from "../../../support/textAgents.ts"

const stage = Effect.gen(function* () {
  const world = yield* makeAccessWorld()
  const owner = yield* world.as("OWNER")
  const stranger = yield* world.as("OWNER", yield* world.otherOrganization)
  const agent = yield* world.provide(newTextAgent(world.organizationId, { name: "Shop" }))
  const used = (day: string, agentId: string, model: string, input: number, output: number) =>
    world.provide(
      Effect.flatMap(makeSql, ({ sql, asTenant }) =>
        asTenant(world.organizationId)(
          sql`INSERT INTO ai_usage VALUES (${world.organizationId}, ${day}::date, ${agentId}, ${model}, 2, ${input}, ${output})`
        )
      )
    )
  yield* used("2026-01-05", agent.id, "small", 100, 10)
  yield* used("2026-01-06", agent.id, "large", 1_000, 100)
  yield* used("2026-01-06", "bot_gone", "small", 20, 2)
  return { owner, stranger, agent, ...world }
})

const period = "from=2026-01-01&to=2026-01-31"

describe("the report of AI tokens", () => {
  it.live("sums by day, by agent and by model, with what the plan includes", () =>
    Effect.gen(function* () {
      const { owner, agent } = yield* stage
      const read = (query: string) =>
        Effect.map(owner.ask("GET", `/api/ai-usage?${period}&${query}`), ({ body }) => body)
      const byDay = yield* read("groupBy=day")
      assert.deepStrictEqual(byDay.totals, { requests: 6, inputTokens: 1_120, outputTokens: 112, tokens: 1_232 })
      assert.deepStrictEqual(
        byDay.data.map(({ day, tokens }: { day: string; tokens: number }) => [day, tokens]),
        [
          ["2026-01-05", 110],
          ["2026-01-06", 1_122]
        ]
      )
      assert.deepStrictEqual(
        (yield* read("groupBy=agent")).data.map((row: { agentName: string | null; tokens: number }) => [
          row.agentName,
          row.tokens
        ]),
        [
          ["Shop", 1_210],
          [null, 22]
        ]
      )
      assert.deepStrictEqual(
        (yield* read("groupBy=model")).data.map((row: { model: string }) => row.model),
        ["large", "small"]
      )
      assert.strictEqual((yield* read(`agentId=${agent.id}`)).totals.tokens, 1_210)
      const { allowance } = (yield* owner.ask("GET", "/api/ai-usage")).body
      assert.deepInclude(allowance, { tokens: 30_000_000, used: 0, remaining: 30_000_000 })
    })
  )

  it.live("refuses a period that is none, and shows nothing of another organization", () =>
    Effect.gen(function* () {
      const { owner, stranger, keyOf, withKey } = yield* stage
      assert.strictEqual((yield* owner.ask("GET", "/api/ai-usage?from=2026-02-01&to=2026-01-01")).status, 400)
      assert.strictEqual((yield* owner.ask("GET", "/api/ai-usage?groupBy=contact")).status, 400)
      assert.strictEqual((yield* stranger.ask("GET", `/api/ai-usage?${period}`)).body.totals.tokens, 0)
      const { secret } = yield* keyOf(["contacts:read"])
      assert.strictEqual((yield* withKey(secret)("GET", "/api/ai-usage")).status, 403)
    })
  )
})
