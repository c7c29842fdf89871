/** The conditions of lists of conversations, as SQL about a row `v` of `conversations`. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { type ConversationFilter, soonMs } from "../../../../domain/messaging/conversations/Conversation.ts"
import { searchPatterns } from "../../people/contacts/SearchPatterns.ts"
import { kindOf } from "./Ownership.ts"

/** Conversations of this person or agent; `none`: of nobody. */
const assignedTo = (sql: PgClient.PgClient, assignee: string) => {
  if (assignee === "none")
    return sql`v.assigned_user_id IS NULL AND v.assigned_agent_id IS NULL AND v.assigned_bot_id IS NULL`
  return sql`v.${sql.literal(kindOf(assignee).column)} = ${assignee}`
}

/** Conversations with this label. */
const labeled = (sql: PgClient.PgClient, label: string) =>
  sql`EXISTS (SELECT 1 FROM conversation_labels l
    WHERE l.organization_id = v.organization_id AND l.conversation_id = v.id AND l.label = ${label})`

/** Conversations whose next due time has passed, or comes soon. */
export const dueIs = (sql: PgClient.PgClient, due: "overdue" | "soon", now: number) => {
  const running = sql`(v.response_due_at IS NOT NULL OR v.resolution_due_at IS NOT NULL)`
  const next = sql`LEAST(v.response_due_at, v.resolution_due_at)`
  return due === "overdue"
    ? sql`${running} AND ${next} <= ${new Date(now)}`
    : sql`${running} AND ${next} > ${new Date(now)} AND ${next} <= ${new Date(now + soonMs)}`
}

/** Conversations that are snoozed at this moment. */
export const isSnoozed = (sql: PgClient.PgClient, now: number) =>
  sql`v.snoozed_until IS NOT NULL AND v.snoozed_until > ${new Date(now)}`

/** The others. */
export const isAwake = (sql: PgClient.PgClient, now: number) =>
  sql`(v.snoozed_until IS NULL OR v.snoozed_until <= ${new Date(now)})`

/** The conditions of a filter, but for its status and search. */
export const conditionsOf = (
  sql: PgClient.PgClient,
  { contactId, assignee, channel, label, due, snoozed, resolved, unread }: ConversationFilter,
  now: number
): Array<Statement.Fragment> => [
  ...(contactId === undefined ? [] : [sql`v.contact_id = ${contactId}`]),
  ...(assignee === undefined ? [] : [assignedTo(sql, assignee)]),
  // A literal, as an index holds the channels beside messaging only.
  ...(channel === undefined ? [] : [sql`v.channel = ${sql.literal(`'${channel}'`)}`]),
  ...(label === undefined ? [] : [labeled(sql, label)]),
  ...(due === undefined ? [] : [dueIs(sql, due, now)]),
  ...(snoozed === undefined ? [] : [snoozed ? isSnoozed(sql, now) : isAwake(sql, now)]),
  ...(resolved === undefined ? [] : [resolved ? sql`v.status = 'RESOLVED'` : sql`v.status <> 'RESOLVED'`]),
  ...(unread === undefined ? [] : [sql`v.unread_count > 0`])
]

/** Up to so many contacts are looked up by the search; of more, the conversations are gone through from the newest on. */
const fewContacts = 1_000

/** Conversations with contacts that a search finds, archived ones left out. `undefined`: the text searches for nothing. Use it as the tenant. */
export const contactsFound = Effect.fnUntraced(function* (sql: PgClient.PgClient, search: string) {
  const wanted = searchPatterns(search)
  if (wanted === undefined) return undefined
  const { name, inName, phone, namePart, phonePart } = wanted
  const [row] = yield* sql<{
    ids: ReadonlyArray<string> | null
  }>`SELECT s.ids FROM search_contacts(${name}, ${inName}, ${phone},
    ${namePart}, ${phonePart}, false, NULL, NULL, NULL, 0, ${fewContacts + 1}, 1) s`
  const ids = row?.ids ?? []
  if (ids.length <= fewContacts) return sql`v.contact_id = ANY (${ids}::text[])`
  const words = inName === null ? sql`` : sql` OR f.searchable_name LIKE ${inName}`
  const digits = phone === null ? sql`` : sql` OR ltrim(f.phone, '+') LIKE ${phone}`
  return sql`EXISTS (SELECT 1 FROM contacts f WHERE f.organization_id = v.organization_id AND f.id = v.contact_id
    AND f.archived_at IS NULL AND (f.searchable_name LIKE ${name}${words}${digits}))`
})
