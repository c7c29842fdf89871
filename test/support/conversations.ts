/** New conversations, and the events about them. */
import { Effect } from "effect"
import { Conversations } from "../../src/domain/messaging/conversations/Conversation.ts"
import { Users } from "../../src/domain/people/access/User.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import { makeSql } from "../../src/integrations/postgres/tenancy/Sql.ts"
import { newOrganization } from "./tenants.ts"

let made = 0

/** Opens a conversation on the messaging channel, for this or a new organization. */
export const newConversation = Effect.fnUntraced(function* (ofOrganization?: string) {
  const organizationId = ofOrganization ?? (yield* newOrganization()).id
  const phone = `+1415555${String(1000 + made++)}`
  const { contact } = yield* (yield* Contacts).save(organizationId, { phone, name: "Asha Rao" }, "key_test")
  const conversationId = yield* (yield* Conversations).open(organizationId, contact.id, "messaging")
  return { organizationId, conversationId, contactId: contact.id }
})

/** The events of an organization whose type begins with this prefix, in order. */
export const eventsOf = Effect.fnUntraced(function* (organizationId: string, beginning: string) {
  const { sql, asTenant } = yield* makeSql
  return yield* asTenant(organizationId)(
    sql<{
      type: string
      data: Record<string, unknown>
    }>`SELECT type, data FROM events WHERE starts_with(type, ${beginning})
      ORDER BY transaction, position`
  )
})

export const newPerson = Effect.fnUntraced(function* (organizationId: string) {
  const email = `agent${made++}.${organizationId.toLowerCase()}@example.com`
  return yield* (yield* Users).create({
    organizationId,
    email,
    name: "Mia",
    role: "AGENT",
    // A password hash that is not computed, to save its time.
    passwordHash: { stored: "not the hash of a password" }
  })
})

export const shownConversation = Effect.fnUntraced(function* (place: {
  readonly organizationId: string
  readonly conversationId: string
}) {
  const found = yield* (yield* Conversations).find(place.organizationId, place.conversationId, 20, Date.now())
  return found ?? (yield* Effect.die(new Error("no such conversation")))
})
