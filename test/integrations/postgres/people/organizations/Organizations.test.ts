import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { defaultScopes } from "../../../../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../../../../src/domain/people/access/ApiKey.ts"
import { Users } from "../../../../../src/domain/people/access/User.ts"
import { Organizations } from "../../../../../src/domain/people/organizations/Organization.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

layer(testStores)("for organizations, people and keys", (it) => {
  it.effect("a new organization has its plan's flag, the default disclosure, and is found again", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const premium = yield* newOrganization()
      assert.deepStrictEqual(premium.flags, { voiceAgents: true, voicePremium: false })
      assert.match(premium.disclosureText, /AI assistant/)
      assert.deepStrictEqual(yield* organizations.find(premium.id), premium)
      const enterprise = yield* newOrganization({ plan: "ENTERPRISE", flags: { voicePremium: true } })
      assert.deepStrictEqual(enterprise.flags, { voiceAgents: false, voicePremium: true })
      assert.isUndefined(yield* organizations.find("org_nobody"))
    })
  )

  it.effect("one flag is switched without touching the other or another organization", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      yield* organizations.setFlags(a.id, { voicePremium: true })
      yield* organizations.setDisclosureText(a.id, "This is a machine.")
      const changed = yield* organizations.find(a.id)
      assert.deepStrictEqual(changed?.flags, { voiceAgents: true, voicePremium: true })
      assert.strictEqual(changed?.disclosureText, "This is a machine.")
      assert.deepStrictEqual(yield* organizations.find(b.id), b)
    })
  )

  it.effect(
    "a person's password is kept as a salted scrypt hash, and an address is used only once in an organization, whatever its case",
    () =>
      Effect.gen(function* () {
        const users = yield* Users
        const sql = yield* SqlClient.SqlClient
        const { id: organizationId } = yield* newOrganization()
        const account = { organizationId, email: "ada@example.com" }
        const passwordHash = yield* users.hash("correct horse", account)
        const person = { ...account, name: "Ada", role: "OWNER", passwordHash } as const
        yield* users.create(person)
        const [row] = yield* tenant(organizationId)(sql<{ passwordHash: string }>`SELECT password_hash FROM users`)
        assert.match(row.passwordHash, /^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
        const again = yield* Effect.flip(users.create({ ...person, email: "ADA@example.com" }))
        assert.strictEqual(again._tag, "DuplicateUser")
      })
  )

  it.effect(
    "a key opens its organization with all scopes but admin; wrong, foreign and malformed ones open nothing",
    () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { id: organizationId } = yield* newOrganization()
        const { id, secret } = yield* keys.create({ organizationId, name: "test" })
        assert.match(secret, /^mk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/)
        assert.deepStrictEqual(yield* keys.authenticate(secret), {
          organizationId,
          keyId: id,
          scopes: [...defaultScopes]
        })
        const lastLetter = secret.endsWith("a") ? "b" : "a"
        for (const wrong of [
          secret.slice(0, -1) + lastLetter,
          secret.slice(0, -1),
          `${secret}x`,
          "",
          "mk_",
          "mk_00000000_x"
        ])
          assert.isUndefined(yield* keys.authenticate(wrong), wrong)
      })
  )

  it.effect("a key with chosen scopes ends when it expires, or when its own organization revokes it", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const brief = yield* keys.create({
        organizationId: a.id,
        name: "brief",
        scopes: ["admin"],
        expiresAt: new Date(60_000)
      })
      assert.deepStrictEqual((yield* keys.authenticate(brief.secret))?.scopes, ["admin"])
      yield* TestClock.adjust("60 seconds")
      assert.isUndefined(yield* keys.authenticate(brief.secret))

      const lasting = yield* keys.create({ organizationId: a.id, name: "lasting" })
      yield* keys.revoke(b.id, lasting.id)
      assert.isDefined(yield* keys.authenticate(lasting.secret))
      yield* keys.revoke(a.id, lasting.id)
      assert.isUndefined(yield* keys.authenticate(lasting.secret))
    })
  )

  it.effect("the time of a key's last use is written once a minute, not at each request", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      const { id: organizationId } = yield* newOrganization()
      const { secret } = yield* keys.create({ organizationId, name: "busy" })
      const lastUsed = tenant(organizationId)(sql<{ lastUsedAt: Date | null }>`SELECT last_used_at FROM api_keys`)
      const uses: Array<number | undefined> = []
      for (const pause of ["0 seconds", "30 seconds", "31 seconds"] as const) {
        yield* TestClock.adjust(pause)
        yield* keys.authenticate(secret)
        uses.push((yield* lastUsed)[0].lastUsedAt?.getTime())
      }
      assert.strictEqual(uses[0], uses[1])
      assert.strictEqual(uses[2]! - uses[0]!, 61_000)
    })
  )
})
