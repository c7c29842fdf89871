/**
 * Postgres store for the contacts and conversations of messages to be sent. Finding recipients takes one statement (`find_recipients`), and opening
 * conversations with known contacts takes one transaction (`open_conversations`). Requests at the same moment share the statement or the transaction.
 */
import { Effect, Layer } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { type Recipient, Recipients } from "../../../../domain/messaging/sending/Recipients.ts"
import type { SendTo } from "../../../../domain/messaging/sending/SendRequest.ts"
import { makeBatching } from "../../tenancy/Batching.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { contactOf, conversationOf, tellOfNew } from "./ConversationOpening.ts"

interface Row {
  /** The position among the requested recipients, from 1. */
  readonly place: number
  readonly contactId: string | null
  readonly phone: string | null
  readonly optedOut: boolean
  readonly conversationId: string | null
}

export const layer = Layer.effect(
  Recipients,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const findAll = Effect.fnUntraced(function* (organizationId: string, wanted: ReadonlyArray<SendTo>) {
      const rows = yield* sql<Row>`SELECT * FROM find_recipients(${organizationId}, ${sql.json(wanted)})`
      const found = new Map(rows.map(({ place, ...row }) => [place - 1, row]))
      return wanted.map((_, place): Recipient | undefined => {
        const row = found.get(place)
        if (row === undefined) return undefined
        const { contactId, conversationId } = row
        return { ...row, contactId: contactId ?? undefined, conversationId: conversationId ?? undefined }
      })
    })
    const findTogether = yield* makeBatching(findAll)

    /** The thread of a conversation of team chat. It is answered whatever the contact has said of messages to the telephone. */
    const inThread = Effect.fnUntraced(function* (organizationId: string, conversationId: string) {
      const [row] = yield* asTenant(organizationId)(
        sql<{
          contactId: string
        }>`SELECT contact_id FROM conversations WHERE id = ${conversationId} AND channel = 'team_chat'`
      )
      if (row === undefined) return undefined
      return { contactId: row.contactId, phone: null, optedOut: false, conversationId } satisfies Recipient
    })
    const find = (organizationId: string, to: SendTo) =>
      "conversationId" in to ? inThread(organizationId, to.conversationId) : findTogether(organizationId, to)

    /** Gives the conversation of each contact; undefined when there is no such contact or another transaction has locked it. */
    const openAll = Effect.fnUntraced(function* (organizationId: string, contactIds: ReadonlyArray<string>) {
      const wanted = contactIds.map((contactId) => ({ contactId, conversationId: newId("cnv") }))
      const rows = yield* sql<{
        contactId: string
        conversationId: string
      }>`SELECT * FROM open_conversations(${organizationId}, ${sql.json(wanted)})`
      const ours = new Set(wanted.map(({ conversationId }) => conversationId))
      const made = rows.flatMap(({ conversationId }) => (ours.has(conversationId) ? [conversationId] : []))
      yield* tellOfNew(sql, organizationId, made)
      const open = new Map(rows.map(({ contactId, conversationId }) => [contactId, conversationId]))
      return contactIds.map((contactId) => open.get(contactId))
    })
    const openTogether = yield* makeBatching((organizationId, contactIds: ReadonlyArray<string>) =>
      asTenant(organizationId)(openAll(organizationId, contactIds))
    )

    const openAlone = Effect.fnUntraced(function* (organizationId: string, to: SendTo) {
      // A thread is begun by the people there.
      if ("conversationId" in to) return undefined
      const [contact] =
        "phone" in to
          ? [yield* contactOf(sql, organizationId, to.phone)]
          : yield* sql<{ id: string }>`SELECT id FROM hold_contact(${organizationId}, NULL, ${to.contactId})`
      return contact === undefined ? undefined : yield* conversationOf(sql, organizationId, contact.id, "messaging")
    })

    const open = Effect.fnUntraced(function* (organizationId: string, to: SendTo) {
      const opened = "contactId" in to ? yield* openTogether(organizationId, to.contactId) : undefined
      return opened ?? (yield* asTenant(organizationId)(openAlone(organizationId, to)))
    })

    return Recipients.of({
      find: traced("Recipients.find")(find, Effect.orDie),
      open: traced("Recipients.open")(open, Effect.orDie)
    })
  })
)
