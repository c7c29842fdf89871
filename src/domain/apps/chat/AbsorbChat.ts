/**
 * Takes what was written in a team chat over: a thread becomes a conversation, each message is stored once. Every step may be repeated. What is edited or
 * deleted before it was taken over is stored as it is now, so it does not matter in which order it comes.
 */
import { Effect } from "effect"
import { isId } from "../../basics/Ids.ts"
import { isoTime } from "../../basics/IsoTime.ts"
import { traced } from "../../basics/Traced.ts"
import { ChannelMessages } from "../../messaging/channel/ChannelMessages.ts"
import type { ChatAuthor, ChatChange, ChatRecord } from "../../messaging/channel/ChatRecord.ts"
import { ChatThreads } from "../../messaging/conversations/ChatThread.ts"
import { ConversationCommands } from "../../messaging/conversations/ConversationCommand.ts"
import { type Message, Messages } from "../../messaging/conversations/Message.ts"
import { Contacts } from "../../people/contacts/Contact.ts"
import type { Absorb } from "../AppAbsorbers.ts"
import type { StoredConnection } from "../AppConnection.ts"
import { makeFindColleague } from "./ChatColleague.ts"
import { makeChatDesk } from "./ChatDesk.ts"
import { type ChatMapping, ChatMappings } from "./ChatMapping.ts"
import { ChatPosts } from "./ChatPost.ts"
import { makeDecideProposal } from "./DecideProposal.ts"
import { makeFetchFiles } from "./FetchFiles.ts"

type Written = Extract<ChatChange, { readonly type: "said" | "edited" | "deleted" }>

const personOf = ({ userId, name, email }: ChatAuthor) => ({
  userId,
  ...(name === null ? {} : { name }),
  ...(email === null ? {} : { email })
})

const gone: Message["content"] = { text: "", deleted: true, attachments: [] }

/** What a message is now, as its content. */
const contentOf = (change: Written): Message["content"] => {
  if (change.type === "deleted") return gone
  const { text, attachments, editedAt } = change
  return {
    text,
    attachments: attachments.map(({ downloadUrl: _, ...attachment }) => attachment),
    ...(editedAt === null ? {} : { editedAt: isoTime(editedAt) })
  }
}

/** Each file is a message of its own. */
const fileIdOf = (externalId: string, fileId: string) => `${externalId}:${fileId}`

/**
 * Needs Contacts, ChatThreads, ChatMappings, ChatPosts, ConversationCommands, Messages, ChannelMessages, and what `makeChatDesk` and `makeDecideProposal` need, once; the function it
 * gives needs nothing.
 */
