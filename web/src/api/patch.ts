/**
 * What an event changes in the records that the browser holds. Pure: tables in `test/web/patch.test.ts` say what comes out. A record is replaced only by
 * a newer one, so events and answers may come in any order.
 */
import type { Conversation, InboxCounts, Message, TimelineEntry } from "@parley/client"
import { plain } from "../lib/plain.ts"

export const viewNames = ["open", "mine", "unassigned", "unread", "overdue", "snoozed", "resolved"] as const

export interface View {
  readonly name: (typeof viewNames)[number]
  readonly channel?: Conversation["channel"] | undefined
  readonly label?: string | undefined
  /** Id of a person or an AI agent. */
  readonly assignee?: string | undefined
  /** A part of the contact's name or number. */
  readonly search?: string | undefined
  readonly contactId?: string | undefined
}

/** A page of a list: ids only, so that a record is in one place. */
export interface IdPage {
  readonly ids: ReadonlyArray<string>
  readonly nextCursor: string | null
  readonly total: number
}

/** The record that counts, of two versions of one. Equal times: the one that came later. */
export const newer = <A extends { readonly updatedAt: string }>(known: A | undefined, given: A): A =>
  known !== undefined && known.updatedAt > given.updatedAt ? known : given

const order: Readonly<Record<Message["status"], number>> = {
  received: 0,
  queued: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  failed: 5
}

/** A status only climbs: reports of the channel come in any order. */
export const climbed = (known: Message | undefined, given: Message): Message =>
  known !== undefined && order[known.status] > order[given.status] ? known : given

/** When a conversation must be answered or resolved next, in milliseconds; undefined when nothing is due. */
export const dueAt = ({ status, sla }: Pick<Conversation, "status" | "sla">): number | undefined => {
  if (status === "RESOLVED") return undefined
  const due = [sla.firstResponseDueAt, sla.resolutionDueAt].flatMap((at) => (at === null ? [] : [Date.parse(at)]))
  return due.length === 0 ? undefined : Math.min(...due)
}

export const isOverdue = (conversation: Pick<Conversation, "status" | "sla">, now: number): boolean => {
  const due = dueAt(conversation)
  return due !== undefined && due <= now
}

export const isSnoozed = ({ snoozedUntil }: Pick<Conversation, "snoozedUntil">, now: number): boolean =>
  snoozedUntil !== null && Date.parse(snoozedUntil) > now

const digits = (text: string) => text.replace(/\D/g, "")

/** Whether a search finds a contact. The service's rule for names and numbers, near enough for what comes while one looks. */
const isFound = ({ name, phone }: Conversation["contact"], search: string): boolean => {
  const number = digits(search)
  const words = plain(search).split(/\s+/)
  const known = plain(name ?? "")
  return words.every((word) => known.includes(word)) || (number.length > 2 && digits(phone ?? "").includes(number))
}

/** Whether a conversation is in a view. `me`: the id of the signed-in person. All views but those of done and snoozed ones leave out snoozed ones. */
export const isIn = (view: View, conversation: Conversation, me: string, now: number): boolean => {
  const { status, assignee, channel, labels, contact } = conversation
  if (view.search !== undefined && !isFound(contact, view.search)) return false
  if (view.assignee !== undefined && assignee !== view.assignee) return false
  if (view.channel !== undefined && channel !== view.channel) return false
  if (view.label !== undefined && !labels.includes(view.label)) return false
  if (view.contactId !== undefined && contact.id !== view.contactId) return false
  const snoozed = isSnoozed(conversation, now)
  if (view.name === "snoozed") return snoozed
  if (view.name === "resolved") return status === "RESOLVED"
  if (snoozed) return false
  switch (view.name) {
    case "open":
      return status !== "RESOLVED"
    case "unread":
      return conversation.unreadCount > 0
    case "mine":
      return status !== "RESOLVED" && assignee === me
    case "unassigned":
      return status !== "RESOLVED" && assignee === null
    case "overdue":
      return isOverdue(conversation, now)
  }
}

const countedBy = {
  mine: "mine",
  unread: "unread",
  overdue: "overdue",
  snoozed: "snoozed",
  resolved: "resolved"
} as const

/** The counts of the views after a conversation has become another one. */
export const counted = (
  counts: InboxCounts,
  before: Conversation,
  after: Conversation,
  me: string,
  now: number
): InboxCounts => {
  const step = (is: (one: Conversation) => boolean) => Number(is(after)) - Number(is(before))
  const has = (status: Conversation["status"]) => (one: Conversation) => one.status === status && !isSnoozed(one, now)
  const next = { ...counts }
  const add = (field: keyof InboxCounts, by: number) => {
    next[field] = Math.max(0, next[field] + by)
  }
  add("open", step(has("OPEN")))
  add("assigned", step(has("ASSIGNED")))
  for (const name of Object.keys(countedBy) as ReadonlyArray<keyof typeof countedBy>)
    add(
      countedBy[name],
      step((one) => isIn({ name }, one, me, now))
    )
  return next
}

