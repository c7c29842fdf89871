/** The versions of voice agents and of text agents as a client sees them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { KeyRotation } from "../../../../src/domain/privacy/KeyRotation.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld } from "../../../support/access.ts"

const tool = {
  name: "find_order",
  description: "Finds an order.",
  parameters: { type: "object", properties: {} },
  handler: {
    type: "http",
    url: "https://shop.example/orders",
    method: "GET",
    headers: { authorization: "Bearer shop-secret-0123456789" }
  }
}

interface Kind {
  readonly what: string
  readonly at: string
  readonly table: string
  /** Settings that only agents of this kind have. */
  readonly own: Readonly<Record<string, unknown>>
  /** A change of such settings, and how the agent shows them when its first version is restored. */
  readonly changed: Readonly<Record<string, unknown>>
  readonly restored: Readonly<Record<string, unknown>>
}

const kinds: ReadonlyArray<Kind> = [
  {
    what: "voice agent",
    at: "/api/voice-agents",
    table: "voice_agent_versions",
    own: { welcomeMessage: "Welcome.", voiceFamily: "english", voiceId: "aura-2-thalia-en" },
    changed: { welcomeMessage: "Hello.", voiceId: "aura-2-apollo-en" },
    restored: { welcomeMessage: "Welcome.", voiceId: "aura-2-thalia-en" }
  },
  {
    what: "text agent",
    at: "/api/ai-agents",
    table: "text_agent_versions",
    own: { answers: "always" },
    changed: { answers: "never", channels: [] },
    restored: { answers: "always", channels: ["messaging"] }
  }
]

describe.each(kinds)("the versions of a $what", ({ what, at, table, own, changed, restored }) => {
  const agent = { name: "Shop", systemPrompt: "You answer for a bookshop.", tools: [tool], ...own }

  it.live("keep each save with who made it, and one of them is saved again with its secrets", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const admin = yield* world.as("ADMIN")
      const made = yield* owner.ask("POST", at, { body: agent })
      assert.strictEqual(made.status, 201)
      const path = `${at}/${made.body.id}`
      const put = (body: object, as = admin) => as.ask("PUT", path, { body })
      assert.strictEqual((yield* put({ systemPrompt: "You are rude." })).status, 200)
      assert.strictEqual((yield* put({ name: "Bookshop", tools: [], ...changed }, owner)).status, 200)

      const { body } = yield* admin.ask("GET", `${path}/versions`)
      const versions: ReadonlyArray<Record<string, unknown>> = body.data
      assert.deepStrictEqual(
        versions.map(({ version, name, savedBy }) => [version, name, savedBy]),
        [
          [3, "Bookshop", { type: "user", id: owner.id }],
          [2, "Shop", { type: "user", id: admin.id }],
          [1, "Shop", { type: "user", id: owner.id }]
        ]
      )
      assert.sameMembers([...(versions[0].changed as Array<string>)], ["name", "tools", ...Object.keys(changed)])
      assert.deepStrictEqual(versions[1].changed, ["systemPrompt"])
      const first = yield* admin.ask("GET", `${path}/versions/1`)
      assert.deepInclude(first.body.settings, { systemPrompt: agent.systemPrompt, ...restored })
      assert.notInclude(JSON.stringify(first.body), "shop-secret")
      const stored = world.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          tenant(world.organizationId)(sql`SELECT settings::text AS text FROM ${sql(table)}`)
        )
      )
      assert.lengthOf(yield* stored, 3)
      assert.notInclude(JSON.stringify(yield* stored), "shop-secret")

      const again = yield* admin.ask("POST", `${path}/versions/1/restore`)
      assert.deepInclude(again.body, { name: "Shop", systemPrompt: agent.systemPrompt, ...restored })
      assert.strictEqual(again.body.tools[0].name, "find_order")
      assert.strictEqual((yield* admin.ask("GET", `${path}/versions`)).body.data[0].version, 4)
      assert.strictEqual((yield* admin.ask("GET", `${path}/versions/9`)).status, 404)
      assert.strictEqual((yield* admin.ask("POST", `${path}/versions/0/restore`)).status, 400)

      const agentPerson = yield* world.as("AGENT")
      assert.strictEqual((yield* agentPerson.ask("GET", `${path}/versions`)).status, 200)
      assert.strictEqual((yield* agentPerson.ask("POST", `${path}/versions/1/restore`)).status, 403)
      const stranger = yield* world.as("OWNER", yield* world.otherOrganization)
      for (const [method, end] of [
        ["GET", "versions"],
        ["GET", "versions/1"],
        ["POST", "versions/1/restore"]
      ])
        assert.strictEqual((yield* stranger.ask(method, `${path}/${end}`)).status, 404, end)

      // Their secrets get the newest key with those of the agents.
      const { reencrypted } = yield* world.provide(Effect.flatMap(KeyRotation, ({ run }) => run))
      assert.strictEqual(reencrypted, 0, "the key is the newest already")
      assert.strictEqual((yield* admin.ask("POST", `${path}/versions/1/restore`)).status, 200)
      assert.strictEqual((yield* admin.ask("DELETE", path)).status, 200)
      assert.deepStrictEqual(yield* stored, [], "they go with the agent")
    })
  )

  it.live("a save by somebody else since is refused to who says what they had read, and says whose it was", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const admin = yield* world.as("ADMIN")
      const made = yield* owner.ask("POST", at, { body: { ...agent, tools: [] } })
      const path = `${at}/${made.body.id}`
      const save = (description: string, readAt: string, as = owner) =>
        as.ask("PUT", path, { body: { description }, headers: { "if-match": `"${readAt}"` } })
      const saved = yield* save("one", made.body.updatedAt, admin)
      assert.strictEqual(saved.status, 200)
      const late = yield* save("two", made.body.updatedAt)
      assert.strictEqual(late.status, 409)
      assert.match(late.body.error, new RegExp(`^Ada saved this ${what} at 20`))
      assert.strictEqual((yield* owner.ask("GET", path)).body.description, "one")
      assert.strictEqual((yield* save("two", saved.body.updatedAt)).status, 200)
      // Without the header the last save counts, as before.
      assert.strictEqual((yield* owner.ask("PUT", path, { body: { description: "three" } })).status, 200)
      const { body } = yield* owner.ask("GET", `${path}/versions`)
      assert.strictEqual(body.total, 4, "what was refused left no version")
    })
  )

  it.live("begin with what an agent was that was made before versions were kept", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const made = yield* owner.ask("POST", at, { body: agent })
      const path = `${at}/${made.body.id}`
      yield* world.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(world.organizationId)(sql`DELETE FROM ${sql(table)}`))
      )
      yield* owner.ask("PUT", path, { body: changed })
      const { body } = yield* owner.ask("GET", `${path}/versions`)
      assert.deepStrictEqual(
        body.data.map(({ version, savedBy }: { version: number; savedBy: object }) => [version, savedBy]),
        [
          [2, { type: "user", id: owner.id }],
          [1, { type: "system", id: null }]
        ]
      )
      assert.deepInclude((yield* owner.ask("POST", `${path}/versions/1/restore`)).body, restored)
    })
  )
})
