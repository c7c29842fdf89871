import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { VoiceAgents } from "../../../src/domain/voice/agents/VoiceAgent.ts"
import { deleteExpired } from "../../../src/integrations/postgres/access/AcrossTenants.ts"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld } from "../../support/access.ts"
import { eventually } from "../../support/eventually.ts"

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are a receptionist."
}
const path = "/api/voice-agents"

const setUp = Effect.gen(function* () {
  const world = yield* makeAccessWorld()
  const ask = world.withKey((yield* world.keyOf(["voice:read", "voice:write", "admin"])).secret)
  const post = (key: string, body: unknown = agent, as = ask, to = path) =>
    as("POST", to, { body, headers: { "idempotency-key": key } })
  const agents = world.provide(
    Effect.flatMap(VoiceAgents, ({ list }) => Effect.map(list(world.organizationId, 1, 1), ({ total }) => total))
  )
  const run = (statement: string) =>
    world.provide(Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(world.organizationId)(sql.unsafe(statement))))
  return { ...world, ask, post, agents, run }
})

describe("with an Idempotency-Key", () => {
  it.live("a repeated request gets the first answer, and nothing is done twice", () =>
    Effect.gen(function* () {
      const { post, agents, engine, audited } = yield* setUp
      const first = yield* post("order-1")
      assert.strictEqual(first.status, 201)
      assert.isNull(first.headers.get("idempotent-replayed"))
      for (let again = 0; again < 3; again++) {
        const repeated = yield* post("order-1")
        assert.deepStrictEqual([repeated.status, repeated.body], [201, first.body])
        assert.strictEqual(repeated.headers.get("idempotent-replayed"), "true")
        assert.strictEqual(repeated.headers.get("content-type"), first.headers.get("content-type"))
        assert.notStrictEqual(repeated.headers.get("x-request-id"), first.headers.get("x-request-id"))
      }
      assert.deepStrictEqual([yield* agents, engine.puts, (yield* audited()).length], [1, 1, 1])
    })
  )

  it.live("another body under the same key gets 409, and so does a second request while the first runs", () =>
    Effect.gen(function* () {
      const { post, agents, run } = yield* setUp
      yield* post("a")
      const other = yield* post("a", { ...agent, name: "Other" })
      assert.strictEqual(other.status, 409)
      assert.match(other.body.error, /another body/)
      assert.isNull(other.headers.get("retry-after"))
      yield* run("UPDATE idempotency_keys SET answer = NULL")
      const underWay = yield* post("a")
      assert.deepStrictEqual([underWay.status, underWay.headers.get("retry-after")], [409, "1"])
      assert.match(underWay.body.error, /under way/)
      assert.strictEqual(yield* agents, 1)
    })
  )

  it.live("only one of many simultaneous requests is carried out", () =>
    Effect.gen(function* () {
      const { post, agents } = yield* setUp
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, () => post("b")),
        { concurrency: "unbounded" }
      )
      const statuses = new Set(answers.map(({ status }) => status))
      assert.isTrue(statuses.has(201))
      assert.isEmpty([...statuses].filter((status) => status !== 201 && status !== 409))
      assert.strictEqual(yield* agents, 1)
      assert.strictEqual((yield* post("b")).status, 201)
    })
  )

  it.live(
    "a refused request leaves its key free, also for a corrected body, and one that failed on our side is carried out again",
    () =>
      Effect.gen(function* () {
        const { post, agents, engine, run } = yield* setUp
        assert.strictEqual((yield* post("c", { ...agent, voiceId: "nobody" })).status, 400)
        assert.strictEqual((yield* post("c", "{")).status, 400)
        assert.lengthOf((yield* run("SELECT 1 FROM idempotency_keys")) as ReadonlyArray<unknown>, 0)
        engine.rejects = "out of order"
        assert.strictEqual((yield* post("c")).status, 500)
        assert.strictEqual((yield* post("c", { ...agent, name: "Other" })).status, 409)
        engine.rejects = undefined
        assert.strictEqual((yield* post("c")).status, 201)
        assert.strictEqual(yield* agents, 1)
      })
  )

  it.live("the key applies only to its caller, organization and address, and to POST alone", () =>
    Effect.gen(function* () {
      const { post, agents, keyOf, withKey, otherOrganization, ask } = yield* setUp
      const { body } = yield* post("d")
      const colleague = withKey((yield* keyOf(["voice:write", "admin"])).secret)
      assert.strictEqual((yield* post("d", { ...agent, name: "Second" }, colleague)).status, 201)
      const stranger = withKey((yield* keyOf(["voice:write"], yield* otherOrganization)).secret)
      const theirs = yield* post("d", agent, stranger)
      assert.strictEqual(theirs.status, 201)
      assert.notStrictEqual(theirs.body.id, body.id)
      assert.strictEqual((yield* post("d", { name: "k" }, ask, "/api/api-keys")).status, 201)
      const put = yield* ask("PUT", `${path}/${body.id}`, {
        body: { recording: true },
        headers: { "idempotency-key": "d" }
      })
      assert.deepStrictEqual([put.status, put.body.recording], [200, true])
      assert.strictEqual(yield* agents, 2)
    })
  )

  it.live("an answer with a secret is repeated with the secret masked, and stored encrypted", () =>
    Effect.gen(function* () {
      const { post, ask, run } = yield* setUp
      const first = yield* post("e", { name: "k" }, ask, "/api/api-keys")
      const again = yield* post("e", { name: "k" }, ask, "/api/api-keys")
      assert.deepStrictEqual(again.body, { ...first.body, key: `********${first.body.key.slice(-4)}` })
      const person = { email: "asha@example.com", name: "Asha", role: "AGENT" }
      const invited = yield* post("f", person, ask, "/api/users")
      const { token } = invited.body.invitation
      const repeated = yield* post("f", person, ask, "/api/users")
      assert.strictEqual(repeated.body.invitation.token, `********${token.slice(-4)}`)
      assert.notInclude(JSON.stringify(yield* run("SELECT * FROM idempotency_keys")), first.body.key.slice(12))
    })
  )

  it.live("a client that goes away gets its answer when it repeats the request", () =>
    Effect.gen(function* () {
      const { post, agents, engine, run } = yield* setUp
      engine.delayMs = 1_000
      const gone = yield* Effect.forkChild(post("f"))
      const answers = Effect.map(
        run("SELECT answer FROM idempotency_keys"),
        (rows) => rows as ReadonlyArray<{ answer: unknown }>
      )
      yield* eventually(
        "it is being carried out",
        Effect.map(answers, (rows) => rows.length > 0)
      )
      yield* Fiber.interrupt(gone)
      yield* eventually(
        "it is answered",
        Effect.map(answers, ([{ answer }]) => answer !== null)
      )
      engine.delayMs = 0
      const again = yield* post("f")
      assert.deepStrictEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"])
      assert.strictEqual(yield* agents, 1)
    })
  )

  it.live(
    "a request whose process died is carried out again as the same operation once the process's lease has expired",
    () =>
      Effect.gen(function* () {
        const { post, agents, run } = yield* setUp
        yield* post("g")
        yield* run("DELETE FROM voice_agents")
        const [{ id }] = (yield* run("SELECT id FROM idempotency_keys")) as ReadonlyArray<{ id: string }>
        yield* run("UPDATE idempotency_keys SET answer = NULL, leased_until = now() - interval '1 second'")
        assert.strictEqual((yield* post("g")).status, 201)
        const after = (yield* run("SELECT id, attempt FROM idempotency_keys")) as ReadonlyArray<object>
        assert.deepStrictEqual(after, [{ id, attempt: 2 }])
        assert.strictEqual(yield* agents, 1)
      })
  )

  it.live("a key can be used anew after a day, and expired keys of all organizations are removed", () =>
    Effect.gen(function* () {
      const { post, run, provide } = yield* setUp
      yield* post("h")
      yield* run("UPDATE idempotency_keys SET expires_at = now() - interval '1 second'")
      assert.strictEqual((yield* post("h", { ...agent, name: "Tomorrow" })).status, 201)
      yield* run("UPDATE idempotency_keys SET expires_at = now() - interval '1 second'")
      yield* post("i", { ...agent, name: "Kept" })
      const now = yield* Clock.currentTimeMillis
      const removeExpired = Effect.flatMap(SqlClient.SqlClient, (sql) => deleteExpired(sql, now, 0, 100))
      assert.strictEqual(yield* provide(removeExpired), 1)
      assert.strictEqual(yield* provide(removeExpired), 0)
      assert.strictEqual((yield* post("i", { ...agent, name: "Kept" })).headers.get("idempotent-replayed"), "true")
    })
  )

  it.live("a malformed key gets 400", () =>
    Effect.gen(function* () {
      const { post, agents } = yield* setUp
      for (const key of ["", "a b", "x".repeat(256), "é"]) assert.strictEqual((yield* post(key)).status, 400, key)
      assert.strictEqual(yield* agents, 0)
    })
  )
})
