/** Tokens of devices: encrypted in the database, also those that were stored before. */
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Devices } from "../../../../src/domain/people/access/Device.ts"
import { Users } from "../../../../src/domain/people/access/User.ts"
import { makeSealTokens } from "../../../../src/integrations/postgres/access/DeviceTokens.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { KeyRing } from "../../../../src/integrations/secrets/KeyRing.ts"
import { openPushToken, type StoredPushToken } from "../../../../src/integrations/secrets/PushTokens.ts"
import { tokenHash } from "../../../../src/integrations/secrets/TokenHash.ts"
import { sessionOf } from "../../../support/sessions.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

interface Row extends StoredPushToken {
  readonly id: string
  readonly tokenHash: string
}

/** A person with a session, in an organization of their own. */
const signedIn = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const user = { organizationId, email: "ada@example.com", name: "Ada", role: "AGENT" } as const
  const { id } = yield* (yield* Users).create(user)
  const session = yield* sessionOf({ ...user, id })
  const registration = {
    user: { organizationId, id },
    sessionId: session.principal.sessionId,
    expiresAt: session.expiresAt
  }
  const sql = yield* PgClient.PgClient
  const rows = tenant(organizationId)(sql<Row>`SELECT id, token, sealed_token, token_hash FROM devices ORDER BY id`)
  return { organizationId, userId: id, registration, rows }
})

layer(testStores, { excludeTestServices: true })("tokens of devices", (it) => {
  it.effect("are stored encrypted, and neither readable nor guessable by their hash", () =>
    Effect.gen(function* () {
      const { organizationId, registration, rows } = yield* signedIn
      const token = "fcm-token:of-a-telephone"
      const made = yield* (yield* Devices).register(registration, { token, platform: "ios" })
      const [row] = yield* rows
      assert.strictEqual(row.id, made.id)
      assert.notInclude(JSON.stringify(row), token)
      assert.notStrictEqual(row.tokenHash, tokenHash(token))
      assert.strictEqual(yield* openPushToken(yield* KeyRing, organizationId, row), token)
      // A copied ciphertext does not open in another organization.
      const copied = yield* Effect.flip(openPushToken(yield* KeyRing, "org_other", row))
      assert.match(copied.message, /does not open/)
    })
  )

  it.effect("from before are encrypted by the running service, and found by the device that registers again", () =>
    Effect.gen(function* () {
      const { organizationId, userId, registration, rows } = yield* signedIn
      const sql = yield* PgClient.PgClient
      const [sealed, plain] = [`token-one-of-${userId}`, `token-two-of-${userId}`]
      const insert = (id: string, token: string) =>
        tenant(
          organizationId
        )(sql`INSERT INTO devices (organization_id, id, user_id, session_id, platform, token, token_hash,
            created_at, last_seen_at, expires_at) VALUES (${organizationId}, ${id}, ${userId}, ${registration.sessionId}, 'ios',
            ${token}, ${tokenHash(token)}, now(), now(), now() + interval '1 day')`)
      yield* insert(`dev_1${userId}`, sealed)
      yield* insert(`dev_2${userId}`, plain)
      const devices = yield* Devices
      assert.strictEqual(
        (yield* devices.register(registration, { token: plain, platform: "ios" })).id,
        `dev_2${userId}`
      )
      assert.isAtLeast(yield* yield* makeSealTokens, 2)
      for (const row of yield* rows) {
        assert.isNull(row.token)
        assert.notInclude(JSON.stringify(row), "token-")
      }
      assert.strictEqual(
        (yield* devices.register(registration, { token: sealed, platform: "ios" })).id,
        `dev_1${userId}`
      )
      assert.strictEqual(yield* yield* makeSealTokens, 0)
    })
  )
})
