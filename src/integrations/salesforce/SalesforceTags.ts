/**
 * Tags in both directions, where the mapping gives ours to a field of Contact. The contacts that changed are asked for in the order of their times, which are
 * exact to a second, and of their ids.
 */
import { Effect, Schema } from "effect"
import type { AppPull } from "../../domain/apps/AppInbound.ts"
import { makeSyncTags, tagFieldOf, tagsIn } from "../../domain/apps/adapters/TagField.ts"
import { isOk } from "../../domain/apps/StatusFailure.ts"
import { askSalesforce, queryPath, quoted, readSalesforce } from "./SalesforceRequests.ts"

const Value = Schema.NullOr(Schema.String)
const Contact = Schema.Record(Schema.String, Schema.Unknown)
const Found = Schema.Struct({ records: Schema.Array(Contact) })
const decodeValue = Schema.decodeUnknownOption(Value)

const minute = 60_000
/** A change that was not committed yet has an older time than when it is seen. */
const overlapMs = 2 * minute
const everyMs = 15 * minute
const perPage = 1_000

/** A cursor of ours: the time and the id of the last contact. */
const placeForm = /^(\S+) (\w+)$/

const pathOf = (id: string) => `/sobjects/Contact/${encodeURIComponent(id)}`

/** A field of a record that holds a text or nothing. */
const valueOf = (record: typeof Contact.Type, field: string): string | null => {
  const found = decodeValue(record[field])
  return found._tag === "Some" ? found.value : null
}

/** A time as queries take it. */
const literal = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z")
/** Salesforce writes times as `2026-11-25T10:00:00.000+0000`. */
const timeOf = (text: string | null) => Date.parse((text ?? "").replace(/\+0000$/, "Z"))

export const syncSalesforceTags = makeSyncTags({
  read: Effect.fnUntraced(function* (session, id, field) {
    const path = `${pathOf(id)}?fields=${encodeURIComponent(field)}`
    return valueOf(yield* readSalesforce(Contact, yield* askSalesforce(session, { method: "GET", path })), field)
  }),
  write: Effect.fnUntraced(function* (session, id, field, text) {
    const body = { [field]: text === "" ? null : text }
    const answer = yield* askSalesforce(session, { method: "PATCH", path: pathOf(id), body })
    if (!isOk(answer)) yield* readSalesforce(Schema.Never, answer)
  })
})

/** The tags of the contacts that changed. Contacts that we have not sent are left out. */
export const salesforcePull: AppPull = {
  kinds: ["contact"],
  everyMs,
  page: Effect.fnUntraced(function* (session, { since, cursor }) {
    const field = tagFieldOf(session.settings)
    if (field === undefined) return { records: [], cursor: null }
    const [, time, id = ""] = placeForm.exec(cursor ?? "") ?? []
    const from = literal(Math.max(0, (since ?? 0) - overlapMs))
    const where =
      time === undefined
        ? `SystemModstamp >= ${from}`
        : `SystemModstamp > ${time} OR (SystemModstamp = ${time} AND Id > ${quoted(id)})`
    const soql = `SELECT Id, ${field}, SystemModstamp FROM Contact WHERE ${where} ORDER BY SystemModstamp, Id LIMIT ${perPage}`
    const answer = yield* askSalesforce(session, { method: "GET", path: queryPath(soql) })
    const { records: found } = yield* readSalesforce(Found, answer)
    const records = found.map((record) => ({
      ...{ _tag: "contact" as const, externalId: valueOf(record, "Id") ?? "", onlyLinked: true },
      updatedAt: timeOf(valueOf(record, "SystemModstamp")),
      fields: { tags: tagsIn(valueOf(record, field)) }
    }))
    const last = records.at(-1)
    const isFull = last !== undefined && records.length === perPage
    return { records, cursor: isFull ? `${literal(last.updatedAt)} ${last.externalId}` : null }
  })
}
