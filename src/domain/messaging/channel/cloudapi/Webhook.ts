/** Reads webhooks of the Cloud API: first whom a webhook names and, once its signature is verified, the items for the inbox. Pure. */
import { createHash } from "node:crypto"
import type { Schema } from "effect"
import { isJsonObject, type JsonObject, present } from "../../../basics/Json.ts"
import { storable } from "../../../basics/PlainText.ts"
import type { InboxItemKind, NewInboxItem } from "../ChannelInbox.ts"

type Json = Schema.Json

/** The objects of a list; empty for anything but a list. */
export const objects = (value: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

/** A text that is not empty; `undefined` for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** What one change of a webhook reports. Most changes name a number; the others name only the business account. */
export interface Told {
  readonly phoneNumberId: string | undefined
  readonly businessAccountId: string | undefined
  readonly items: ReadonlyArray<NewInboxItem>
}

/** Whom a webhook names: numbers, and the business accounts of changes without a number. */
export interface Named {
  readonly phoneNumberIds: ReadonlyArray<string>
  readonly businessAccountIds: ReadonlyArray<string>
}

/** The most things in one webhook. The channel sends at most 1,000. */
const mostThings = 5_000
/** The most numbers and accounts in one webhook. Each is looked up, and the signature may have to be checked with a secret of each. */
const mostNamed = 100

const storableJson = (value: Json): Json => {
  if (typeof value === "string") return storable(value)
  if (Array.isArray(value)) return value.map(storableJson)
  return isJsonObject(value) ? storableObject(value) : value
}
const storableObject = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [storable(name), storableJson(field)]))

const digest = (value: Json): string => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 40)

/** The channel's ids are short; longer ones give no name. */
const named = (...parts: ReadonlyArray<string | undefined>): string | undefined =>
  parts.every((part) => part !== undefined && part.length <= 400) ? parts.join(":") : undefined

const item = (
  kind: InboxItemKind,
  partition: string | undefined,
  deduplicationKey: string | undefined,
  told: JsonObject
): NewInboxItem => {
  const payload = storableObject(told)
  return {
    kind,
    partition: storable(`${kind}:${partition ?? digest(payload)}`.slice(0, 500)),
    deduplicationKey: storable(`${kind}:${deduplicationKey ?? digest(payload)}`),
    payload
  }
}

const byUser = (one: JsonObject): string | undefined =>
  textOf(one.from_user_id) ?? textOf(one.from) ?? textOf(one.user_id) ?? textOf(one.wa_id)

/** Finds the sender of a message among the webhook's contacts. */
const contactOf = (contacts: ReadonlyArray<JsonObject>) => {
  // When two contacts have the same id, the first counts.
  const named = (field: "user_id" | "wa_id") =>
    new Map(contacts.toReversed().flatMap((one) => (textOf(one[field]) === undefined ? [] : [[one[field], one]])))
  const [byUserId, byNumber] = [named("user_id"), named("wa_id")]
  return (message: JsonObject): JsonObject | undefined =>
    byUserId.get(message.from_user_id) ??
    byNumber.get(message.from) ??
    (contacts.length === 1 ? contacts[0] : undefined)
}

const itemsOf = (field: string, value: JsonObject): ReadonlyArray<NewInboxItem> => {
  const contacts = objects(value.contacts)
  const from = contactOf(contacts)
  const messages = objects(value.messages).map((message) =>
    item("message", byUser(message), named(textOf(message.id)), {
      message,
      contact: from(message) ?? null
    })
  )
  const statuses = objects(value.statuses).map((status) =>
    item("status", textOf(status.id), named(textOf(status.id), textOf(status.status)), { status })
  )
  const identities = objects(value.user_id_update).map((update) => {
    const ids = isJsonObject(update.user_id) ? update.user_id : {}
    return item("identity", textOf(ids.previous), undefined, { update, contact: contacts[0] ?? null })
  })
  const preferences = objects(value.user_preferences).map((preference) =>
    item("preference", byUser(preference), undefined, { preference })
  )
  const known = [...messages, ...statuses, ...identities, ...preferences]
  if (known.length > 0) return known
  if (/^message_template_/.test(field)) return [item("template", "all", undefined, { field, value })]
  return [item("other", undefined, undefined, { field, value })]
}

const valueOf = (change: JsonObject): JsonObject => (isJsonObject(change.value) ? change.value : {})

const phoneNumberIdOf = ({ metadata }: JsonObject): string | undefined =>
  isJsonObject(metadata) ? textOf(metadata.phone_number_id) : undefined

const idOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : storable(text))

