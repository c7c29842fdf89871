/**
 * The actor of one conversation. It carries out commands one after the other, each checked by the fence (its ownership epoch), and watches the
 * conversation's due times and the turns of its text agent. It may die or freeze at any point: its state is stored, and the next owner goes on.
 */
import { Clock, Effect, FiberHandle, Semaphore } from "effect"
import { Entity } from "effect/cluster"
import { Conversations } from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationFence, LostConversation } from "../../../domain/messaging/conversations/ConversationFence.ts"
import {
  isDue,
  type Memory,
  type Outcome,
  remembered
} from "../../../domain/messaging/conversations/ConversationOwner.ts"
import { Messages } from "../../../domain/messaging/conversations/Message.ts"
import { Acting } from "../../../domain/people/access/Audit.ts"
import { ConversationEntity, parsed } from "./Protocol.ts"
import { makeTurnKeeper } from "./TurnKeeper.ts"

/** An actor without requests for this long stops. The sweep finds the due times that it watched. */
const maxIdleTime = "10 seconds"

/** `awake`: the ids of the actors that live in this process. */
const makeOwner = Effect.fnUntraced(function* (awake: Set<string>) {
  const { entityId } = yield* Entity.CurrentAddress
  const { organizationId, conversationId } = parsed(entityId)
  const messages = yield* Messages
  const conversations = yield* Conversations
  const scope = yield* Effect.scope
  yield* Effect.acquireRelease(
    Effect.sync(() => void awake.add(entityId)),
    () => Effect.sync(() => void awake.delete(entityId))
  )
  const timer = yield* FiberHandle.make<void>()
  // Commands come one at a time; the timer must not write during one.
  const turn = yield* Semaphore.make(1)
  let memory: Memory
  let watched: number | null = null

  /** One write with the fence. Nothing is written after the asker's deadline. Gives what the fence was granted to `noted`. */
  const fenced = <A, E>(
    expiresAt: number,
    work: (fence: ConversationFence) => Effect.Effect<A, E | LostConversation>,
    noted: (turnDueAt: number | null | undefined) => Effect.Effect<void>
  ): Effect.Effect<A, E | LostConversation> =>
    Effect.gen(function* () {
      if (!isDue(expiresAt, yield* Clock.currentTimeMillis)) return yield* new LostConversation({ conversationId })
      const fence = new ConversationFence(memory?.epoch)
      const result = yield* Effect.tapError(work(fence), (error) =>
        note({ _tag: error instanceof LostConversation ? "lost" : "failed" })
      )
      yield* note({ _tag: "written", held: fence.granted })
      return [result, fence.granted?.turnDueAt] as const
    }).pipe(
      turn.withPermits(1),
      Effect.tap(([, turnDueAt]) => noted(turnDueAt)),
      Effect.map(([result]) => result)
    )

  const keeper = yield* makeTurnKeeper(
    organizationId,
    conversationId,
    (noted) => (work) =>
      fenced(Number.POSITIVE_INFINITY, work, (turnDueAt) =>
        Effect.sync(() => {
          if (turnDueAt !== undefined) noted(turnDueAt)
        })
      )
  )

  const write = <A, E>(
    expiresAt: number,
    work: (fence: ConversationFence) => Effect.Effect<A, E | LostConversation>
  ): Effect.Effect<A, E | LostConversation> => fenced(expiresAt, work, keeper.noted)

  const checkSla = (expiresAt: number): Effect.Effect<void, LostConversation> =>
    write(expiresAt, (fence) => conversations.checkSla(organizationId, conversationId, fence))

  /** Replaces the timer. When its check fails, the sweep does it. */
  const watch = (dueAt: number): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Effect.sleep(Math.max(0, dueAt - (yield* Clock.currentTimeMillis)))
      // Not in the timer's own fiber, which the outcome replaces.
      yield* Effect.forkIn(Effect.ignore(checkSla(Number.POSITIVE_INFINITY)), scope)
    }).pipe(FiberHandle.run(timer), Effect.asVoid)

  const note = (outcome: Outcome): Effect.Effect<void> => {
    memory = remembered(memory, outcome)
    const dueAt = memory?.dueAt ?? null
    if (dueAt === watched) return Effect.void
    watched = dueAt
    return dueAt === null ? FiberHandle.clear(timer) : watch(dueAt)
  }

  return ConversationEntity.of({
    Write: ({ payload: { message, at, expiresAt } }) => write(expiresAt, (fence) => messages.add(message, at, fence)),
    Change: ({ payload: { id, changes, at, expiresAt, acting } }) =>
      write(expiresAt, (fence) =>
        conversations.change(organizationId, conversationId, changes, at, { id, fence })
      ).pipe(
        Effect.map((changed) => changed ?? null),
        Effect.provideService(Acting, acting)
      ),
    CheckSla: ({ payload: { expiresAt } }) => checkSla(expiresAt),
    RunTurn: () => keeper.wake
  })
})

/** Needs Messages, Conversations, TurnRunner and a cluster. A defect fails the command that caused it; the actor goes on. */
export const layer = (awake: Set<string>) =>
  ConversationEntity.toLayer(makeOwner(awake), { maxIdleTime, disableFatalDefects: true })
