/**
 * Finds passed due times that have no timer, because their owner died or went to sleep. Every app process looks. A due time is still reported
 * once: its owner marks it in the transaction that stores the event.
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
