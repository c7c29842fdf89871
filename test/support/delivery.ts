/** A delivery worker over real stores, and messages for it to deliver. */
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import * as DeliveryWorker from "../../src/actors/messaging/delivery/DeliveryWorker.ts"
import { newId } from "../../src/domain/basics/Ids.ts"
import { Conversations } from "../../src/domain/messaging/conversations/Conversation.ts"
import { type Message, Messages } from "../../src/domain/messaging/conversations/Message.ts"
import type { DeliveryRules } from "../../src/domain/messaging/sending/DeliveryRules.ts"
import * as OutboxQueue from "../../src/integrations/postgres/messaging/conversations/OutboxQueue.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import type { TestChannel } from "./channel.ts"
import { savedContact } from "./contacts.ts"
import { eventually } from "./eventually.ts"

/** Starts a worker that runs for the life of the scope. */
export const startDelivery = (
  channel: TestChannel,
  rules: Partial<DeliveryRules> = {},
  queue: OutboxQueue.OutboxQueueOptions = {}
) =>
  Layer.build(
    DeliveryWorker.layer({ firstRetryMs: 20, longestRetryMs: 200, patienceMs: 20_000, ...rules }).pipe(
      Layer.provide([
        OutboxQueue.layer({ lookEvery: "50 millis", leaseMs: 1_000, ...queue }),
        channel.layer,
        RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))
      ])
    )
  )

let people = 0

/** Opens a conversation with a new contact. */
export const newThread = Effect.fnUntraced(function* (organizationId: string) {
  const phone = `+1415557${String(people++).padStart(4, "0")}`
  const contact = yield* savedContact(organizationId, { phone })
  return yield* (yield* Conversations).open(organizationId, contact.id, "messaging")
})

export const queueText = Effect.fnUntraced(function* (
  organizationId: string,
  conversationId: string,
  text: string,
  more: Partial<Pick<Message, "type" | "content" | "replyTo">> = {}
) {
  const messages = yield* Messages
  const { type = "text", content = { text }, replyTo = null } = more
  return yield* messages.add(
    { id: newId("msg"), organizationId, conversationId, direction: "outbound", type, content, replyTo },
    Date.now()
  )
})

/** How many rows of this organization are left in the outbox. */
export const left = (organizationId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [{ count }] = yield* tenant(organizationId)(sql<{ count: number }>`SELECT count(*)::int AS count FROM outbox`)
    return count
  })

export const delivered = (organizationId: string) =>
  eventually(
    "the outbox is empty",
    Effect.map(left(organizationId), (count) => count === 0),
    60
  )

/** Removes the messages that a test leaves behind: the workers of other tests serve every organization. */
export const dropQueued = (organizationId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql`DELETE FROM outbox`))
