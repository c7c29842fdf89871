/** Commands to conversations without actors: each is a transaction of its own on the stores. For tests that run no actors. */
import { Effect, Layer } from "effect"
import { Conversations } from "../../src/domain/messaging/conversations/Conversation.ts"
import {
  ConversationCommands,
  messageIdOf,
  neverWithheld
} from "../../src/domain/messaging/conversations/ConversationCommand.ts"
import { LostConversation } from "../../src/domain/messaging/conversations/ConversationFence.ts"
import { Messages } from "../../src/domain/messaging/conversations/Message.ts"
import { Operation } from "../../src/domain/people/access/Idempotency.ts"

/** `LostConversation` cannot occur without a fence. */
const unowned = <A, E>(effect: Effect.Effect<A, E | LostConversation>) =>
  Effect.catchIf(effect, (error): error is LostConversation => error instanceof LostConversation, Effect.die)

export const directCommands = Layer.effect(
  ConversationCommands,
  Effect.gen(function* () {
    const messages = yield* Messages
    const conversations = yield* Conversations
    return ConversationCommands.of({
      receive: (message, now) => messages.add({ ...message, direction: "inbound" }, now).pipe(unowned, neverWithheld),
      send: (message, now) =>
        Effect.flatMap(Operation, (operation) =>
          messages.add({ id: messageIdOf(operation, now), ...message, direction: "outbound" }, now)
        ).pipe(unowned),
      change: (organizationId, conversationId, changes, now) =>
        conversations.change(organizationId, conversationId, changes, now).pipe(unowned),
      checkSla: (organizationId, conversationId) =>
        conversations.checkSla(organizationId, conversationId).pipe(unowned),
      runTurn: () => Effect.void
    })
  })
)
