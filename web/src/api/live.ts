/** Applies events to the query cache, once a frame, and reads again what may have been missed. */
import type {
  Contact,
  Conversation,
  ConversationNote,
  DirectoryEntry,
  Event,
  EventGap,
  InboxCounts,
  Message,
  TimelineEntry
} from "@parley/client"
import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query"
import { writeDraft } from "../lib/storage.ts"
import { isCallEvent } from "./callEvent.ts"
import { tellCallEvent } from "./callEvents.ts"
import { parley } from "./client.ts"
import { letGo } from "./held.ts"
import { keys } from "./keys.ts"
import { isPassing, type PassingEvent } from "./passing.ts"
import {
  afterMessage,
  climbed,
  counted,
  type IdPage,
  isIn,
  messageEntry,
  newer,
  placed,
  type ThreadPage,
  type View,
  withEntry
} from "./patch.ts"
import { storePresence } from "./presence.ts"
import { readUnknownSoon } from "./unknown.ts"

/** The open conversation: what comes there is seen at once, so it does not count as unread. */
let openConversation: string | undefined
export const setOpenConversation = (id: string | undefined): void => {
  openConversation = id
}

const recordOf = (client: QueryClient, id: string) => client.getQueryData<Conversation>(keys.conversation(id))

const count = (client: QueryClient, before: Conversation | undefined, after: Conversation, me: string) => {
  if (before === undefined) {
    readUnknownSoon(client, keys.counts)
    return
  }
  client.setQueryData<InboxCounts>(keys.counts, (counts) =>
    counts === undefined ? undefined : counted(counts, before, after, me, Date.now())
  )
}

/** Those of whom no reading of the directory knew a name: each is asked for once. */
const strangers = new Set<string>()

/** Reads the names of people and agents again when somebody new turns up. */
const meet = (client: QueryClient, id: string | null) => {
  const known = client.getQueryData<ReadonlyArray<DirectoryEntry>>(keys.people)
  if (id === null || known === undefined || strangers.has(id) || known.some((one) => one.id === id)) return
  strangers.add(id)
  void client.invalidateQueries({ queryKey: keys.people })
}

/** A page of a list that events have made so long is read again. */
const mostOnTop = 300

/** Stores a conversation, unless a newer one is known, and puts it where it belongs in every list that is loaded. */
export const storeConversation = (client: QueryClient, given: Conversation, me: string): void => {
  const before = recordOf(client, given.id)
  const conversation = newer(before, given)
  client.setQueryData(keys.conversation(given.id), conversation)
  count(client, before, conversation, me)
  meet(client, conversation.assignee)
  for (const [key, data] of client.getQueriesData<InfiniteData<IdPage>>({ queryKey: keys.allConversations })) {
    if (data === undefined) continue
    const belongs = isIn(key[2] as View, conversation, me, Date.now())
    const pages = placed(data.pages, conversation, belongs, (id) => recordOf(client, id)?.lastActivityAt)
    if (pages !== data.pages) client.setQueryData(key, { ...data, pages: [...pages] })
    // What has come on top makes a list longer and longer: read again, it is as long as a page.
    if ((pages[0]?.ids.length ?? 0) > mostOnTop) readUnknownSoon(client, keys.allConversations)
  }
  letGo(client)
}

const storeEntry = (client: QueryClient, contactId: string, entry: TimelineEntry): void => {
  client.setQueryData<InfiniteData<ThreadPage>>(keys.thread(contactId), (data) =>
    data === undefined ? undefined : { ...data, pages: [...withEntry(data.pages, entry)] }
  )
}

/** Reads what has come to a thread since it was read: changes, of which no event tells all. */
const readNewer = async (client: QueryClient, { id, contact }: Conversation): Promise<void> => {
  const key = keys.thread(contact.id)
  const after = client.getQueryData<InfiniteData<ThreadPage>>(key)?.pages[0]?.newerCursor
  if (after === undefined || after === null || client.getQueryState(key)?.fetchStatus === "fetching") return
  const { data, newerCursor } = await parley.chats.timeline(id, { contact: "all", after, limit: 100 })
  client.setQueryData<InfiniteData<ThreadPage>>(key, (known) => {
    if (known === undefined) return undefined
    const pages = data.toReversed().reduce<ReadonlyArray<ThreadPage>>(withEntry, known.pages)
    return { ...known, pages: pages.map((page, at) => (at === 0 ? { ...page, newerCursor } : page)) }
  })
}

