/**
 * Everything that changes a conversation, as commands to its one owner. A command may reach an owner twice (a lost answer, an owner that
 * died): each carries what makes the second time do nothing and give the first answer.
 */
import { Context, Effect, Schema } from "effect"
import { ActingFor } from "../../people/access/Audit.ts"
import { idOfOperation } from "../../people/access/Idempotency.ts"
import { type Conversation, ConversationChanges, type ImpossibleChange, type NoSuchAssignee } from "./Conversation.ts"
import { type Message, MessageWithheld, NewMessage, type NoSuchConversation } from "./Message.ts"

/** Unix milliseconds of the asker's clock: later the owner does nothing any more, because nobody waits for it. */
const expiresAt = Schema.Int

/** `receive` and `send`: the direction of the message says which. */
export const WriteCommand = Schema.Struct({
  message: NewMessage,
  /** When it was written, Unix milliseconds. */
  at: Schema.Int,
  expiresAt
})
export type WriteCommand = typeof WriteCommand.Type

export const ChangeCommand = Schema.Struct({
  /** `cmd_…`; what tells a second delivery. */
  id: Schema.String,
  changes: ConversationChanges,
  at: Schema.Int,
  expiresAt,
  /** Who asked, for the audit log. */
  acting: ActingFor
})
export type ChangeCommand = typeof ChangeCommand.Type

/** Its owner did not answer in time, or is just changing: the command may or may not have been carried out. The same command may be sent again. */
export class ConversationBusy extends Schema.TaggedError<ConversationBusy>()("ConversationBusy", {
  conversationId: Schema.String
}) {}

/** What the contact wrote. `channelMessageId` is what tells a second report of it. */
export type IncomingMessage = Omit<NewMessage, "direction" | "sentBy" | "id"> & { readonly channelMessageId: string }
/**
 * What is to be sent. Without an `id` it gets one: of the request's `Operation` when that has one, so that a request that is carried out
 * again does not send again.
 */
export type OutgoingDraft = Omit<NewMessage, "direction" | "channelMessageId">

export class ConversationCommands extends Context.Service<
  ConversationCommands,
  {
    /** Stored once; unread, opens the window, reopens a resolved conversation. `now`: Unix milliseconds, when the contact wrote or we heard of it. */
    readonly receive: (
      message: IncomingMessage,
      now: number
    ) => Effect.Effect<Message, NoSuchConversation | ConversationBusy>
    /** Stored once as `queued`, with all that sends it, in one transaction. */
    readonly send: (
      message: OutgoingDraft,
      now: number
    ) => Effect.Effect<Message, NoSuchConversation | MessageWithheld | ConversationBusy>
    /** `undefined` when there is no such conversation. */
    readonly change: (
      organizationId: string,
      conversationId: string,
      changes: ConversationChanges,
      now: number
    ) => Effect.Effect<Conversation | undefined, ImpossibleChange | NoSuchAssignee | ConversationBusy>
    /** Looks whether a due time has passed, and tells of it once. */
    readonly checkSla: (organizationId: string, conversationId: string) => Effect.Effect<void, ConversationBusy>
  }
>()("parley/domain/ConversationCommands") {}

/** One operation sends one message, so the message is named after it. */
export const messageIdOf = (operation: string | undefined, now: number): string => idOfOperation("msg", operation, now)

/** What the contact wrote is stored whatever broadcasts do. */
export const neverWithheld = <A, E>(received: Effect.Effect<A, E | MessageWithheld>) =>
  Effect.catchIf(received, (error): error is MessageWithheld => error instanceof MessageWithheld, Effect.die)
