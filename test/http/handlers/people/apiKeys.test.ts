import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { defaultScopes } from "../../../../src/domain/people/access/Access.ts"
import { makeAccessWorld } from "../../../support/access.ts"

describe("at /api/api-keys", () => {
  it.live(
    "a key names its maker and ends for good when they are deactivated, at once and with a line in the audit log",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const [owner, admin] = [yield* world.as("OWNER"), yield* world.as("ADMIN")]
        const make = (ask: typeof owner.ask, body: object = {}) =>
          Effect.map(ask("POST", "/api/api-keys", { body: { name: "k", ...body } }), (answer) => answer.body)
        const operators = yield* world.keyOf(["admin", "status:read"])
        const kept = yield* make(owner.ask)
        const first = yield* make(admin.ask, { scopes: ["admin", "status:read"] })
        const { body: rotated } = yield* admin.ask("POST", `/api/api-keys/${kept.id}/rotate`, { body: {} })
        assert.strictEqual(rotated.status, undefined)
        // A key made with a key is its maker's.
        const second = yield* make(world.withKey(first.key), { scopes: ["status:read"] })
        const third = yield* make(world.withKey(operators.secret), { scopes: ["status:read"] })
        assert.deepStrictEqual(
          [kept.makerId, first.makerId, second.makerId, third.makerId],
          [owner.id, admin.id, admin.id, null]
        )
        const works = (key: string) =>
          Effect.map(world.withKey(key)("GET", "/api/messaging-api/status"), ({ status }) => status)
        for (const { key } of [kept, first, second, third]) assert.strictEqual(yield* works(key), 200)

        yield* owner.ask("DELETE", `/api/users/${admin.id}`)
        assert.deepStrictEqual(
          yield* Effect.forEach([first.key, second.key, kept.key, third.key], works),
          [401, 401, 200, 200]
        )
        yield* owner.ask("PATCH", `/api/users/${admin.id}`, { body: { active: true } })
        assert.strictEqual(yield* works(first.key), 401)
        const listed = (yield* owner.ask("GET", "/api/api-keys")).body.data
        assert.deepInclude(
          listed.find(({ id }: { id: string }) => id === first.id),
          { makerId: admin.id, status: "revoked" }
        )
        const log = (yield* world.audited()).filter(({ action }) => action === "api_key.revoked")
        assert.sameMembers(
          log.map(({ subjectId }) => subjectId),
          [first.id, second.id]
        )
        assert.deepInclude(log[0], { actor: { type: "user", id: owner.id }, before: { makerId: admin.id } })
      })
  )

  it.live("a key loses the scopes that a lower role of its maker does not have, and ends when none is left", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [owner, other] = [yield* world.as("OWNER"), yield* world.as("OWNER")]
      const make = (scopes: ReadonlyArray<string>) =>
        Effect.map(other.ask("POST", "/api/api-keys", { body: { name: "k", scopes } }), ({ body }) => body)
      const [mcp, mixed] = [yield* make(["mcp"]), yield* make(["mcp", "admin", "status:read"])]
      const scopesOf = Effect.map(owner.ask("GET", "/api/api-keys"), ({ body }) =>
        [mcp, mixed].map(({ id }) => {
          const { status, scopes } = body.data.find((key: { id: string }) => key.id === id)
          return [status, scopes]
        })
      )
      const demote = (role: string) => owner.ask("PATCH", `/api/users/${other.id}`, { body: { role } })
      yield* demote("ADMIN")
      assert.deepStrictEqual(yield* scopesOf, [
        ["revoked", []],
        ["active", ["admin", "status:read"]]
      ])
      assert.strictEqual((yield* world.withKey(mcp.key)("GET", "/api/messaging-api/status")).status, 401)
      assert.strictEqual((yield* world.withKey(mixed.key)("GET", "/api/api-keys")).status, 200)
      yield* demote("AGENT")
      yield* demote("OWNER")
      assert.deepStrictEqual((yield* scopesOf)[1], ["active", ["status:read"]])
      assert.strictEqual((yield* world.withKey(mixed.key)("GET", "/api/api-keys")).status, 403)
      const narrowed = (yield* world.audited()).filter(({ action }) => action === "api_key.narrowed")
      assert.deepStrictEqual(
        narrowed.map(({ subjectId, after }) => [subjectId, after]),
        [
          [mixed.id, { scopes: ["status:read"] }],
          [mixed.id, { scopes: ["admin", "status:read"] }]
        ]
      )
    })
  )

  it.live("a key is shown once, works with its scopes, and is listed without its secret", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { ask } = yield* world.as("OWNER")
      const made = yield* ask("POST", "/api/api-keys", { body: { name: "Shop", scopes: ["voice:read"] } })
      assert.strictEqual(made.status, 201)
      const { key, ...record } = made.body
      assert.match(key, /^mk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/)
      assert.deepInclude(record, {
        name: "Shop",
        prefix: key.slice(0, 11),
        lastFour: key.slice(-4),
        scopes: ["voice:read"],
        status: "active",
        expiresAt: null,
        lastUsedAt: null
      })
      const shop = world.withKey(key)
      assert.strictEqual((yield* shop("GET", "/api/voice-agents")).status, 200)
      assert.strictEqual((yield* shop("GET", "/api/api-keys")).status, 403)
      const { body } = yield* ask("GET", "/api/api-keys")
      assert.deepInclude(body, { page: 1, limit: 20, total: 1 })
      assert.deepStrictEqual({ ...body.data[0], lastUsedAt: null }, record)
      assert.isString(body.data[0].lastUsedAt)
      assert.notInclude(JSON.stringify(body), key.slice(12))
    })
  )

  it.live(
    "a key created without scopes has all its creator's scopes except admin, and nobody gives more than they have",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const owner = yield* world.as("OWNER")
        const all = yield* owner.ask("POST", "/api/api-keys", { body: { name: "all" } })
        assert.deepStrictEqual(all.body.scopes, [...defaultScopes])
        const narrow = world.withKey((yield* world.keyOf(["admin", "voice:read"])).secret)
        assert.deepStrictEqual((yield* narrow("POST", "/api/api-keys", { body: { name: "n" } })).body.scopes, [
          "voice:read"
        ])
        const more = yield* narrow("POST", "/api/api-keys", {
          body: { name: "n", scopes: ["voice:read", "voice:write", "mcp"] }
        })
        assert.deepStrictEqual(
          [more.status, more.body],
          [403, { error: "A key cannot have more than its maker, who lacks voice:write, mcp." }]
        )
        const rotated = yield* narrow("POST", `/api/api-keys/${all.body.id}/rotate`, { body: {} })
        assert.strictEqual(rotated.status, 403)
        assert.strictEqual((yield* world.withKey(all.body.key)("GET", "/api/voice-agents")).status, 200)
      })
  )

  it.live("a key is read, renamed and given another end, and its successor ends when it would", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { ask } = yield* world.as("OWNER")
      const at = "2099-01-01T00:00:00.000Z"
      const { body: made } = yield* ask("POST", "/api/api-keys", { body: { name: "Shop", expiresAt: at } })
      const address = `/api/api-keys/${made.id}`
      const { key, ...record } = made
      assert.deepStrictEqual((yield* ask("GET", address)).body, record)
      const { body: rotated } = yield* ask("POST", `${address}/rotate`)
      assert.strictEqual(rotated.expiresAt, at)
      const later = "2099-06-01T00:00:00.000Z"
      const successor = `/api/api-keys/${rotated.id}`
      const changed = yield* ask("PATCH", successor, { body: { name: "Web shop", expiresAt: later } })
      assert.deepInclude(changed.body, { id: rotated.id, name: "Web shop", expiresAt: later })
      const endless = yield* ask("PATCH", successor, { body: { expiresAt: null } })
      assert.deepInclude(endless.body, { name: "Web shop", expiresAt: null })
      assert.strictEqual((yield* ask("POST", `${successor}/rotate`, { body: { expiresAt: at } })).body.expiresAt, at)
      assert.strictEqual((yield* ask("PATCH", successor, { body: {} })).status, 400)
      assert.strictEqual((yield* ask("PATCH", successor, { body: { expiresAt: "2020-01-01T00:00:00Z" } })).status, 400)
      yield* ask("DELETE", successor)
      assert.strictEqual((yield* ask("PATCH", successor, { body: { name: "x" } })).status, 409)
      assert.strictEqual((yield* ask("GET", "/api/api-keys/key_none")).status, 404)
      const [entry] = (yield* world.audited()).filter(({ action }) => action === "api_key.changed")
      assert.deepInclude(entry, {
        subjectId: rotated.id,
        before: { ...entry.before, expiresAt: later },
        after: { ...entry.after, expiresAt: null }
      })
      assert.notInclude(JSON.stringify(yield* world.audited()), key.slice(12))
    })
  )

  it.live("a rotated key and its successor both work during the overlap, and then only the successor does", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { ask } = yield* world.as("OWNER")
      const rotate = (id: string, body: object) => ask("POST", `/api/api-keys/${id}/rotate`, { body })
      const { body: first } = yield* ask("POST", "/api/api-keys", { body: { name: "Shop", scopes: ["voice:read"] } })
      const before = Date.now()
      const { status, body: second } = yield* rotate(first.id, { overlapSeconds: 60 })
      assert.strictEqual(status, 201)
      assert.deepInclude(second, { name: "Shop", scopes: ["voice:read"], status: "active", expiresAt: null })
      assert.deepInclude(second.replaced, { id: first.id, status: "active", rotatedTo: second.id })
      assert.approximately(Date.parse(second.replaced.expiresAt), before + 60_000, 10_000)
      const works = (key: string) => Effect.map(world.withKey(key)("GET", "/api/voice-agents"), ({ status }) => status)
      assert.deepStrictEqual([yield* works(first.key), yield* works(second.key)], [200, 200])
      assert.strictEqual((yield* rotate(first.id, {})).status, 409)

      const { body: third } = yield* rotate(second.id, { overlapSeconds: 0 })
      assert.deepStrictEqual([yield* works(second.key), yield* works(third.key)], [401, 200])
      assert.strictEqual(third.replaced.status, "expired")

      const revoked = yield* ask("DELETE", `/api/api-keys/${third.id}`)
      assert.deepStrictEqual(revoked.body, { id: third.id, revoked: true })
      assert.strictEqual(yield* works(third.key), 401)
      assert.strictEqual((yield* ask("DELETE", `/api/api-keys/${third.id}`)).status, 200)
      assert.strictEqual((yield* rotate(third.id, {})).status, 409)
      const actions = (yield* world.audited()).map(({ action, subjectId }) => [action, subjectId])
      assert.deepStrictEqual(actions.slice(0, 4), [
        ["api_key.revoked", third.id],
        ["api_key.rotated", second.id],
        ["api_key.rotated", first.id],
        ["api_key.created", first.id]
      ])
      assert.notInclude(JSON.stringify(yield* world.audited()), third.key.slice(12))
    })
  )

  it.live("another organization's keys are not found", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const theirs = yield* world.keyOf(["voice:read"], yield* world.otherOrganization)
      const admin = world.withKey((yield* world.keyOf(["admin"])).secret)
      assert.strictEqual((yield* admin("DELETE", `/api/api-keys/${theirs.id}`)).status, 404)
      assert.strictEqual((yield* admin("POST", `/api/api-keys/${theirs.id}/rotate`, { body: {} })).status, 404)
      assert.strictEqual((yield* admin("GET", "/api/api-keys")).body.total, 1)
      assert.strictEqual((yield* world.withKey(theirs.secret)("GET", "/api/voice-agents")).status, 200)
    })
  )

  it.live("invalid input is refused with a sentence, and no key is created", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const admin = world.withKey((yield* world.keyOf(["admin", "voice:read"])).secret)
      const name = "Shop"
      const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
        ["{", /JSON/],
        [[], /./],
        [{}, /^name is invalid/],
        [{ name: "" }, /^name is invalid/],
        [{ name: "  " }, /^name is invalid/],
        [{ name: "a\nb" }, /^name is invalid/],
        [{ name: "x".repeat(121) }, /^name is invalid/],
        [{ name: 7 }, /^name is invalid/],
        [{ name, scopes: [] }, /^scopes/],
        [{ name, scopes: "voice:read" }, /^scopes/],
        [{ name, scopes: ["voice:everything"] }, /^scopes/],
        [{ name, scopes: ["voice:read", null] }, /^scopes/],
        [{ name, expiresAt: "tomorrow" }, /^expiresAt is invalid/],
        [{ name, expiresAt: "2999-01-01T00:00:00" }, /^expiresAt is invalid: .*offset/],
        [{ name, expiresAt: 5 }, /^expiresAt is invalid/],
        [{ name, expiresAt: "2020-01-01T00:00:00Z" }, /^expiresAt must lie in the future/]
      ]
      for (const [body, sentence] of cases) {
        const answer = yield* admin("POST", "/api/api-keys", { body })
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.deepStrictEqual(Object.keys(answer.body), ["error"])
        assert.match(answer.body.error, sentence, JSON.stringify(body))
      }
      const { body } = yield* admin("GET", "/api/api-keys")
      assert.strictEqual(body.total, 1)
      for (const overlapSeconds of [-1, 2_592_001, 1.5, "60"])
        assert.strictEqual(
          (yield* admin("POST", `/api/api-keys/${body.data[0].id}/rotate`, { body: { overlapSeconds } })).status,
          400
        )
      const html = yield* admin("POST", "/api/api-keys", { body: { name: `<b>'; DROP TABLE api_keys; --` } })
      assert.deepInclude(html.body, { name: `<b>'; DROP TABLE api_keys; --` })
    })
  )
})