/** How long after a message the event of its conversation has come, if the service tells of it. */
const conversationFollowsMs = 1_000

/** A message of a conversation that no list has: it may be new, or below what is loaded. Its own event mostly follows, and puts it where it belongs. */
const meetConversation = (client: QueryClient, id: string): void =>
  void setTimeout(() => {
    if (recordOf(client, id) !== undefined) return
    readUnknownSoon(client, keys.allConversations)
    readUnknownSoon(client, keys.counts)
  }, conversationFollowsMs)

/** Stores a message in its thread and in the list. */
export const storeMessage = (client: QueryClient, message: Message, me: string): void => {
  storeEntry(client, message.contactId, messageEntry(message))
  const known = recordOf(client, message.conversationId)
  if (known === undefined) {
    meetConversation(client, message.conversationId)
    return
  }
  const isLast = known.lastMessage?.id === message.id
  const next = isLast
    ? { ...known, lastMessage: climbed(known.lastMessage ?? undefined, message) }
    : afterMessage(known, message, openConversation === message.conversationId)
  if (next !== known) storeConversation(client, next, me)
}

export const storeNote = (client: QueryClient, contactId: string, note: ConversationNote): void =>
  storeEntry(client, contactId, { kind: "note", at: note.createdAt, note })

/** Replaces a contact that some page has asked for. Others are read when somebody opens them. */
const replaceKnown = (client: QueryClient, contact: Contact): void =>
  void client.setQueryData<Contact>(keys.contact(contact.id), (known) => (known === undefined ? undefined : contact))

/** Removes everything of a contact: lists, threads, drafts. */
const forgetContact = (client: QueryClient, contactId: string) => {
  for (const [key, conversation] of client.getQueriesData<Conversation>({ queryKey: keys.allConversationRecords }))
    if (conversation?.contact.id === contactId) {
      client.removeQueries({ queryKey: key })
      client.removeQueries({ queryKey: keys.summary(conversation.id) })
      for (const mode of ["reply", "note"]) writeDraft(`${conversation.id}.${mode}`, "")
    }
  client.removeQueries({ queryKey: keys.thread(contactId) })
  client.removeQueries({ queryKey: keys.contact(contactId) })
  void client.invalidateQueries({ queryKey: keys.allConversations })
  void client.invalidateQueries({ queryKey: keys.allContacts })
}

/** What is under way tells of itself many times; it is read again at most this often. */
const passingEveryMs = 2_000
const awaited = new Set<string>()

/** Reads again soon what a passing event is about, where it is shown. `id`: of the record that changes. */
const readSoon = (client: QueryClient, id: string, what: ReadonlyArray<QueryKey>) => {
  if (awaited.has(id)) return
  awaited.add(id)
  setTimeout(() => {
    awaited.delete(id)
    for (const queryKey of what) void client.invalidateQueries({ queryKey, refetchType: "active" })
  }, passingEveryMs)
}

const applyPassing = (client: QueryClient, event: PassingEvent): void => {
  switch (event.type) {
    case "conversation.presence":
      storePresence(event.data)
      return
    case "broadcast.updated": {
      const { id } = event.data.broadcast
      readSoon(client, id, [keys.broadcast(id), keys.allRecipients(id), keys.allBroadcasts])
      return
    }
    case "knowledge.updated": {
      const { id } = event.data.knowledgeBase
      readSoon(client, id, [keys.knowledgeBase(id), keys.knowledgeSources(id), keys.knowledgeBases])
    }
  }
}

