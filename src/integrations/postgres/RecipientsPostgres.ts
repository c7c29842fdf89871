/** Contacts and conversations of messages to be sent, in Postgres. A contact that was written to before costs one statement (migration 36). */
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { type Recipient, Recipients } from "../../domain/Recipients.ts"
import type { SendTo } from "../../domain/SendRequest.ts"
import { makeSql } from "./Sql.ts"
import { contactOf, conversationOf } from "./Threads.ts"

interface Row {
  readonly contactId: string
  readonly phone: string | null
  readonly optedOut: boolean
  readonly conversationId: string | null
}

export const layer = Layer.effect(
  Recipients,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const find = Effect.fnUntraced(function* (
      organizationId: string,
      to: SendTo
    ): Effect.fn.Return<Recipient | undefined, SqlError.SqlError> {
      const [phone, id] = "phone" in to ? [to.phone, null] : [null, to.contactId]
      const [row] = yield* sql<Row>`SELECT * FROM find_recipient(${organizationId}, ${phone}, ${id})`
      return row === undefined ? undefined : { ...row, conversationId: row.conversationId ?? undefined }
    })

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
