/**
 * Use case: people answer conversations of other channels from a team chat. They take and resolve them by buttons; what the one who has it writes into the thread
 * goes to the contact. Every step may be repeated: what is sent has the id of what was written.
 */
import { Clock, Effect } from "effect"
import { idFrom } from "../../basics/Ids.ts"
import { traced } from "../../basics/Traced.ts"
import type { ChatAuthor, ChatChange } from "../../messaging/channel/ChatRecord.ts"
import type { ThreadPlace } from "../../messaging/conversations/ChatThread.ts"
import { type ConversationDetail, Conversations } from "../../messaging/conversations/Conversation.ts"
import { ConversationCommands, messageIdOf } from "../../messaging/conversations/ConversationCommand.ts"
import { Messages } from "../../messaging/conversations/Message.ts"
import type { OutgoingBody } from "../../messaging/sending/OutgoingMessage.ts"
import { makeSendMessage } from "../../messaging/sending/SendMessage.ts"
import { Acting, actingAs } from "../../people/access/Audit.ts"
import { Directory } from "../../people/access/Directory.ts"
import { Operation } from "../../people/access/Idempotency.ts"
import type { User } from "../../people/access/User.ts"
import type { StoredConnection } from "../AppConnection.ts"
import { makeFindColleague, mayDo, strangerSentence } from "./ChatColleague.ts"
import { resolveAction, takeAction } from "./ChatLine.ts"
import { ChatPosts } from "./ChatPost.ts"
import { makeFetchFiles } from "./FetchFiles.ts"
import { makeWhisper, whisperOnce } from "./Whisper.ts"

type Written = Extract<ChatChange, { readonly type: "said" | "edited" | "deleted" }>
type Pressed = Extract<ChatChange, { readonly type: "pressed" }>

/** WhatsApp takes no longer texts. */
const longestText = 4_096
const sentences = {
  call: "This was a call: what you write here goes to nobody. Call back, or write to the contact.",
  resolved: "This conversation is resolved: what you wrote was not sent. Press Take to go on with it.",
  tooLong: `This is longer than ${longestText} characters: it was not sent.`,
  unreadable: "The file could not be sent: it is too large, or it could not be fetched from Slack.",
  edited: "The contact still has what you wrote first: WhatsApp changes no message. Write again what is right.",
  deleted: "The contact still has what you deleted: WhatsApp takes no message back.",
  right: "You may not answer conversations here. Nothing was done."
} as const

/**
 * What is edited or deleted may be told before it is said: Slack repeats for six minutes what it could not tell. An older message was said before.
 * Milliseconds.
 */
const toldLateMs = 10 * 60_000

/** Of the post that keeps in mind that a message was deleted before it was said. */
const deletedOnce = (externalId: string) => `deleted:${externalId}`

/** A message, and each of its files, by what it is sent with. */
const seedsOf = (externalId: string, { attachments }: Pick<Written, "attachments">) => [
  externalId,
  ...attachments.map(({ id }) => `${externalId} ${id}`)
]

/** The operation that sends what was written there, once. `seed`: the id of what was written. */
const operationOf = (conversationId: string, seed: string) => idFrom("idk", `${conversationId} ${seed}`)

