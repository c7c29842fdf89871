/** The requests that the actor of a conversation takes, on whichever node it runs. They are not stored: a lost request is sent again. */
import { Schema } from "effect"
import { Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { Conversation, ImpossibleChange, NoSuchAssignee } from "../../../domain/messaging/conversations/Conversation.ts"
import { ChangeCommand, WriteCommand } from "../../../domain/messaging/conversations/ConversationCommand.ts"
import { LostConversation } from "../../../domain/messaging/conversations/ConversationFence.ts"
import { Message, MessageWithheld, NoSuchConversation } from "../../../domain/messaging/conversations/Message.ts"

const Write = Rpc.make("Write", {
  payload: WriteCommand,
  success: Message,
  error: Schema.Union([NoSuchConversation, MessageWithheld, LostConversation])
})

const Change = Rpc.make("Change", {
  payload: ChangeCommand,
  /** Null: there is no such conversation. */
  success: Schema.NullOr(Conversation),
  error: Schema.Union([ImpossibleChange, NoSuchAssignee, LostConversation])
})

const CheckSla = Rpc.make("CheckSla", {
  payload: { expiresAt: Schema.Int },
  success: Schema.Void,
  error: LostConversation
})

const RunTurn = Rpc.make("RunTurn", { payload: { expiresAt: Schema.Int }, success: Schema.Void })

/** The actor of one conversation; its address is `entityId`. */
export const ConversationEntity = Entity.make("Conversation", [Write, Change, CheckSla, RunTurn])

export const entityId = (organizationId: string, conversationId: string): string =>
  `${organizationId}/${conversationId}`

/** The inverse of `entityId`. */
export const parsed = (id: string): { readonly organizationId: string; readonly conversationId: string } => {
  const slash = id.indexOf("/")
  return { organizationId: id.slice(0, slash), conversationId: id.slice(slash + 1) }
}
