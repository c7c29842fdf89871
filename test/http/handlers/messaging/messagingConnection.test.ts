/** Connecting the messaging channel over REST: credentials are tried first, stored encrypted and shown masked; a number has one organization. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { start } from "../../../../simulators/channel/CloudApi.ts"
import { MessagingChannel } from "../../../../src/domain/messaging/channel/MessagingChannel.ts"
import { Audit } from "../../../../src/domain/people/access/Audit.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { comesAbout } from "../../../support/eventually.ts"
import { startMessagingWith } from "../../../support/messaging.ts"

const path = "/api/messaging-connection"

const story = (name: string, play: (stage: Stage) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(stage, (one) => Effect.promise(() => play(one))).pipe(Effect.scoped), 120_000)

/** The channel's only template. */
const welcome = {
  ...{
    channelTemplateId: "tpl_channel_1",
    name: "welcome",
    language: "en_US",
    status: "APPROVED",
    category: "UTILITY"
  },
  ...{ components: [{ type: "BODY", text: "Welcome to Maple Books." }], rejectedReason: null }
}

const stage = Effect.gen(function* () {
  const api = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    (simulator) => Effect.promise(() => simulator.close())
  )
  const channel = Layer.mock(MessagingChannel, { templates: () => Effect.succeed([welcome]) })
  const messaging = yield* startMessagingWith({ connected: false, messagingUrl: api.url, channel })
  const number = api.accounts.addNumber()
  const credentials = {
    phoneNumberId: number.phoneNumberId,
    businessAccountId: number.accountId,
    accessToken: number.accessToken,
    appSecret: number.appSecret,
    verifyToken: "verify-me-1234"
  }
  const admin = async (organizationId = messaging.organizationId) =>
    (await messaging.run(messaging.keyOf(organizationId, ["admin", "status:read"]))).secret
  return { ...messaging, api, number, credentials, admin }
})
type Stage = Effect.Success<typeof stage>