/** Needs Users, Conversations, ConversationCommands, Messages, Directory, ChatPosts, and what `makeSendMessage` and `makeFetchFiles` need; the functions it gives need nothing. */
export const makeChatDesk = Effect.gen(function* () {
  const conversations = yield* Conversations
  const commands = yield* ConversationCommands
  const directory = yield* Directory
  const posts = yield* ChatPosts
  const messages = yield* Messages
  const colleague = yield* makeFindColleague
  const whisper = yield* makeWhisper
  const send = yield* makeSendMessage
  const fetchFiles = yield* makeFetchFiles

  /** The person, if it may answer; else it is told why not. */
  const answering = Effect.fnUntraced(function* (
    organizationId: string,
    place: ThreadPlace,
    author: ChatAuthor,
    reason: string
  ) {
    const user = yield* colleague(organizationId, author)
    if (user !== undefined && mayDo(user, "messages:send") && mayDo(user, "conversations:write")) return user
    const why = user === undefined ? strangerSentence(author) : sentences.right
    yield* whisper(organizationId, place, author, reason, why)
    return undefined
  })

  /** Gives the person the conversation, unless a colleague has it: then that is the sentence. */
  const take = Effect.fnUntraced(function* (organizationId: string, conversationId: string, user: User) {
    const now = yield* Clock.currentTimeMillis
    const changes = { assignee: user.id, ifFree: true }
    return yield* commands.change(organizationId, conversationId, changes, now).pipe(
      Effect.provideService(Acting, actingAs(user.id)),
      Effect.as(undefined),
      Effect.catchTags({
        ImpossibleChange: () => heldBy(organizationId, conversationId),
        NoSuchAssignee: () => Effect.succeed(sentences.right)
      })
    )
  })

  const heldBy = Effect.fnUntraced(function* (organizationId: string, conversationId: string) {
    const now = yield* Clock.currentTimeMillis
    const { assignee = null } = (yield* conversations.find(organizationId, conversationId, 1, now)) ?? {}
    const name = assignee === null ? undefined : yield* directory.nameOf(organizationId, assignee)
    return `${name ?? "A colleague"} has this conversation. Nothing was done.`
  })

  const resolve = (organizationId: string, conversationId: string, user: User, now: number) =>
    commands
      .change(organizationId, conversationId, { status: "RESOLVED" }, now)
      .pipe(
        Effect.provideService(Acting, actingAs(user.id)),
        Effect.as(undefined),
        Effect.catchTags({ ImpossibleChange: ({ message }) => Effect.succeed(message), NoSuchAssignee: Effect.die })
      )

  /** Sends one message as the person, once. Gives why it was not sent. */
  const sendOne = Effect.fnUntraced(function* (
    conversation: ConversationDetail,
    place: ThreadPlace,
    user: User,
    seed: string,
    body: OutgoingBody
  ) {
    const { id: conversationId, organizationId, contact } = conversation
    const operation = operationOf(conversationId, seed)
    const now = yield* Clock.currentTimeMillis
    // It is there already: the thread does not show it once more.
    const once = `${conversationId}:${messageIdOf(operation, now)}`
    const post = { once, teamId: place.teamId, channelId: place.channelId, lane: conversationId, conversationId }
    yield* posts.add(organizationId, { ...post, content: { type: "card" } }, "done", now)
    return yield* send({ organizationId, to: { contactId: contact.id }, body, sentBy: user.id }).pipe(
      Effect.provideService(Operation, operation),
      Effect.as(undefined),
      Effect.catchTags({
        SendTargetMissing: ({ message }) => Effect.succeed(message),
        SendMismatch: ({ message }) => Effect.succeed(message),
        ContactOptedOut: ({ message }) => Effect.succeed(message),
        TooManySends: ({ message }) => Effect.succeed(message),
        MessageWithheld: () => Effect.succeed("The message was withheld: it was not sent.")
      })
    )
  })

  /** The sentence that says why this person's words do not go to the contact; `undefined`: they do. */
  const hindrance = Effect.fnUntraced(function* (
    { id, organizationId, channel, status, assignee }: ConversationDetail,
    user: User
  ) {
    if (channel !== "messaging") return sentences.call
    if (status === "RESOLVED") return sentences.resolved
    return assignee === user.id ? undefined : yield* take(organizationId, id, user)
  })

  const wasSent = Effect.fnUntraced(function* (
    organizationId: string,
    conversationId: string,
    seeds: ReadonlyArray<string>
  ) {
    const now = yield* Clock.currentTimeMillis
    const sent = yield* Effect.forEach(seeds, (seed) =>
      messages.find(organizationId, messageIdOf(operationOf(conversationId, seed), now))
    )
    return sent.some((message) => message !== undefined)
  })

  /** Whether a change is told before what it changes: nothing of that was sent, and nobody was told why not. */
  const isEarly = Effect.fnUntraced(function* (
    organizationId: string,
    conversationId: string,
    externalId: string,
    change: Written
  ) {
    if (change.type === "said" || (yield* Clock.currentTimeMillis) - change.at > toldLateMs) return false
    const seeds = seedsOf(externalId, change)
    if (yield* wasSent(organizationId, conversationId, seeds)) return false
    const told = yield* Effect.forEach(seeds, (seed) => posts.has(organizationId, change.place, whisperOnce(seed)))
    return !told.includes(true)
  })

  /** It is not sent when it is said. */
  const keepDeleted = Effect.fnUntraced(function* (
    organizationId: string,
    conversationId: string,
    externalId: string,
    { teamId, channelId }: ThreadPlace
  ) {
    const once = deletedOnce(externalId)
    const post = { once, teamId, channelId, lane: conversationId, conversationId, content: { type: "card" } } as const
    yield* posts.add(organizationId, post, "done", yield* Clock.currentTimeMillis)
  })

  /** Something that was written there has been changed: whoever wrote it is told that the contact keeps it as it was sent. */
  const changed = Effect.fnUntraced(function* (
    organizationId: string,
    conversationId: string,
    externalId: string,
    { type, place, author, ...change }: Written
  ) {
    if (author === null || !(yield* wasSent(organizationId, conversationId, seedsOf(externalId, change)))) return
    const edition = "editedAt" in change ? `edited ${change.editedAt}` : "deleted"
    yield* whisper(
      organizationId,
      place,
      author,
      `${externalId} ${edition}`,
      type === "deleted" ? sentences.deleted : sentences.edited
    )
  })

  return {
    /** Somebody wrote in a channel of this kind: in the thread of a conversation it goes to the contact. What is edited before it is said goes as it is now. */
    written: traced("ChatDesk.written")(function* (from: StoredConnection, externalId: string, change: Written) {
      const { organizationId } = from
      const { place, author } = change
      const conversationId = yield* posts.conversationAt(organizationId, place)
      if (conversationId === undefined || author === null) return
      const early = yield* isEarly(organizationId, conversationId, externalId, change)
      if (change.type === "deleted")
        return yield* early
          ? keepDeleted(organizationId, conversationId, externalId, place)
          : changed(organizationId, conversationId, externalId, change)
      if (change.type === "edited" && !early) return yield* changed(organizationId, conversationId, externalId, change)
      if (yield* posts.has(organizationId, place, deletedOnce(externalId))) return
      const { words, attachments } = change
      const user = yield* answering(organizationId, place, author, externalId)
      const now = yield* Clock.currentTimeMillis
      const found = yield* conversations.find(organizationId, conversationId, 1, now)
      if (user === undefined || found === undefined) return
      const refuse = (text: string, of = externalId) => whisper(organizationId, place, author, of, text)
      const why = words.length > longestText ? sentences.tooLong : yield* hindrance(found, user)
      if (why !== undefined) return yield* refuse(why)
      if (words.trim() !== "") {
        const problem = yield* sendOne(found, place, user, externalId, { type: "text", text: words })
        if (problem !== undefined) yield* refuse(`Not sent: ${problem}`)
      }
      for (const { id, media } of yield* fetchFiles(from, attachments, "upload")) {
        const { kind = "document", mediaId = "", filename = "file" } = media ?? {}
        const body: OutgoingBody = kind === "document" ? { type: kind, mediaId, filename } : { type: kind, mediaId }
        const problem =
          media === undefined ? sentences.unreadable : yield* sendOne(found, place, user, `${externalId} ${id}`, body)
        if (problem !== undefined) yield* refuse(`Not sent: ${problem}`, `${externalId} ${id}`)
      }
    }),

    /** Somebody has pressed a button of a conversation. */
    pressed: traced("ChatDesk.pressed")(function* (from: StoredConnection, change: Pressed) {
      const { organizationId } = from
      const { place, author, action, messageTs, at } = change
      const conversationId = yield* posts.conversationAt(organizationId, { ...place, threadId: messageTs })
      if (conversationId === undefined || (action !== takeAction && action !== resolveAction)) return
      const reason = `${messageTs}:${action}:${author.userId}:${at}`
      const user = yield* answering(organizationId, place, author, reason)
      if (user === undefined) return
      const now = yield* Clock.currentTimeMillis
      const problem =
        action === takeAction
          ? yield* take(organizationId, conversationId, user)
          : yield* resolve(organizationId, conversationId, user, now)
      if (problem !== undefined) yield* whisper(organizationId, place, author, reason, problem)
    })
  }
})