const toldBy = (entry: JsonObject): ReadonlyArray<Told> =>
  objects(entry.changes).map((change) => {
    const value = valueOf(change)
    const phoneNumberId = phoneNumberIdOf(value)
    // The entry's time distinguishes two equal changes of a template.
    const dated =
      isJsonObject(change.value) && phoneNumberId === undefined ? { ...value, entryTime: entry.time ?? null } : value
    return {
      phoneNumberId: idOf(phoneNumberId),
      businessAccountId: idOf(textOf(entry.id)),
      items: itemsOf(textOf(change.field) ?? "", dated)
    }
  })

const isWebhook = (document: unknown): document is JsonObject =>
  isJsonObject(document) && document.object === "whatsapp_business_account"

const sizeOf = (value: JsonObject): number =>
  [value.messages, value.statuses, value.contacts, value.user_id_update, value.user_preferences].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    1
  )

/**
 * Whom a webhook's document names; `undefined` when it is not a document of the channel. Anybody may have sent it, so this reads no more things
 * than the channel would send.
 */
export const namedBy = (document: unknown): Named | undefined => {
  if (!isWebhook(document)) return undefined
  const numbers = new Set<string>()
  const accounts = new Set<string>()
  const add = (ids: Set<string>, id: string | undefined) => {
    if (id !== undefined && id.length <= 64) ids.add(storable(id))
  }
  let things = 0
  for (const entry of objects(document.entry)) {
    things += 1
    for (const change of objects(entry.changes)) {
      const value = valueOf(change)
      const phoneNumberId = phoneNumberIdOf(value)
      if (phoneNumberId === undefined) add(accounts, textOf(entry.id))
      else add(numbers, phoneNumberId)
      things += sizeOf(value)
      if (things > mostThings || numbers.size + accounts.size > mostNamed) return undefined
    }
  }
  return { phoneNumberIds: [...numbers], businessAccountIds: [...accounts] }
}

/** How many bytes of a webhook are searched for whom it names. The channel names the account and the number before anything else. */
export const headBytes = 64 * 1024
const numberField = /"phone_number_id"\s*:\s*"([^"\\]{1,64})"/g
/** Accounts have such ids, and so have other things. Ids of messages end with "=". */
const idField = /"id"\s*:\s*"([^"\\:=]{1,64})"/g

const matches = (text: string, field: RegExp): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const [, id] of text.matchAll(field)) if (found.add(id).size === mostNamed) break
  return [...found]
}

/**
 * Whom a webhook might name, found in the first `headBytes` bytes without parsing them, so that its signature can be checked first. May give ids of
 * other things, and misses names that are written with escapes or come later.
 */
export const namedIn = (head: Uint8Array): Named => {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, headBytes)).toString("latin1")
  return { phoneNumberIds: matches(text, numberField), businessAccountIds: matches(text, idField) }
}

/** The most things in a part of a webhook (`partsOf`). */
const mostOfPart = 100

const split = (change: JsonObject): ReadonlyArray<JsonObject> => {
  const { value } = change
  if (!isJsonObject(value)) return [change]
  const [messages, statuses] = [objects(value.messages), objects(value.statuses)]
  const longest = Math.max(messages.length, statuses.length)
  if (longest <= mostOfPart) return [change]
  const part = (list: ReadonlyArray<JsonObject>, at: number) => list.slice(at, at + mostOfPart)
  const starts = Array.from({ length: Math.ceil(longest / mostOfPart) }, (_, n) => n * mostOfPart)
  return starts.map((at) => {
    const { user_id_update, user_preferences, ...shared } = value
    const once = at === 0 ? present({ user_id_update, user_preferences }) : {}
    return { ...change, value: { ...shared, ...once, messages: part(messages, at), statuses: part(statuses, at) } }
  })
}

/** The webhook in parts, each with one change of at most `mostOfPart` messages, so that no part takes long to read. */
export const partsOf = (document: unknown): ReadonlyArray<JsonObject> =>
  isWebhook(document)
    ? objects(document.entry).flatMap((entry) =>
        objects(entry.changes)
          .flatMap(split)
          .map((change) => ({ ...document, entry: [{ ...entry, changes: [change] }] }))
      )
    : []

/**
 * What a webhook's document reports, in items that can be stored; empty when it is not a document of the channel. Costly, so call it for a verified
 * webhook only. Only items are cleaned: a part carries all that its webhook has beside the messages, which may be most of it.
 */
export const readWebhook = (document: unknown): ReadonlyArray<Told> =>
  isWebhook(document) ? objects(document.entry).flatMap(toldBy) : []
