/**
 * Finds turns of text agents that are due and that nobody has begun, because their owner died, went to sleep, or lost the conversation. Every app process
 * looks. Waking an owner whose turn runs changes nothing, and keeps it awake.
 */
import { Clock, Effect, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { AgentTurns } from "../../../domain/messaging/agents/AgentTurns.ts"
import { ConversationCommands } from "../../../domain/messaging/conversations/ConversationCommand.ts"

const every = "1 second"
/** The owner's timer begins a turn at its time; what is this late has none. Milliseconds. */
const lateMs = 1_500
/** More than the turns that run at a time, which are due, too, until they have answered. */
const most = 1_000

/** Needs AgentTurns and ConversationCommands. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const turns = yield* AgentTurns
    const commands = yield* ConversationCommands
    const look = Effect.gen(function* () {
      const overdue = yield* turns.overdue((yield* Clock.currentTimeMillis) - lateMs, most)
      yield* Effect.forEach(
        overdue,
        ({ organizationId, conversationId }) => Effect.ignore(commands.runTurn(organizationId, conversationId)),
        { concurrency: 16, discard: true }
      )
    })
    yield* periodically("the sweep of turns could not look", { every }, look)
  })
)
