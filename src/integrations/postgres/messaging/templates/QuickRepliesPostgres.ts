/** Quick replies in Postgres. An organization has a few hundred at most, so a search reads all of them. */
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { placeholdersIn } from "../../../../domain/messaging/templates/Placeholders.ts"
import {
  DuplicateShortcut,
  type NewQuickReply,
  QuickReplies,
  QuickReply,
  type QuickReplyChanges,
  tidyShortcut
} from "../../../../domain/messaging/templates/QuickReplies.ts"
import { searchable } from "../../../../domain/people/contacts/Contact.ts"
import { newestFirst } from "../../tenancy/Parts.ts"
import { holdName, iso, makeSql, within } from "../../tenancy/Sql.ts"

interface Row extends Omit<QuickReply, "placeholders" | "createdAt" | "updatedAt"> {
  readonly createdAt: Date
  readonly updatedAt: Date
}

const decode = (row: Row) =>
  Schema.decodeUnknownEffect(QuickReply)({
    ...row,
    placeholders: placeholdersIn(row.text),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  }).pipe(Effect.orDie)

/** A LIKE pattern that finds `part` anywhere in a text. */
const containing = (part: string): string => `%${searchable(part).replace(/[\\%_]/g, "\\$&")}%`

export const layer = Layer.effect(
  QuickReplies,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const byId = (id: string) =>
      Effect.orDie(sql<Row>`SELECT * FROM quick_replies WHERE id = ${id}`).pipe(
        Effect.flatMap(([row]) => (row === undefined ? Effect.succeed(undefined) : decode(row)))
      )

    const list = (search: string | undefined, part: Part) => {
      const where = search === undefined ? sql`TRUE` : sql`searchable LIKE ${containing(search)}`
      const decodeAll = (rows: ReadonlyArray<Row>) => Effect.forEach(rows, decode)
      return newestFirst(sql, { table: "quick_replies", where, decode: decodeAll }, part)
    }

    /** Fails with `DuplicateShortcut`, which holds the id of the quick reply that has the shortcut. */
    const taken = (shortcut: string) =>
      Effect.orDie(sql<Row>`SELECT * FROM quick_replies WHERE shortcut = ${shortcut}`).pipe(
        Effect.flatMap(([row]) => new DuplicateShortcut({ shortcut, existingId: row.id }))
      )

    /** Lets one writer at a time into the organization's quick replies until the transaction ends, so that a free shortcut stays free. */
    const alone = (organizationId: string) => Effect.orDie(holdName(sql, `quick replies of ${organizationId}`))

    const create = Effect.fnUntraced(function* (organizationId: string, input: NewQuickReply) {
      yield* alone(organizationId)
      const shortcut = tidyShortcut(input.shortcut)
      const id = newId("qrp")
      const made = yield* Effect.orDie(
        sql`INSERT INTO quick_replies (organization_id, id, shortcut, text, searchable)
          VALUES (${organizationId}, ${id}, ${shortcut}, ${input.text}, ${searchable(`${shortcut} ${input.text}`)})
          ON CONFLICT (organization_id, shortcut) DO NOTHING RETURNING id`
      )
      if (made.length === 0) return yield* taken(shortcut)
      const reply = yield* byId(id)
      return reply ?? (yield* Effect.die(new Error("What was just stored is not there")))
    })

    const update = Effect.fnUntraced(function* (organizationId: string, id: string, changes: QuickReplyChanges) {
      yield* alone(organizationId)
      const before = yield* byId(id)
      if (before === undefined) return undefined
      const shortcut = changes.shortcut === undefined ? before.shortcut : tidyShortcut(changes.shortcut)
      const text = changes.text ?? before.text
      const other = yield* Effect.orDie(
        sql`SELECT 1 AS found FROM quick_replies WHERE organization_id = ${organizationId} AND shortcut = ${shortcut} AND id <> ${id}`
      )
      if (other.length > 0) return yield* taken(shortcut)
      yield* Effect.orDie(
        sql`UPDATE quick_replies SET shortcut = ${shortcut}, text = ${text},
          searchable = ${searchable(`${shortcut} ${text}`)}, updated_at = now() WHERE id = ${id}`
      )
      return yield* byId(id)
    })

    return QuickReplies.of({
      list: traced("QuickReplies.list")(
        (organizationId, { search }, part) => asTenant(organizationId)(list(search, part)),
        Effect.orDie
      ),
      find: traced("QuickReplies.find")((organizationId, id) => asTenant(organizationId)(byId(id)), Effect.orDie),
      create: traced("QuickReplies.create")((organizationId, input) =>
        within(asTenant(organizationId))(create(organizationId, input))
      ),
      update: traced("QuickReplies.update")((organizationId, id, changes) =>
        within(asTenant(organizationId))(update(organizationId, id, changes))
      ),
      remove: traced("QuickReplies.remove")(function* (organizationId, id) {
        const gone = yield* asTenant(organizationId)(sql`DELETE FROM quick_replies WHERE id = ${id} RETURNING id`)
        return gone.length > 0
      }, Effect.orDie)
    })
  })
)