/**
 * The pages of a view after one of its conversations has changed: it stands where its latest activity puts it, or is gone from the view. One that belongs
 * below the last loaded page is left for that page to bring.
 */
export const placed = (
  pages: ReadonlyArray<IdPage>,
  conversation: Conversation,
  belongs: boolean,
  activityOf: (id: string) => string | undefined
): ReadonlyArray<IdPage> => {
  const { id, lastActivityAt } = conversation
  const wasIn = pages.some(({ ids }) => ids.includes(id))
  if (!wasIn && !belongs) return pages
  const without = pages.map((page) => ({
    ...page,
    ids: page.ids.includes(id) ? page.ids.filter((one) => one !== id) : page.ids,
    total: Math.max(0, page.total + (belongs ? (wasIn ? 0 : 1) : -1))
  }))
  if (!belongs) return without
  const above = (one: string) => (activityOf(one) ?? "") > lastActivityAt
  const at = without.findIndex(({ ids }) => ids.some((one) => !above(one)))
  const last = without.length - 1
  const target = at >= 0 ? at : without[last]?.nextCursor === null || last === 0 ? last : -1
  return without.map((page, index) => {
    if (index !== target) return page
    const before = page.ids.findIndex((one) => !above(one))
    const spot = before < 0 ? page.ids.length : before
    return { ...page, ids: [...page.ids.slice(0, spot), id, ...page.ids.slice(spot)] }
  })
}

/** A page of a contact's timeline, the newest first: messages, calls, notes and changes. */
export interface ThreadPage {
  readonly entries: ReadonlyArray<TimelineEntry>
  readonly olderCursor: string | null
  readonly newerCursor: string | null
}

export const entryId = ({ message, call, note, change }: TimelineEntry): string =>
  (message ?? call ?? note ?? change)?.id ?? ""

export const messageEntry = (message: Message): TimelineEntry => ({ kind: "message", at: message.createdAt, message })

/** The entry that counts, of two versions of one. Events tell of a call without its words. */
const latest = (known: TimelineEntry, given: TimelineEntry): TimelineEntry => {
  if (given.message !== undefined) return { ...given, message: climbed(known.message, given.message) }
  if (given.note !== undefined) return { ...given, note: newer(known.note, given.note) }
  if (given.call === undefined || known.call === undefined) return given
  const utterances = given.call.utterances.length === 0 ? known.call.utterances : given.call.utterances
  return { ...given, call: { ...given.call, utterances } }
}

/** The pages of a thread with an entry that is new or has changed. One that belongs below the last loaded page is left for that page to bring. */
export const withEntry = (pages: ReadonlyArray<ThreadPage>, entry: TimelineEntry): ReadonlyArray<ThreadPage> => {
  const id = entryId(entry)
  let found = false
  const replaced = pages.map((page) => {
    const at = page.entries.findIndex((one) => entryId(one) === id)
    const known = page.entries[at]
    if (known === undefined) return page
    found = true
    return { ...page, entries: page.entries.with(at, latest(known, entry)) }
  })
  if (found) return replaced
  const oldest = pages.at(-1)
  const first = oldest?.entries.at(-1)
  if (oldest !== undefined && oldest.olderCursor !== null && first !== undefined && entry.at < first.at) return pages
  return replaced.map((page, index) => (index === 0 ? { ...page, entries: [entry, ...page.entries] } : page))
}

/** All entries in their order, the oldest first, each once. */
export const inOrder = (pages: ReadonlyArray<ThreadPage>): ReadonlyArray<TimelineEntry> => {
  const all = new Map<string, TimelineEntry>()
  for (const entry of pages.flatMap(({ entries }) => entries))
    if (!all.has(entryId(entry))) all.set(entryId(entry), entry)
  return [...all.values()].toSorted((a, b) =>
    a.at < b.at || (a.at === b.at && entryId(a) < entryId(b)) ? -1 : a.at > b.at || entryId(a) > entryId(b) ? 1 : 0
  )
}

/** A conversation as a message of its own makes it, until the service's own record comes: what stands in the list is then right at once. */
export const afterMessage = (conversation: Conversation, message: Message, isOpen: boolean): Conversation => {
  if (message.createdAt < conversation.lastActivityAt) return conversation
  const inbound = message.direction === "inbound"
  const isNew = conversation.lastMessage?.id !== message.id
  const until = new Date(Date.parse(message.createdAt) + 24 * 3_600_000).toISOString()
  return {
    ...conversation,
    lastMessage: climbed(isNew ? undefined : (conversation.lastMessage ?? undefined), message),
    lastActivityAt: message.createdAt,
    unreadCount: inbound && isNew && !isOpen ? conversation.unreadCount + 1 : conversation.unreadCount,
    window: inbound && conversation.window !== null ? { open: true, expiresAt: until } : conversation.window
  }
}
