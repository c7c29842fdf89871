/**
 * The commands that change a conversation, sent to its one owner. A command may reach an owner twice (a lost answer, an owner that died). Each
 * carries an id, so that the second time changes nothing and gives the first answer.
 */
import { Context, Effect, Schema } from "effect"
import { ActingFor } from "../../people/access/Audit.ts"
import { idOfOperation } from "../../people/access/Idempotency.ts"
import { type Conversation, ConversationChanges, type ImpossibleChange, type NoSuchAssignee } from "./Conversation.ts"
import { type Message, MessageWithheld, NewMessage, type NoSuchConversation } from "./Message.ts"

/** Unix milliseconds on the sender's clock. After this time the owner does nothing, because the sender does not wait any more. */
const expiresAt = Schema.Int

/** The command of `receive` and of `send`: the direction of the message says which. */
export const WriteCommand = Schema.Struct({
  message: NewMessage,
  /** When the message was written, Unix milliseconds. */
  at: Schema.Int,
  expiresAt
})
export type WriteCommand = typeof WriteCommand.Type

export const ChangeCommand = Schema.Struct({
  /** `cmd_…`; a second delivery has the same id. */
  id: Schema.String,
  changes: ConversationChanges,
  at: Schema.Int,
  expiresAt,
  /** Who asked, for the audit log. */
  acting: ActingFor
})
export type ChangeCommand = typeof ChangeCommand.Type

/** The owner did not answer in time, or the conversation is changing its owner. The command may have been carried out; it may be sent again. */
export class ConversationBusy extends Schema.TaggedError<ConversationBusy>()("ConversationBusy", {
  conversationId: Schema.String
}) {}

/** A message that the contact wrote. A second report of it has the same `channelMessageId`. */
export type IncomingMessage = Omit<NewMessage, "direction" | "sentBy" | "id"> & { readonly channelMessageId: string }
/**
 * A message to send. Without an `id` it gets one. In a request with an `Operation` the id comes from that operation, so that a request that is
 * carried out again does not send again.
 */
export type OutgoingDraft = Omit<NewMessage, "direction" | "channelMessageId">

/** Port that sends a command to the conversation's owner and gives its answer. */
export class ConversationCommands extends Context.Service<
  ConversationCommands,
  {
    /**
     * Stores a contact's message once, as unread. It opens the reply window and reopens a resolved conversation. `now`: when the contact wrote, or
     * when we got the message; Unix milliseconds.
     */
    readonly receive: (
      message: IncomingMessage,
      now: number
    ) => Effect.Effect<Message, NoSuchConversation | ConversationBusy>
    /** Stores our message once, as `queued`, together with its place in the outbox, in one transaction. */
    readonly send: (
      message: OutgoingDraft,
      now: number
    ) => Effect.Effect<Message, NoSuchConversation | MessageWithheld | ConversationBusy>
    /** Applies changes; `undefined` when there is no such conversation. */
    readonly change: (
      organizationId: string,
      conversationId: string,
      changes: ConversationChanges,
      now: number
    ) => Effect.Effect<Conversation | undefined, ImpossibleChange | NoSuchAssignee | ConversationBusy>
    /** Records the due times that have passed, each with one event. */
    readonly checkSla: (organizationId: string, conversationId: string) => Effect.Effect<void, ConversationBusy>
    /** Begins the turn of the conversation's text agent if one is due and none runs. Does not wait for its end. */
    readonly runTurn: (organizationId: string, conversationId: string) => Effect.Effect<void, ConversationBusy>
  }
>()("parley/domain/ConversationCommands") {}

/** The id of the message that an operation sends: one operation sends one message. Without an operation the id is new. */
export const messageIdOf = (operation: string | undefined, now: number): string => idOfOperation("msg", operation, now)

/** Turns `MessageWithheld` into a defect: no broadcast withholds a contact's message. */
export const neverWithheld = <A, E>(received: Effect.Effect<A, E | MessageWithheld>) =>
  Effect.catchIf(received, (error): error is MessageWithheld => error instanceof MessageWithheld, Effect.die)
