/**
 * Contacts and conversations of messages to be sent, in Postgres. Contacts that were written to before cost one statement (migration 46), which
 * those that are looked for at the same moment share.
 */
import { Effect, Layer } from "effect"
import { type Recipient, Recipients } from "../../domain/Recipients.ts"
import type { SendTo } from "../../domain/SendRequest.ts"
import { makeSql } from "./Sql.ts"
import { contactOf, conversationOf } from "./Threads.ts"
import { makeTogether } from "./Together.ts"

interface Row {
  /** From 1, among those that were looked for. */
  readonly place: number
  readonly contactId: string
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
        return row === undefined ? undefined : { ...row, conversationId: row.conversationId ?? undefined }
      })
    })
    const find = yield* makeTogether(findAll)

    const open = Effect.fnUntraced(function* (organizationId: string, to: SendTo) {
      if ("phone" in to) yield* contactOf(sql, organizationId, to.phone)
      else yield* sql`SELECT 1 FROM contacts WHERE id = ${to.contactId} FOR UPDATE`
      const known = yield* find(organizationId, to)
      if (known === undefined) return undefined
      const { conversationId = yield* conversationOf(sql, organizationId, known.contactId, "messaging") } = known
      return { ...known, conversationId }
    })

    return Recipients.of({
      find: Effect.fn("Recipients.find")(find, Effect.orDie),
      open: Effect.fn("Recipients.open")(
        (organizationId, to) => asTenant(organizationId)(open(organizationId, to)),
        Effect.orDie
      )
    })
  })
)
