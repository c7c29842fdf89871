/**
 * Contacts as pages of a database. Both sides may change a page: what is sent are the fields that changed here and not, later, there. What both sides had
 * last is kept with the link, so what came from there is not sent back.
 */
import { Effect, Schema } from "effect"
import type { AppAnswer, AppLink, AppSession } from "../../domain/apps/AppAdapter.ts"
import { type ContactFields, sharedFields } from "../../domain/apps/ContactFields.ts"
import type { ToldField } from "../../domain/apps/FieldMapping.ts"
import { notationsOf } from "../../domain/basics/Phone.ts"
import type { Contact } from "../../domain/people/contacts/Contact.ts"
import type { NotionDatabase } from "./NotionDatabase.ts"
import { type NotionMapping, NotionValue, notionFields, notionProperties, optionName } from "./NotionProperties.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"

export const NotionPage = Schema.Struct({
  id: Schema.String,
  last_edited_time: Schema.String,
  in_trash: Schema.optionalKey(Schema.Boolean),
  parent: Schema.Struct({ data_source_id: Schema.optionalKey(Schema.String) }),
  properties: Schema.Record(Schema.String, NotionValue)
})
export type NotionPage = typeof NotionPage.Type
const Found = Schema.Struct({ results: Schema.Array(NotionPage) })

/** A contact here and there. */
interface Sides {
  readonly contact: Contact
  readonly page: NotionPage
  readonly mapping: NotionMapping
  readonly base: Partial<ContactFields> | null | undefined
}

const text = (value: ContactFields[keyof ContactFields] | undefined): string =>
  Array.isArray(value) ? [...value].map(optionName).sort().join(",") : (value ?? "").toString()

/** Only we write these. */
const oneWay = ["id", "optedIn"] as const satisfies ReadonlyArray<ToldField>

const oneWayOf = (contact: Contact, mapping: NotionMapping) =>
  JSON.stringify(oneWay.filter((field) => mapping[field] !== undefined).map((field) => contact[field]))

/** The fields to send: those that differ, unless they were changed there only, or there later than here. */
export const fieldsToSend = ({ contact, page, mapping, base }: Sides): ReadonlyArray<ToldField> => {
  const theirs = notionFields(page.properties, mapping)
  const theirsIsNewer = Date.parse(page.last_edited_time) > Date.parse(contact.updatedAt)
  return sharedFields.filter((field) => {
    if (mapping[field] === undefined || text(contact[field]) === text(theirs[field])) return false
    const isLinked = base != null && Object.hasOwn(base, field)
    const weChanged = isLinked ? text(contact[field]) !== text(base[field]) : text(contact[field]) !== ""
    const theyChanged = isLinked ? text(theirs[field]) !== text(base[field]) : text(theirs[field]) !== ""
    return weChanged && !(theyChanged && theirsIsNewer)
  })
}

export const makeNotionContacts = (baseUrl: string) => {
  const get = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const answer = yield* askNotion(baseUrl, session, { method: "GET", path: `/pages/${encodeURIComponent(id)}` })
    if (answer.status === 404) return undefined
    const page = yield* readNotion(NotionPage, answer)
    return page.in_trash === true ? undefined : page
  })

  /** The filters that find a contact, one after the other. */
  const filters = ({ id, phone, email }: Contact, { mapping }: NotionDatabase) => {
    const equals = (field: "id" | "phone" | "email", value: string) => {
      const property = mapping[field]
      return property === undefined ? [] : [{ property: property.name, [property.type]: { equals: value } }]
    }
    const phones = phone === null ? [] : notationsOf(phone).flatMap((written) => equals("phone", written))
    return [equals("id", id), phones, email === null ? [] : equals("email", email)].filter(({ length }) => length > 0)
  }

  const find = Effect.fnUntraced(function* (session: AppSession, contact: Contact, database: NotionDatabase) {
    const path = `/data_sources/${database.dataSourceId}/query`
    for (const or of filters(contact, database)) {
      const body = { filter: { or }, page_size: 1 }
      const { results } = yield* readNotion(Found, yield* askNotion(baseUrl, session, { method: "POST", path, body }))
      if (results.length > 0) return results[0]
    }
    return undefined
  })

  const saved = (answer: AppAnswer) => readNotion(NotionPage, answer)

  const create = Effect.fnUntraced(function* (session: AppSession, contact: Contact, database: NotionDatabase) {
    const parent = { type: "data_source_id", data_source_id: database.dataSourceId }
    const properties = notionProperties(contact, database.mapping, [...sharedFields, ...oneWay])
    const body = { parent, properties }
    return yield* saved(yield* askNotion(baseUrl, session, { method: "POST", path: "/pages", body }))
  })

  const change = Effect.fnUntraced(function* (session: AppSession, sides: Sides, known: AppLink | undefined) {
    const { contact, page, mapping } = sides
    const shared = fieldsToSend(sides)
    const others =
      known?.hash === oneWayOf(contact, mapping) ? [] : oneWay.filter((field) => mapping[field] !== undefined)
    if (shared.length + others.length === 0) return page
    const body = { properties: notionProperties(contact, mapping, [...shared, ...others]) }
    return yield* saved(yield* askNotion(baseUrl, session, { method: "PATCH", path: `/pages/${page.id}`, body }))
  })

  /** The contact as a page. Gives its link with what is there now. */
  const upsert = Effect.fnUntraced(function* (
    session: AppSession,
    contact: Contact,
    database: NotionDatabase,
    known: AppLink | undefined
  ) {
    const { mapping } = database
    const hash = oneWayOf(contact, mapping)
    const isSame =
      known?.fields != null &&
      known.hash === hash &&
      sharedFields.every(
        (field) => mapping[field] === undefined || text(known.fields?.[field]) === text(contact[field])
      )
    if (known !== undefined && isSame) return known
    const linked = known === undefined ? undefined : yield* get(session, known.remoteId)
    const page = linked ?? (yield* find(session, contact, database))
    const base = linked === undefined ? null : known?.fields
    const after =
      page === undefined
        ? yield* create(session, contact, database)
        : yield* change(session, { contact, page, mapping, base }, linked === undefined ? undefined : known)
    const fields = notionFields(after.properties, mapping)
    return {
      kind: "contact",
      localId: contact.id,
      remoteId: after.id,
      hash,
      fields: kept(fields, base, contact)
    } satisfies AppLink
  })

  /**
   * What both sides had last. A field that is newer there stays as it was, so that it is still seen as changed there when it comes.
   */
  const kept = (
    fields: Partial<ContactFields>,
    base: Partial<ContactFields> | null | undefined,
    contact: Contact
  ): Partial<ContactFields> => {
    const entries = sharedFields.flatMap((field) => {
      if (!Object.hasOwn(fields, field)) return []
      if (text(fields[field]) === text(contact[field])) return [[field, fields[field]] as const]
      return base != null && Object.hasOwn(base, field) ? [[field, base[field]] as const] : []
    })
    return Object.fromEntries(entries)
  }

  return { get, upsert }
}
