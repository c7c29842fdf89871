/**
 * The one way to ask an actor of the cluster. The library retries for ever when there is no owner, and may answer with an interruption while
 * the owner changes. Here a request has a deadline, and all of these become one typed failure. A command may arrive twice, which is harmless.
 */
import { Cause, Clock, Effect, Exit, Fiber, Option, type Scope } from "effect"
import type {
  AlreadyProcessingMessage,
  EntityNotAssignedToRunner,
  MailboxFull,
  PersistenceError
} from "effect/cluster/ClusterError"
import { ConversationBusy } from "../../../domain/messaging/conversations/ConversationCommand.ts"
import type { LostConversation } from "../../../domain/messaging/conversations/ConversationFence.ts"

/** Longer than the conversations of a dead process stay without an owner. */
const deadlineMs = 10_000
/** One attempt: an owner that was stopping may have lost the request, so the next owner is asked. */
const attemptMs = 3_000
const askAgainMs = 100

/** Temporary failures: the ownership is changing, or the owner has too much to do. */
type Passing = LostConversation | EntityNotAssignedToRunner | MailboxFull | AlreadyProcessingMessage | PersistenceError

const passing: ReadonlySet<string> = new Set<Passing["_tag"]>([
  "LostConversation",
  "EntityNotAssignedToRunner",
  "MailboxFull",
  "AlreadyProcessingMessage",
  "PersistenceError"
])

const isPassing = (error: unknown): error is Passing =>
  typeof error === "object" && error !== null && "_tag" in error && passing.has(String(error._tag))

/** The answer for the asker; none when the request is to be sent again. */
const answered = <A, E>(exit: Exit.Exit<A, E | Passing>): Option.Option<Exit.Exit<A, Exclude<E, Passing>>> => {
  if (Exit.isSuccess(exit)) return Option.some(Exit.succeed(exit.value))
  const { cause } = exit
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isPassing(error) || Cause.hasInterruptsOnly(cause)) return Option.none()
  return Option.some(Exit.failCause(cause as Cause.Cause<Exclude<E, Passing>>))
}

/**
 * Returns a function that sends one request; requests end with the scope. `request` takes the deadline (Unix milliseconds) and is sent again
 * while the owner changes. Fails with `ConversationBusy` after the deadline.
 */
export const makeAsk = Effect.map(Effect.scope, (scope: Scope.Scope) => {
  /** Interrupts the request at the time-out without waiting: the interruption is a message too, to an owner that may be gone. */
  const within = Effect.fnUntraced(function* <A, E>(request: Effect.Effect<A, E>, ms: number) {
    const fiber = yield* Effect.forkIn(request, scope, { startImmediately: true })
    const abandon = Effect.suspend(() =>
      fiber.pollUnsafe() === undefined
        ? Effect.asVoid(Effect.forkIn(Fiber.interrupt(fiber), scope, { startImmediately: true }))
        : Effect.void
    )
    return yield* Fiber.await(fiber).pipe(Effect.timeoutOption(ms), Effect.ensuring(abandon))
  })

  return Effect.fnUntraced(function* <A, E>(
    conversationId: string,
    request: (expiresAt: number) => Effect.Effect<A, E | Passing>
  ): Effect.fn.Return<A, Exclude<E, Passing> | ConversationBusy> {
    const expiresAt = (yield* Clock.currentTimeMillis) + deadlineMs
    while (true) {
      const left = expiresAt - (yield* Clock.currentTimeMillis)
      if (left <= 0) return yield* new ConversationBusy({ conversationId })
      const exit = yield* within(request(expiresAt), Math.min(left, attemptMs))
      const answer = Option.flatMap(exit, answered)
      if (Option.isSome(answer)) return yield* answer.value
      yield* Effect.sleep(askAgainMs)
    }
  })
})
