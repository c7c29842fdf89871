import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { KeyRotation } from "../../../../src/domain/privacy/KeyRotation.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld } from "../../../support/access.ts"

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are a receptionist.",
  tools: [
    {
      name: "find_order",
      description: "Finds an order.",
      parameters: { type: "object", properties: {} },
      handler: {
        type: "http",
        url: "https://shop.example/orders",
        method: "GET",
        headers: { authorization: "Bearer a-secret-of-ours" }
      }
    }
  ]
}

describe("the versions of a voice agent", () => {
  it.live("keep each save with who made it, and one of them is saved again with its secrets", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const admin = yield* world.as("ADMIN")
      const made = yield* owner.ask("POST", "/api/voice-agents", { body: agent })
      assert.strictEqual(made.status, 201)
      const path = `/api/voice-agents/${made.body.id}`
      const put = (body: object, as = admin) => as.ask("PUT", path, { body })
      assert.strictEqual((yield* put({ systemPrompt: "You are rude." })).status, 200)
      assert.strictEqual((yield* put({ name: "Front desk", tools: [] }, owner)).status, 200)

      const { body } = yield* admin.ask("GET", `${path}/versions`)
      const versions: ReadonlyArray<Record<string, unknown>> = body.data
      assert.deepStrictEqual(
        versions.map(({ version, name, savedBy }) => [version, name, savedBy]),
        [
          [3, "Front desk", { type: "user", id: owner.id }],
          [2, "Reception", { type: "user", id: admin.id }],
          [1, "Reception", { type: "user", id: owner.id }]
        ]
      )
      assert.deepStrictEqual([versions[0].changed, versions[1].changed], [["name", "tools"], ["systemPrompt"]])
      const first = yield* admin.ask("GET", `${path}/versions/1`)
      assert.strictEqual(first.body.settings.systemPrompt, agent.systemPrompt)
      assert.notInclude(JSON.stringify(first.body), "a-secret-of-ours")
      const stored = yield* world.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          tenant(world.organizationId)(sql`SELECT settings::text AS text FROM voice_agent_versions`)
        )
      )
      assert.notInclude(JSON.stringify(stored), "a-secret-of-ours")

      const restored = yield* admin.ask("POST", `${path}/versions/1/restore`)
      assert.deepInclude(restored.body, { name: "Reception", systemPrompt: agent.systemPrompt })
      const tool = world.engine.configs.get(made.body.id)?.tools.find(({ name }) => name === "find_order")
      assert.isDefined(tool)
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

      yield* world.provide(Effect.flatMap(KeyRotation, ({ run }) => run))
      assert.strictEqual((yield* admin.ask("POST", `${path}/versions/1/restore`)).status, 200)
    })
  )

  it.live("a save by somebody else since is refused to who says what they had read, and says whose it was", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const admin = yield* world.as("ADMIN")
      const made = yield* owner.ask("POST", "/api/voice-agents", { body: { ...agent, tools: [] } })
      const path = `/api/voice-agents/${made.body.id}`
      const save = (description: string, readAt: string, as = owner) =>
        as.ask("PUT", path, { body: { description }, headers: { "if-match": `"${readAt}"` } })
      const saved = yield* save("one", made.body.updatedAt, admin)
      assert.strictEqual(saved.status, 200)
      const late = yield* save("two", made.body.updatedAt)
      assert.strictEqual(late.status, 409)
      assert.match(late.body.error, /^Ada saved this voice agent at 20/)
      assert.strictEqual((yield* owner.ask("GET", path)).body.description, "one")
      assert.strictEqual((yield* save("two", saved.body.updatedAt)).status, 200)
      // Without the header the last save counts, as before.
      assert.strictEqual((yield* owner.ask("PUT", path, { body: { description: "three" } })).status, 200)
    })
  )
})