describe("the messaging connection", () => {
  story(
    "is tried with the channel, stored encrypted, and shown without its secrets",
    async ({ raw, run, api, credentials, admin, organizationId }) => {
      const key = await admin()
      assert.strictEqual((await raw("GET", path, undefined, key)).status, 404)
      assert.deepInclude((await raw("GET", "/api/messaging-api/status", undefined, key)).body, { connected: false })
      const { status, body } = await raw("PUT", path, credentials, key)
      assert.strictEqual(status, 200)
      assert.deepInclude(body, {
        phoneNumber: "+1 555-078-3881",
        businessName: "Maple Books",
        accessToken: `********${credentials.accessToken.slice(-4)}`,
        appSecret: "********0001",
        webhookUrl: "https://app.example.test/api/webhooks/messaging"
      })
      assert.deepStrictEqual((await raw("GET", path, undefined, key)).body, body)
      assert.deepStrictEqual((await raw("GET", "/api/messaging-api/status", undefined, key)).body, {
        ...{
          connected: true,
          phoneNumber: "+1 555-078-3881",
          connectionType: "cloud_api",
          businessName: "Maple Books"
        },
        ...{ problem: null, problemAt: null }
      })
      assert.isTrue(api.accounts.subscribed.has(credentials.businessAccountId))
      const rows = await run(
        Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql`SELECT * FROM channel_connections`))
      )
      const stored = JSON.stringify(rows)
      for (const secret of [credentials.accessToken, credentials.appSecret, credentials.verifyToken])
        assert.notInclude(stored, secret)
      const log = await run(
        Effect.flatMap(Audit, (audit) => audit.list(organizationId, { action: "messaging_connection.created" }, 1, 10))
      )
      assert.strictEqual(log.total, 1)
      assert.deepStrictEqual(log.data[0].after?.changedSecrets, ["accessToken", "appSecret", "verifyToken"])
      assert.notInclude(JSON.stringify(log), credentials.accessToken)
    }
  )

  story("brings the channel's templates along", async ({ raw, call, credentials, admin }) => {
    await raw("PUT", path, credentials, await admin())
    await comesAbout("they are there", async () => (await call("GET", "/templates")).body.total === 1)
    const { data } = (await call("GET", "/templates")).body as { data: ReadonlyArray<object> }
    assert.deepInclude(data[0], { name: "welcome", status: "APPROVED" })
  })

  story(
    "is completed when the client goes away, so that no connection lacks its webhooks",
    async ({ base, raw, api, credentials, admin }) => {
      const key = await admin()
      api.faults.latencyMs = 300
      const leaving = new AbortController()
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const put = { method: "PUT", headers, body: JSON.stringify(credentials), signal: leaving.signal }
      const lost = fetch(base + path, put).catch(() => "gone")
      await comesAbout("it is under way", () => api.stats.requests > 0)
      leaving.abort()
      assert.strictEqual(await lost, "gone")
      await comesAbout("the channel tells of it", () => api.accounts.subscribed.has(credentials.businessAccountId), 10)
      assert.strictEqual((await raw("GET", path, undefined, key)).status, 200)
    }
  )

  story(
    "keeps secrets that a request leaves out, for the same number only",
    async ({ raw, api, credentials, admin }) => {
      const key = await admin()
      const { phoneNumberId, businessAccountId } = credentials
      const incomplete = await raw("PUT", path, { phoneNumberId, businessAccountId }, key)
      assert.strictEqual(incomplete.status, 400)
      assert.match(String(incomplete.body.error), /accessToken and appSecret and verifyToken are required/)
      assert.strictEqual((await raw("PUT", path, credentials, key)).status, 200)
      const again = await raw("PUT", path, { phoneNumberId, businessAccountId, verifyToken: "another-token-9" }, key)
      assert.deepInclude(again.body, { verifyToken: "********en-9", appSecret: "********0001" })
      const second = api.accounts.addNumber()
      const moved = await raw(
        "PUT",
        path,
        { phoneNumberId: second.phoneNumberId, businessAccountId: second.accountId },
        key
      )
      assert.match(String(moved.body.error), /belong to another number/)
    }
  )

  story(
    "is refused with the name of the wrong credential, and not stored",
    async ({ raw, credentials, admin, api }) => {
      const key = await admin()
      for (const [wrong, named] of [
        [{ accessToken: "EAAnobody-knows" }, /accessToken/],
        [{ appSecret: "another-secret" }, /appSecret/],
        [{ phoneNumberId: "12" }, /phoneNumberId/],
        [{ phoneNumberId: "1' OR 1=1" }, /phoneNumberId/],
        [{ businessAccountId: null }, /businessAccountId/],
        [{ appSecret: "********0001" }, /masked/],
        [{ verifyToken: "two words" }, /verifyToken/],
        [{ accessToken: "x".repeat(5_000) }, /accessToken/]
      ] as const) {
        const { status, body } = await raw("PUT", path, { ...credentials, ...wrong }, key)
        assert.strictEqual(status, 400, JSON.stringify(wrong))
        assert.deepStrictEqual(Object.keys(body), ["error"])
        assert.match(String(body.error), named)
      }
      api.faults.failOthers = 1
      const broken = await raw("PUT", path, credentials, key)
      assert.deepStrictEqual([broken.status, Object.keys(broken.body)], [500, ["error"]])
      assert.strictEqual((await raw("GET", path, undefined, key)).status, 404)
    }
  )

  story(
    "needs an administrator, and its number can belong to one organization only",
    async ({ raw, credentials, admin, otherId, key }) => {
      for (const [method, body] of [["GET"], ["PUT", credentials], ["DELETE"]] as const) {
        assert.strictEqual((await raw(method, path, body, "mk_nobody")).status, 401)
        assert.strictEqual((await raw(method, path, body, key)).status, 403)
      }
      const [own, other] = [await admin(), await admin(otherId)]
      assert.strictEqual((await raw("PUT", path, credentials, own)).status, 200)
      const taken = await raw("PUT", path, credentials, other)
      assert.strictEqual(taken.status, 409)
      assert.match(String(taken.body.error), /another organization/)
      assert.strictEqual((await raw("GET", path, undefined, other)).status, 404)
      assert.strictEqual((await raw("DELETE", path, undefined, other)).status, 404)
      assert.deepStrictEqual((await raw("DELETE", path, undefined, own)).body, { disconnected: true })
      assert.strictEqual((await raw("GET", path, undefined, own)).status, 404)
      assert.strictEqual((await raw("PUT", path, credentials, other)).status, 200)
    }
  )
})
