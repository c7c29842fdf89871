/** The webhooks of the messaging channel when the inbox of an organization is full. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { signatureOf } from "../../../../simulators/channel/Webhooks.ts"
import { ChannelAccounts } from "../../../../src/domain/messaging/channel/ChannelConnection.ts"
import { webhookPath } from "../../../../src/http/groups/messaging/messagingWebhooks.ts"
import * as ChannelInboxPostgres from "../../../../src/integrations/postgres/messaging/channel/ChannelInboxPostgres.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"
import { makeWorld } from "../../world.ts"

const stores = ChannelInboxPostgres.layerWith({ items: 3, bytes: 1_000_000 }).pipe(Layer.provideMerge(testStores))

const connected = Effect.fnUntraced(function* (number: string) {
  const { id } = yield* newOrganization()
  const appSecret = `the app secret of ${number}`
  yield* (yield* ChannelAccounts).save(id, {
    ...{ phoneNumberId: number, businessAccountId: `${number}9`, accessToken: "a token", appSecret },
    ...{ verifyToken: `verify ${number}`, phoneNumber: null, businessName: null }
  })
  return { id, number, appSecret }
})
type Connected = Effect.Success<ReturnType<typeof connected>>

const webhookOf = (number: string, ids: ReadonlyArray<string>) =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: `${number}9`,
        changes: [
          {
            field: "messages",
            value: {
              metadata: { phone_number_id: number },
              messages: ids.map((id) => ({ id, from: "14155550101", type: "text", text: { body: "Hello" } }))
            }
          }
        ]
      }
    ]
  })

describe("a webhook for an organization whose inbox is full", () => {
  it.live("gets 429 with Retry-After, nothing of it is stored, and other organizations are served", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(stores)
      const { base } = yield* makeWorld({ stores: Layer.succeedContext(context) })
      const [full, other] = yield* Effect.all([connected("111111"), connected("222222")]).pipe(Effect.provide(context))
      const deliver = ({ number, appSecret }: Connected, ...ids: ReadonlyArray<string>) => {
        const body = webhookOf(number, ids)
        const headers = { "content-type": "application/json", "x-hub-signature-256": signatureOf(appSecret, body) }
        return Effect.promise(() => fetch(base + webhookPath, { method: "POST", headers, body }))
      }
      const storedOf = ({ id }: Connected) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          return yield* tenant(id)(sql<{ key: string }>`SELECT once AS key FROM channel_inbox ORDER BY 1`)
        }).pipe(Effect.provide(context))
      const two = [{ key: "message:w1" }, { key: "message:w2" }]

      assert.strictEqual((yield* deliver(full, "w1", "w2")).status, 200)
      for (const ids of [
        ["w3", "w4"],
        ["w5", "w6", "w7"]
      ]) {
        const refused = yield* deliver(full, ...ids)
        assert.strictEqual(refused.status, 429)
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
        assert.match(JSON.stringify(yield* Effect.promise(() => refused.json())), /^\{"error":"[^"]+\."\}$/)
      }
      assert.deepStrictEqual(yield* storedOf(full), two)
      assert.strictEqual((yield* deliver(other, "w1", "w2")).status, 200)
      assert.deepStrictEqual(yield* storedOf(other), two)
    })
  )
})
