/**
 * Keeps the turns of a conversation's text agent, for the conversation's actor: one at a time, each when it is due. A newer message of the contact interrupts a
 * turn that still thinks, at most twice; then its answer goes out, and the next turn answers what is new. When the agent has nothing to answer any
 * more (a person wrote, the conversation was assigned), a turn is interrupted at once.
 */
import { Clock, Effect, FiberHandle } from "effect"
import { type FencedWrite, TurnRunner } from "../../../domain/messaging/agents/TurnRunner.ts"

/** How often newer messages interrupt a turn. */
const mostInterruptions = 2

/** `writing` makes a write of the turn itself. It gives the fence's `turnDueAt` to `noted`, unless the write did not touch the agent. */
export const makeTurnKeeper = Effect.fnUntraced(function* (
  organizationId: string,
  conversationId: string,
  writing: (noted: (turnDueAt: number | null) => void) => FencedWrite
) {
  const runner = yield* TurnRunner
  const scope = yield* Effect.scope
  const timer = yield* FiberHandle.make<void>()
  const thinking = yield* FiberHandle.make<void>()
  let running = false
  let interruptions = 0

  const turn = Effect.suspend(() => {
    running = true
    let next: number | null | undefined
    const write = writing((turnDueAt) => {
      next = turnDueAt
    })
    return runner.run(organizationId, conversationId, write).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          interruptions = 0
          running = false
          return next === undefined || next === null ? Effect.void : arm(next)
        })
      ),
      // Another process owns the conversation now, and its sweep begins the turn.
      Effect.catchTag("LostConversation", () => Effect.void),
      Effect.catchCause((cause) => Effect.logError("the turn of a text agent broke", cause)),
      Effect.ensuring(
        Effect.sync(() => {
          running = false
        })
      )
    )
  })

  /** Begins the turn that is due, after one that was interrupted has ended. */
  const begin = Effect.andThen(FiberHandle.clear(thinking), FiberHandle.run(thinking, turn)).pipe(Effect.asVoid)

  /** Begins a turn at this time. It begins in a fiber of the actor, because the timer's own may be replaced. */
  const arm = (dueAt: number): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Effect.sleep(Math.max(0, dueAt - (yield* Clock.currentTimeMillis)))
      yield* Effect.forkIn(begin, scope)
    }).pipe(FiberHandle.run(timer), Effect.asVoid)

  const interrupt = Effect.asVoid(Effect.forkIn(FiberHandle.clear(thinking), scope, { startImmediately: true }))

  return {
    /** A write of somebody else has set when the next turn is due; `undefined`: it did not touch the agent. */
    noted: (turnDueAt: number | null | undefined): Effect.Effect<void> => {
      if (turnDueAt === undefined) return Effect.void
      if (turnDueAt === null) return Effect.andThen(FiberHandle.clear(timer), running ? interrupt : Effect.void)
      if (!running) return arm(turnDueAt)
      if (interruptions >= mostInterruptions) return Effect.void
      interruptions++
      return Effect.andThen(interrupt, arm(turnDueAt))
    },
    /** Begins the turn that is due, unless one runs. */
    wake: Effect.suspend(() => (running ? Effect.void : Effect.asVoid(Effect.forkIn(begin, scope))))
  }
})
