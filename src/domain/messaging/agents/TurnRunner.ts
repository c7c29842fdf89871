/**
 * Use case: carry out the turn of a conversation's text agent that is due. It begins the turn, thinks, and settles it. Interrupting it while it thinks leaves
 * the turn to be begun again; what its tools have done is found again.
 */
import { Clock, Context, Effect, FiberMap, Layer } from "effect"
import { Moderation } from "../../ai/providers/Moderation.ts"
import type { TokenUsage } from "../../ai/providers/Reasoning.ts"
import { traced } from "../../basics/Traced.ts"
import type { ConversationFence, LostConversation } from "../conversations/ConversationFence.ts"
import { AgentTurns, type Turn, type TurnOutcome } from "./AgentTurns.ts"
import { AtWork } from "./AtWork.ts"
import { makeRollingSummary } from "./RollingSummary.ts"
import { makeThink } from "./Think.ts"

/** The most messages of a conversation that a turn looks at. */
const mostMessages = 60

/** Makes one write with the conversation's fence. */
export type FencedWrite = <A>(
  work: (fence: ConversationFence) => Effect.Effect<A, LostConversation>
) => Effect.Effect<A, LostConversation>

/** The agent was removed: its conversation is a colleague's. */
const withoutAgent: TurnOutcome = {
  kind: "handed_over",
  said: [],
  reason: "The agent does not exist any more.",
  note: null,
  reminder: null,
  flags: [],
  usage: [],
  overAllowance: null,
  disclosure: ""
}

const make = Effect.gen(function* () {
  const turns = yield* AgentTurns
  const think = yield* makeThink
  const moderation = yield* Moderation
  const sumUp = yield* makeRollingSummary
  const summing = yield* FiberMap.make<string>()
  const atWork = yield* AtWork

  const metered = (turn: Turn, spent: ReadonlyArray<TokenUsage>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => turns.meter(turn, spent, now))

  const run = traced("RunTurn")(
    function* (organizationId: string, conversationId: string, write: FencedWrite) {
      const begun = yield* Clock.currentTimeMillis
      const turn = yield* write((fence) => turns.begin(organizationId, conversationId, mostMessages, begun, fence))
      if (turn === undefined) return
      yield* Effect.forkChild(atWork(turn))
      const spent: Array<TokenUsage> = []
      const outcome = yield* Effect.onInterrupt(think(turn, spent), () => metered(turn, spent))
      const now = yield* Clock.currentTimeMillis
      const settled = yield* Effect.uninterruptible(
        write((fence) => turns.settle(turn, outcome ?? withoutAgent, now, fence))
      )
      if (settled && outcome?.kind === "answered" && outcome.overAllowance === null)
        yield* FiberMap.run(summing, conversationId, Effect.provideService(sumUp(turn), Moderation, moderation), {
          onlyIfMissing: true
        })
    },
    Effect.provideService(Moderation, moderation)
  )
  return { run }
})

/** Runs the turns of text agents. */
export class TurnRunner extends Context.Service<
  TurnRunner,
  {
    /** Carries out the turn that is due; does nothing when none is. */
    readonly run: (
      organizationId: string,
      conversationId: string,
      write: FencedWrite
    ) => Effect.Effect<void, LostConversation>
  }
>()("parley/domain/TurnRunner") {
  /** Needs the stores, Reasoning, Moderation and ToolRunner. */
  static readonly layer = Layer.effect(TurnRunner, make)
  /** For processes in which no agent answers. */
  static readonly layerNone = Layer.succeed(TurnRunner, { run: () => Effect.void })
}