const apply = (client: QueryClient, event: Event, me: string): void => {
  if (isPassing(event)) {
    applyPassing(client, event)
    return
  }
  switch (event.type) {
    case "message.received":
    case "message.queued":
    case "message.status":
    case "message.updated":
      storeMessage(client, event.data.message, me)
      return
    case "conversation.noted":
      storeNote(client, event.data.conversation.contact.id, event.data.note)
      storeConversation(client, event.data.conversation, me)
      return
    case "conversation.created":
    case "conversation.updated":
    case "conversation.sla_breached":
      storeConversation(client, event.data.conversation, me)
      return
    case "conversation.assigned":
    case "conversation.labeled":
    case "conversation.resolved":
    case "conversation.reopened":
      storeConversation(client, event.data.conversation, me)
      // What changed and who did it is in the thread already; a stale line is mended by the next reading.
      void readNewer(client, event.data.conversation).catch(() => undefined)
      return
    case "contact.created":
    case "contact.updated":
    case "contact.archived":
    case "contact.restored":
    case "contact.opted_in":
    case "contact.opted_out":
      replaceKnown(client, event.data.contact)
      void client.invalidateQueries({ queryKey: keys.contactConsents(event.data.contact.id) })
      void client.invalidateQueries({ queryKey: keys.allContacts, refetchType: "active" })
      return
    case "contact.merged":
      client.removeQueries({ queryKey: keys.contact(event.data.merged.id) })
      replaceKnown(client, event.data.contact)
      for (const kind of ["conversations", "thread"]) void client.invalidateQueries({ queryKey: [kind] })
      return
    case "contact.erased":
      forgetContact(client, event.data.contact.id)
      return
    case "call.started":
    case "call.ended":
    case "call.recorded":
    case "call.summarized": {
      const { id, contactId, startedAt, createdAt } = event.data.call
      if (contactId !== null)
        storeEntry(client, contactId, {
          kind: "call",
          at: startedAt ?? createdAt,
          call: { ...event.data.call, utterances: [] }
        })
      void client.invalidateQueries({ queryKey: keys.call(id) })
      void client.invalidateQueries({ queryKey: keys.allCalls })
      void client.invalidateQueries({ queryKey: keys.start })
      void client.invalidateQueries({ queryKey: keys.liveCalls })
      if (contactId !== null) void client.invalidateQueries({ queryKey: keys.contactCalls(contactId) })
      return
    }
    case "voice_agent.updated":
      void client.invalidateQueries({ queryKey: keys.voiceAgents })
      void client.invalidateQueries({ queryKey: keys.voiceAgent(event.data.agent.id) })
      void client.invalidateQueries({ queryKey: keys.voiceAgentVersions(event.data.agent.id) })
      void client.invalidateQueries({ queryKey: keys.people })
      return
    case "template.updated":
      void client.invalidateQueries({ queryKey: keys.templates })
      return
    case "broadcast.completed":
      client.setQueryData(keys.broadcast(event.data.broadcast.id), event.data.broadcast)
      void client.invalidateQueries({ queryKey: keys.allRecipients(event.data.broadcast.id) })
      void client.invalidateQueries({ queryKey: keys.allBroadcasts })
      return
    case "order.created":
    case "order.updated":
      client.setQueryData(keys.record("orders", event.data.order.id), event.data.order)
      void client.invalidateQueries({ queryKey: keys.allRecords("orders"), refetchType: "active" })
      return
    case "webhook.disabled":
      void client.invalidateQueries({ queryKey: keys.webhooks, refetchType: "active" })
      return
    default:
      // Types that this page does not show, and types of a later version.
      return
  }
}

/** Reads again what may have changed unseen: the lists and the open conversation. */
export const readAgain = (client: QueryClient): void => {
  for (const queryKey of [
    keys.counts,
    keys.allBroadcasts,
    keys.allKnowledge,
    keys.allConversations,
    keys.allThreads,
    keys.allContacts,
    keys.allCalls,
    keys.liveCalls,
    keys.allRecords("orders"),
    keys.webhooks
  ])
    void client.invalidateQueries({ queryKey, refetchType: "active" })
}

/** Beyond this many events at once, reading again is cheaper than applying them. */
const mostAtOnce = 2_000

/** Collects events and applies them once a frame. A hidden tab has no frames, so a timer stands in. */
export const eventSink = (client: QueryClient, me: string) => {
  let waiting: Array<Event | EventGap> = []
  let planned = false
  const flush = () => {
    planned = false
    const events = waiting
    waiting = []
    if (events.length > mostAtOnce || events.some(({ type }) => type === "gap")) {
      readAgain(client)
      return
    }
    for (const event of events) if (event.type !== "gap") apply(client, event, me)
  }
  return (event: Event | EventGap) => {
    if (isCallEvent(event)) return tellCallEvent(event)
    waiting.push(event)
    if (planned) return
    planned = true
    if (document.hidden) setTimeout(flush, 250)
    else requestAnimationFrame(flush)
  }
}
