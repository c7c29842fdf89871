/** Reminders of abandoned carts: to whom they go, when, and that each goes once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { makeReminderRound } from "../../../src/actors/apps/CartTimer.ts"
import { AppConnections } from "../../../src/domain/apps/AppConnection.ts"
import { newId } from "../../../src/domain/basics/Ids.ts"
import { MediaFiles } from "../../../src/domain/messaging/media/Media.ts"
import { Templates } from "../../../src/domain/messaging/templates/Templates.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import * as RateLimitMemory from "../../../src/integrations/resilience/RateLimitMemory.ts"
import { template } from "../../support/channel.ts"
import { directCommands } from "../../support/directCommands.ts"
import { connectChannel } from "../../support/messaging.ts"
import { newOrganization, testStores } from "../../support/tenants.ts"

const environment = Layer.mergeAll(
  directCommands,
  Layer.mock(MediaFiles, {}),
  RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))
).pipe(Layer.provideMerge(testStores))

let phones = 0
const lines = JSON.stringify([{ sku: null, name: "Atlas", quantity: 1, unitPrice: 2_499, tax: 0 }])

/** An organization with a store that reminds by a template of two placeholders. */
const startShop = Effect.fnUntraced(function* (
  settings: Readonly<Record<string, string>> = { reminderTemplate: "cart" }
) {
  const { id: organizationId } = yield* newOrganization({ plan: "PRO" })
  yield* connectChannel(organizationId)
  const components = [{ type: "BODY", text: "You left {{1}}: {{2}} Bye.", example: { body_text: [["a", "b"]] } }]
  yield* (yield* Templates).replace(organizationId, [template({ name: "cart", components })], Date.now())
  const url = "https://store.example"
  const connection = {
    settings: { url, ...settings },
    credentials: {},
    account: { id: "store", name: "Store" },
    webhookToken: null
  }
  yield* (yield* AppConnections).save(organizationId, "woocommerce", connection, Date.now())
  const sql = yield* SqlClient.SqlClient
  const customer = (optedIn = true) =>
    Effect.flatMap(Contacts, (contacts) =>
      contacts.create(
        organizationId,
        { phone: `+1415557${String(phones++).padStart(4, "0")}`, name: "Asha", optedIn },
        "key"
      )
    )
  /** A cart that was abandoned, so many minutes ago. */
  const cart = (contactId: string, minutes = 1, ordered = false) =>
    tenant(organizationId)(
      sql`INSERT INTO carts (organization_id, id, source, external_id, version, contact_id, currency, lines, total, recovery_url, started_at,
          changed_at, abandoned_at, completed_at, remind_at, created_at)
        VALUES (${organizationId}, ${newId("crt")}, 'woocommerce:store.example', ${newId("crt")}, '1', ${contactId}, 'USD',
          ${lines}::jsonb, 2499, 'https://store.example/recover/1',
          now(), now(), now() - ${minutes} * interval '1 minute', ${ordered ? new Date() : null}, now() - interval '1 second', now())`
    )
  const rows = (statement: string) => tenant(organizationId)(sql.unsafe<Record<string, unknown>>(statement))
  const sent = rows("SELECT content FROM messages WHERE direction = 'outbound' ORDER BY id")
  const round = Effect.flatten(makeReminderRound)
  const waiting = Effect.map(rows("SELECT remind_at FROM carts WHERE remind_at IS NOT NULL"), (found) =>
    found.map(({ remindAt }) => (remindAt as Date).getTime())
  )
  return { organizationId, customer, cart, rows, sent, round, waiting }
})

const story = (name: string, tell: () => Effect.Effect<void, unknown, Layer.Success<typeof environment>>) =>
  it.live(name, () => Effect.provide(tell(), environment))

describe("the reminder of an abandoned cart", () => {
  story("goes once to a customer who has agreed, with what is in the cart and the link to go on", () =>
    Effect.gen(function* () {
      const shop = yield* startShop()
      yield* shop.cart((yield* shop.customer()).id)
      yield* shop.round
      const [message] = yield* shop.sent
      assert.include(JSON.stringify(message), "Atlas, 24.99 USD")
      assert.include(JSON.stringify(message), "https://store.example/recover/1")
      const [{ remindedAt }] = yield* shop.rows("SELECT reminded_at FROM carts")
      assert.isNotNull(remindedAt)
      // As if the process had died before it noted that.
      yield* shop.rows("UPDATE carts SET reminded_at = NULL, remind_at = now()")
      yield* shop.round
      assert.lengthOf(yield* shop.sent, 1)
    })
  )

  story(
    "goes to nobody who has not agreed, has ordered, or left the cart days ago, and only where a template is named",
    () =>
      Effect.gen(function* () {
        const shop = yield* startShop()
        yield* shop.cart((yield* shop.customer(false)).id)
        yield* shop.cart((yield* shop.customer()).id, 1, true)
        yield* shop.cart((yield* shop.customer()).id, 4 * 24 * 60)
        const other = yield* startShop({})
        yield* other.cart((yield* other.customer()).id)
        yield* shop.round
        for (const { sent, waiting } of [shop, other]) {
          assert.deepStrictEqual(yield* sent, [])
          assert.deepStrictEqual(yield* waiting, [])
        }
      })
  )

  story("waits until the organization opens, and a day after the last one to the same customer", () =>
    Effect.gen(function* () {
      const shop = yield* startShop()
      const { id } = yield* shop.customer()
      yield* shop.cart(id)
      yield* shop.cart(id)
      yield* shop.round
      assert.lengthOf(yield* shop.sent, 1)
      const [next] = yield* shop.waiting
      assert.approximately(next - Date.now(), 86_400_000, 60_000)
      const closed = yield* startShop()
      const tomorrow = new Date(Date.now() + 86_400_000)
      const day = (["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const)[
        tomorrow.getUTCDay()
      ]
      const hours = { weekly: [{ day, opens: "09:00", closes: "17:00" }], holidays: [] } as const
      yield* (yield* Organizations).setBusinessHours(closed.organizationId, "UTC", hours)
      yield* closed.cart((yield* closed.customer()).id)
      yield* closed.round
      assert.deepStrictEqual(yield* closed.sent, [])
      const opens = Date.parse(`${tomorrow.toISOString().slice(0, 10)}T09:00:00Z`)
      assert.deepStrictEqual(yield* closed.waiting, [opens])
    })
  )
})
