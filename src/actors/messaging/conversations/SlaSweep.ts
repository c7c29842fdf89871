/**
 * Finds due times that have passed and have no timer: their owner died, or had nothing to do and went. Every app looks; a due time is told of
 * once, because its owner notes it in the transaction that tells.
 */
import { Clock, Effect, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { Conversations } from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../domain/messaging/conversations/ConversationCommand.ts"

const every = "1 second"
const most = 100

/** Needs Conversations and ConversationCommands. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const conversations = yield* Conversations
    const commands = yield* ConversationCommands
    const look = Effect.gen(function* () {
      const overdue = yield* conversations.overdue(yield* Clock.currentTimeMillis, most)
      yield* Effect.forEach(
        overdue,
        ({ organizationId, conversationId }) => Effect.ignore(commands.checkSla(organizationId, conversationId)),
        { concurrency: 8, discard: true }
      )
    })
    yield* periodically("the sweep of due times could not look", { every }, look)
  })
)
