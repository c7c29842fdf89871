import { randomBytes } from "node:crypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { rotateKeys } from "../../../src/cli/admin/keys.ts"
import { WebhookEndpoints } from "../../../src/domain/events/Webhook.ts"
import { newWebhookSecret } from "../../../src/domain/events/WebhookSignature.ts"
import { Devices } from "../../../src/domain/people/access/Device.ts"
import { IdempotencyKeys } from "../../../src/domain/people/access/Idempotency.ts"
import { Users } from "../../../src/domain/people/access/User.ts"
import { VoiceAgents } from "../../../src/domain/voice/agents/VoiceAgent.ts"
import { TelephonyConnections } from "../../../src/domain/voice/telephony/PhoneNumber.ts"
import { SipCredentialStore } from "../../../src/domain/voice/telephony/SipCredentials.ts"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import { testDatabase } from "../../support/postgres.ts"
import { sessionOf } from "../../support/sessions.ts"
import { storesOver } from "../../support/stores.ts"
import { agentOf, newOrganization } from "../../support/tenants.ts"

const newKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`

/** Runs an effect as a service that was started with this key ring. */
const withRing =
  (database: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient>, ...keys: ReadonlyArray<string>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, storesOver(Layer.merge(database, NodeServices.layer), keys.join(",")))

const rotate = Effect.gen(function* () {
  const lines: Array<string> = []
  const silent = { ...globalThis.console, log: (line: string) => lines.push(line), error: () => undefined }
  const exit = yield* Effect.exit(
    Command.runWith(rotateKeys, { version: "test" })(["--json"]).pipe(Effect.provideService(Console.Console, silent))
  )
  return { ...JSON.parse(lines.find((line) => String(line).startsWith("{")) ?? ""), succeeded: exit._tag === "Success" }
})

const handler = {
  type: "http",
  url: "https://x.test",
  method: "GET",
  headers: { authorization: "Bearer sk-1", team: "b" }
} as const
const tools = [{ name: "order", description: "", parameters: { type: "object", properties: {} }, handler }] as const
const request = { caller: "key_1", method: "POST", path: "/x", key: "k", bodyHash: "h" }
const answer = { status: 201, contentType: "application/json", headers: {}, body: "{}" }

/** One of every encrypted field. */
const fill = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  yield* (yield* TelephonyConnections).save({ organizationId, accountSid: `AC${organizationId}`, authToken: "token" })
  yield* (yield* SipCredentialStore).save(organizationId, { username: "u", password: "secret", ready: true })
  const agent = agentOf(organizationId, { tools })
  yield* (yield* VoiceAgents).create(agent)
  const keys = yield* IdempotencyKeys
  const state = yield* keys.claim({ organizationId, ...request })
  if (state._tag === "Mine") yield* keys.answered(state.claim, answer)
  const endpoints = yield* WebhookEndpoints
  const input = { url: "https://x.test/hook", headers: { authorization: "Bearer hook" } }
  const webhook = yield* endpoints.create(organizationId, input, newWebhookSecret(), Date.now())
  const webhookId = webhook?.id ?? ""
  yield* endpoints.rotate(organizationId, webhookId, newWebhookSecret(), Date.now() + 60_000, Date.now())
  const user = { organizationId, email: "ada@example.com", name: "Ada", role: "AGENT" } as const
  const { id } = yield* (yield* Users).create(user)
  const session = yield* sessionOf({ ...user, id })
  const registration = { user: { ...user, id }, sessionId: session.principal.sessionId, expiresAt: session.expiresAt }
  yield* (yield* Devices).register(registration, { token: `token-of-${id}`, platform: "ios" })
  return { organizationId, agentId: agent.id, webhookId, registration }
})

/** Everything that `fill` stored, as it is read today. */
const read = Effect.fnUntraced(function* ({
  organizationId,
  agentId,
  webhookId,
  registration
}: Effect.Success<typeof fill>) {
  return [
    (yield* (yield* TelephonyConnections).find(organizationId))?.authToken,
    (yield* (yield* SipCredentialStore).find(organizationId))?.password,
    (yield* (yield* VoiceAgents).find(organizationId, agentId))?.tools[0].handler,
    (yield* (yield* WebhookEndpoints).find(organizationId, webhookId))?.headers,
    yield* (yield* IdempotencyKeys).claim({ organizationId, ...request }),
    // Registered again, a device is known by its token.
    (yield* (yield* Devices).register(registration, { token: `token-of-${registration.user.id}`, platform: "ios" })).id
  ]
})

const fields = {
  "telephony_connections.auth_token": 1,
  "sip_credentials.password": 1,
  "idempotency_keys.answer": 1,
  "voice_agents.settings": 2,
  "voice_agent_versions.settings": 2,
  "webhook_endpoints.secret": 1,
  "webhook_endpoints.previous_secret": 1,
  "webhook_endpoints.headers": 1,
  "devices.sealed_token": 1,
  // Not filled here.
  "channel_connections.access_token": 0,
  "channel_connections.app_secret": 0,
  "channel_connections.verify_token": 0,
  "app_authorizations.verifier": 0,
  "app_connections.credentials": 0,
  "app_connections.webhook_token": 0,
  "mcp_servers.secrets": 0,
  "mcp_grants.tokens": 0,
  "mcp_authorizations.pending": 0,
  "tested_agents.agent": 0,
  "text_agents.settings": 0,
  "text_agent_versions.settings": 0
}
/** Every field of `organizations` organizations by this key. */
const allBy = (key: string, organizations: number) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, count]) => [field, count === 0 ? {} : { [key]: count * organizations }])
  )

describe("parley admin rotate-keys", () => {
  it.live("encrypts every secret of every organization with the newest key, so that the old one is not needed", () =>
    Effect.gen(function* () {
      const database = Layer.succeedContext(yield* Layer.build(testDatabase))
      const [k1, k2] = [newKey("k1"), newKey("k2")]
      const filled = [yield* fill.pipe(withRing(database, k1)), yield* fill.pipe(withRing(database, k1))]
      const before = yield* Effect.forEach(filled, read).pipe(withRing(database, k1))

      const first = yield* rotate.pipe(withRing(database, k2, k1))
      assert.deepStrictEqual(first, { reencrypted: 22, unreadable: 0, keysInUse: allBy("k2", 2), succeeded: true })
      assert.deepStrictEqual(yield* Effect.forEach(filled, read).pipe(withRing(database, k2)), before)
      const again = yield* rotate.pipe(withRing(database, k2))
      assert.deepStrictEqual([again.reencrypted, again.keysInUse], [0, allBy("k2", 2)])
    })
  )

  it.live("skips rows that are being changed or that no key decrypts, and reports which keys are still needed", () =>
    Effect.gen(function* () {
      const database = Layer.succeedContext(yield* Layer.build(testDatabase))
      const [k1, k2, lost] = [newKey("k1"), newKey("k2"), newKey("lost")]
      const { organizationId } = yield* fill.pipe(withRing(database, k1))
      yield* fill.pipe(withRing(database, lost))
      const whileLocked = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // On a busy machine the transaction waits for longer than others may.
        yield* sql`SET LOCAL idle_in_transaction_session_timeout = 0`
        yield* sql`SELECT 1 FROM telephony_connections FOR UPDATE`
        return yield* Effect.promise(() => Effect.runPromise(rotate.pipe(withRing(database, k2, k1))))
      })
      const report = yield* whileLocked.pipe(tenant(organizationId), withRing(database, k1))
      assert.deepInclude(report, { reencrypted: 10, unreadable: 9, succeeded: false })
      assert.deepStrictEqual(report.keysInUse["telephony_connections.auth_token"], { k1: 1, lost: 1 })
      assert.deepStrictEqual(report.keysInUse["sip_credentials.password"], { k2: 1, lost: 1 })
      const again = yield* rotate.pipe(withRing(database, k2, k1))
      assert.deepInclude(again, { reencrypted: 1, unreadable: 9 })
      const whole = yield* rotate.pipe(withRing(database, k2, lost))
      assert.deepInclude(whole, { reencrypted: 11, unreadable: 0, keysInUse: allBy("k2", 2), succeeded: true })
    })
  )
})