export const makeAbsorbChat = Effect.gen(function* () {
  const contacts = yield* Contacts
  const threads = yield* ChatThreads
  const mappings = yield* ChatMappings
  const commands = yield* ConversationCommands
  const messages = yield* Messages
  const channelMessages = yield* ChannelMessages
  const posts = yield* ChatPosts
  const desk = yield* makeChatDesk
  const fetchFiles = yield* makeFetchFiles
  const decide = yield* makeDecideProposal
  const colleague = yield* makeFindColleague

  /** The files of a message, each as a message after it. */
  const storeFiles = Effect.fnUntraced(function* (
    from: StoredConnection,
    conversationId: string,
    externalId: string,
    change: Exclude<Written, { readonly type: "deleted" }>,
    beside: Message["content"]
  ) {
    const { organizationId } = from
    const known = yield* Effect.forEach(change.attachments, ({ id }) =>
      channelMessages.idOf(organizationId, fileIdOf(externalId, id))
    )
    const fresh = change.attachments.filter((_, place) => known[place] === undefined)
    for (const [place, { id, media }] of (yield* fetchFiles(from, fresh, "channel")).entries()) {
      if (media === undefined) continue
      const { mediaId, kind: type, filename } = media
      const content = { mediaId, filename, ...beside }
      const channelMessageId = fileIdOf(externalId, id)
      // A millisecond apart, so that they are listed in their order.
      const at = change.at + 1 + place
      yield* commands.receive({ organizationId, conversationId, type, content, channelMessageId }, at)
    }
  })

  const store = Effect.fnUntraced(function* (
    from: StoredConnection,
    { externalId }: ChatRecord,
    change: Written,
    mapping: ChatMapping
  ) {
    const { organizationId } = from
    const { place, author, at } = change
    const beganBy = change.starter ?? author
    // A message that is gone, and of which nobody is known: there is nothing to keep. Or changed now, and written before anybody listened.
    if (beganBy === null || (change.type !== "said" && at < Date.parse(mapping.since))) return
    const contact = yield* contacts.identify(organizationId, "team_chat", personOf(beganBy))
    const conversationId = yield* threads.open(organizationId, place, contact.id)
    // The agent of the organization's own people asks who it talks with.
    const user = mapping.target.type === "ops" ? yield* colleague(organizationId, author) : undefined
    const known = user === undefined ? {} : { colleagueId: user.id }
    const beside = {
      author: author === null ? null : { userId: author.userId, name: author.name, ...known },
      channel: { id: place.channelId, name: mapping.name }
    }
    yield* commands.receive(
      {
        organizationId,
        conversationId,
        // Nobody answers what was deleted.
        type: change.type === "deleted" ? "system" : "text",
        content: { ...contentOf(change), ...beside },
        channelMessageId: externalId
      },
      at
    )
    if (change.type !== "deleted") yield* storeFiles(from, conversationId, externalId, change, beside)
  })

  const edit = Effect.fnUntraced(function* (
    organizationId: string,
    known: string,
    { externalId }: ChatRecord,
    change: Written,
    now: number
  ) {
    yield* channelMessages.edit(organizationId, known, contentOf(change), now)
    if (change.type !== "deleted") return
    for (const { id } of change.attachments) {
      const file = yield* channelMessages.idOf(organizationId, fileIdOf(externalId, id))
      if (file !== undefined) yield* channelMessages.edit(organizationId, file, gone, now)
    }
  })

  const awaitsFiles = Effect.fnUntraced(function* (organizationId: string, known: string, { attachments }: Written) {
    if (attachments.length === 0) return false
    return (yield* messages.find(organizationId, known))?.content.deleted !== true
  })

  const take = Effect.fnUntraced(function* (from: StoredConnection, record: ChatRecord, now: number) {
    const { organizationId } = from
    const { change, externalId: channelMessageId } = record
    if (change.type === "pressed")
      return yield* Effect.andThen(desk.pressed(from, change), decide(organizationId, change))
    if (change.type === "delivered") {
      const { messageId, ts } = change
      if (isId("pst", messageId)) return yield* posts.arrived(organizationId, messageId, ts)
      const which = { channelMessageId, messageId }
      return yield* messages.report(organizationId, which, { status: "delivered", at: isoTime(change.at) })
    }
    const known = yield* channelMessages.idOf(organizationId, channelMessageId)
    if (known !== undefined && change.type !== "said") return yield* edit(organizationId, known, record, change, now)
    // Told again, or its files are still to come: unless it was deleted meanwhile.
    if (known !== undefined && !(yield* awaitsFiles(organizationId, known, change))) return
    const mapping = yield* mappings.find(organizationId, change.place.teamId, change.mapped)
    // Not mapped any more, or only told.
    if (mapping === undefined || mapping.target.type === "nobody") return
    if (mapping.target.type !== "queue") return yield* store(from, record, change, mapping)
    yield* desk.written(from, channelMessageId, change)
  })

  return traced("AbsorbChat")(((from, record, now) =>
    record._tag === "removed"
      ? Effect.succeed([])
      : Effect.as(Effect.orDie(take(from, record, now)), [])) satisfies Absorb<"chat">)
})
