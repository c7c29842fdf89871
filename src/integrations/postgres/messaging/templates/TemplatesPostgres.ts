/** Templates in Postgres. One transaction changes a status and records the event. */
import { isDeepStrictEqual } from "node:util"
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import type { ChannelTemplate } from "../../../../domain/messaging/channel/MessagingChannel.ts"
import { slotsOf } from "../../../../domain/messaging/templates/TemplateSlots.ts"
import { removed, Template, type TemplateFilter, Templates } from "../../../../domain/messaging/templates/Templates.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { newestFirst } from "../../tenancy/Parts.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"

interface Row extends Omit<Template, "parameters" | "syncedAt" | "createdAt" | "updatedAt"> {
  readonly syncedAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

const decode = (row: Row) =>
  Schema.decodeUnknownEffect(Template)({
    ...row,
    parameters: slotsOf(row.components),
    syncedAt: iso(row.syncedAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  })

/** The attributes of a template that the channel decides. */
const decided = ({ channelTemplateId, status, category, components, rejectedReason }: ChannelTemplate | Row) => ({
  channelTemplateId,
  status,
  category,
  components,
  rejectedReason
})

const keyOf = ({ name, language }: { readonly name: string; readonly language: string }): string =>
  `${name}\n${language}`

export const layer = Layer.effect(
  Templates,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const byId = (id: string) => sql<Row>`SELECT * FROM templates WHERE id = ${id}`

    const list = (filter: TemplateFilter, part: Part) => {
      const where = sql.and([
        sql`TRUE`,
        ...(filter.name === undefined ? [] : [sql`name = ${filter.name}`]),
        ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
        ...(filter.language === undefined ? [] : [sql`language = ${filter.language}`])
      ])
      const decodeAll = (rows: ReadonlyArray<Row>) => Effect.forEach(rows, decode)
      return newestFirst(sql, { table: "templates", where, decode: decodeAll }, part)
    }

    const lastSync = Effect.map(sql<{ syncedAt: Date | null }>`SELECT synced_at FROM template_syncs`, (rows) =>
      rows.at(0)?.syncedAt?.getTime()
    )

    /** Records an event with the current template. Gives the template. */
    const recordUpdated = Effect.fnUntraced(function* (organizationId: string, id: string, now: number) {
      const [row] = yield* byId(id)
      const template = yield* decode(row)
      yield* recordEvent(sql, organizationId, { type: "template.updated", data: { template } }, now)
      return template
    })

    const add = (organizationId: string, template: ChannelTemplate, at: Date) => {
      const { channelTemplateId, name, language, status, category, components, rejectedReason } = template
      return sql`INSERT INTO templates (organization_id, id, channel_template_id, name, language, status, category, components, rejected_reason,
          synced_at, created_at, updated_at)
        VALUES (${organizationId}, ${newId("tpl", at.getTime())}, ${channelTemplateId}, ${name}, ${language}, ${status}, ${category},
          ${sql.json(components)}, ${rejectedReason}, ${at}, ${at}, ${at})`
    }

    const change = Effect.fnUntraced(function* (organizationId: string, row: Row, template: ChannelTemplate, at: Date) {
      const { channelTemplateId, status, category, components, rejectedReason } = template
      yield* sql`UPDATE templates SET channel_template_id = ${channelTemplateId}, status = ${status}, category = ${category},
        components = ${sql.json(components)}, rejected_reason = ${rejectedReason}, synced_at = ${at}, updated_at = ${at}
        WHERE id = ${row.id}`
      if (row.status !== status) yield* recordUpdated(organizationId, row.id, at.getTime())
    })

    const remove = Effect.fnUntraced(function* (organizationId: string, row: Row, at: Date) {
      yield* sql`UPDATE templates SET status = ${removed}, synced_at = ${at}, updated_at = ${at} WHERE id = ${row.id}`
      yield* recordUpdated(organizationId, row.id, at.getTime())
    })

    /**
     * Replaces the stored templates by the channel's listing. If two entries have the same name and language, the later one counts. Gives the
     * numbers of changes.
     */
    const replace = Effect.fnUntraced(function* (
      organizationId: string,
      listing: ReadonlyArray<ChannelTemplate>,
      now: number
    ) {
      const at = new Date(now)
      yield* sql`INSERT INTO template_syncs (organization_id, synced_at) VALUES (${organizationId}, ${at})
        ON CONFLICT (organization_id) DO UPDATE SET synced_at = GREATEST(template_syncs.synced_at, excluded.synced_at)`
      const rows = new Map(
        (yield* sql<Row>`SELECT * FROM templates ORDER BY id FOR NO KEY UPDATE`).map((row) => [keyOf(row), row])
      )
      const wanted = new Map(listing.map((template) => [keyOf(template), template]))
      const count = { added: 0, changed: 0, removed: 0, unchanged: 0 }
      const same: Array<string> = []
      for (const [key, template] of wanted) {
        const row = rows.get(key)
        if (row === undefined) {
          yield* add(organizationId, template, at)
          count.added++
        } else if (isDeepStrictEqual(decided(row), decided(template))) same.push(row.id)
        else {
          yield* change(organizationId, row, template, at)
          count.changed++
        }
      }
      yield* sql`UPDATE templates SET synced_at = ${at} WHERE id = ANY (${same}::text[])`
      for (const [key, row] of rows)
        if (!wanted.has(key) && row.status !== removed) {
          yield* remove(organizationId, row, at)
          count.removed++
        }
      return { ...count, unchanged: same.length, syncedAt: iso(at) }
    })

    return Templates.of({
      list: traced("Templates.list")(
        (organizationId, filter, part) => asTenant(organizationId)(list(filter, part)),
        Effect.orDie
      ),
      find: traced("Templates.find")(function* (organizationId, templateId) {
        const [row] = yield* asTenant(organizationId)(byId(templateId))
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie),
      named: traced("Templates.named")(function* (organizationId, name) {
        const [rows, last] = yield* asTenant(organizationId)(
          Effect.all([sql<Row>`SELECT * FROM templates WHERE name = ${name} ORDER BY language`, lastSync])
        )
        return { templates: yield* Effect.forEach(rows, decode), synced: last !== undefined }
      }, Effect.orDie),
      lastSync: traced("Templates.lastSync")((organizationId) => asTenant(organizationId)(lastSync), Effect.orDie),
      replace: traced("Templates.replace")(
        (organizationId, listing, now) => asTenant(organizationId)(replace(organizationId, listing, now)),
        Effect.orDie
      )
    })
  })
)
