/**
 * The outbox as a store of `effect/persistence` queues. The library's own SQL store gives out the oldest items first: it would hand out several
 * messages of one conversation at once, and one organization with a million waiting messages would block all others. This store gives each
 * organization with due messages an equal share of the waiting takers, and each conversation one message at a time. A claim is a lease: it moves
 * `due_at` on, so another process takes over from one that died. The report about a message removes it from the outbox; a taker that succeeds
 * writes nothing.
 */
import type { PgClient } from "@effect/sql-pg"
import { Cause, Clock, Duration, Effect, Exit, Layer, Queue, Result, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { deliveryDefaults, placesOf } from "../../../../domain/messaging/sending/DeliveryRules.ts"
import { OutboxWakeUp, Postponed, QueuedMessage } from "../../../../domain/messaging/sending/Outbox.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { organizationsToDeliver } from "./AcrossTenants.ts"

/**
 * The statement that appends the messages of `made` to the outbox of their conversation, to be used in a WITH clause. The transaction must hold the
 * lock of the conversation.
 */
export const enqueued = (
  sql: PgClient.PgClient
) => sql`INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
  SELECT organization_id, id, conversation_id,
    NOT EXISTS (SELECT 1 FROM outbox o WHERE o.organization_id = made.organization_id AND o.conversation_id = made.conversation_id),
    created_at, created_at FROM made`

export interface OutboxQueueOptions {
  /** Messages of one organization that this process handles at once. */
  readonly perOrganization?: number
  /** Milliseconds of a lease. Must be longer than a handover takes. Default 60,000. */
  readonly leaseMs?: number
  /** The longest time between two looks when nothing wakes the queue. Default 1 second. */
  readonly lookEvery?: Duration.Input
  /** The pause after each look, so that messages stored or delivered meanwhile cost one more look together. Default 20 milliseconds. */
  readonly rest?: Duration.Input
}

interface Claimed extends QueuedMessage {
  readonly attempts: number
}

const decode = Schema.decodeUnknownEffect(QueuedMessage)
const failure = (cause: unknown) =>
  new PersistedQueue.PersistedQueueError({ message: "The outbox cannot be reached", cause })

/** How many of the `free` places each of `organizations` organizations may claim: at least one, so that no organization waits for long. */
export const shareOf = (free: number, organizations: number): number =>
  Math.max(1, Math.floor(free / Math.max(1, organizations)))

/** The store of the queue, with a fiber that claims due messages. Needs the database and `OutboxWakeUp`. */
export const make = ({
  perOrganization = placesOf(deliveryDefaults),
  leaseMs = 60_000,
  lookEvery = "1 second",
  rest = "20 millis"
}: OutboxQueueOptions = {}) =>
  Effect.gen(function* () {
    // An organization's messages are claimed only when this many of its places are free, so that one look fills several places.
    const refill = Math.ceil(perOrganization / 4)
    const { sql, asTenant } = yield* makeSql
    const wakeUp = yield* OutboxWakeUp
    const ready = yield* Queue.unbounded<Claimed>()
    const underWay = new Map<string, number>()
    let waiting = 0
    let turn = 0

    const placesFor = (organizationId: string) => perOrganization - (underWay.get(organizationId) ?? 0)
    const occupy = (organizationId: string, by: number) => {
      const now = (underWay.get(organizationId) ?? 0) + by
      if (now <= 0) underWay.delete(organizationId)
      else underWay.set(organizationId, now)
    }

    const claim = (organizationId: string, most: number, now: number) =>
      sql<{ messageId: string; attempts: number }>`SELECT message_id, attempts
        FROM claim_messages(${organizationId}, ${new Date(now)}, ${new Date(now + leaseMs)}, ${most})`

    /** Claims messages for the waiting takers. Gives the number of messages claimed. */
    const look = Effect.gen(function* () {
      const free = waiting - Queue.sizeUnsafe(ready)
      if (free <= 0) return 0
      const now = yield* Clock.currentTimeMillis
      const organizations = yield* organizationsToDeliver(sql, now)
      const share = shareOf(free, organizations.length)
      let found = 0
      // Each look begins with another organization, so that all get a turn when there are more organizations than places.
      turn = (turn + 1) % Math.max(1, organizations.length)
      for (const organizationId of [...organizations.slice(turn), ...organizations.slice(0, turn)]) {
        const places = placesFor(organizationId)
        const most = Math.min(share, free - found, places)
        if (most <= 0 || places < refill) continue
        const claimed = yield* claim(organizationId, most, now)
        found += claimed.length
        for (const { attempts, messageId } of claimed) {
          occupy(organizationId, 1)
          yield* Queue.offer(ready, { organizationId, messageId, attempts })
        }
      }
      return found
    })

    yield* look.pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("the outbox could not be looked through", cause), 0)),
      Effect.tap(Effect.sleep(rest)),
      Effect.tap((found) => (found > 0 ? Effect.void : Effect.timeoutOption(wakeUp.woken, lookEvery))),
      Effect.forever,
      Effect.forkScoped
    )

    const postpone = ({ organizationId, messageId, attempts }: Claimed, { until, reason, untouched }: Postponed) =>
      asTenant(organizationId)(sql`UPDATE outbox SET due_at = ${new Date(until)}, last_error = ${reason.slice(0, 500)},
        handing_over_since = CASE WHEN ${untouched} THEN NULL ELSE handing_over_since END
        WHERE message_id = ${messageId} AND attempts = ${attempts}`)

    /** Frees the place of a message after its taker has ended, and postpones the message if the taker failed. */
    const settle = Effect.fnUntraced(function* (
      claimed: Claimed,
      exit: Exit.Exit<unknown, unknown>,
      pause: (attempts: number) => Effect.Effect<Duration.Duration>
    ) {
      occupy(claimed.organizationId, -1)
      if (Exit.isFailure(exit)) {
        const error = Result.getOrUndefined(Cause.findError(exit.cause))
        const now = yield* Clock.currentTimeMillis
        const interrupted = Cause.hasInterruptsOnly(exit.cause)
        const until = interrupted ? now : now + Duration.toMillis(yield* pause(claimed.attempts))
        const reason = Cause.pretty(exit.cause)
        yield* postpone(
          claimed,
          error instanceof Postponed ? error : new Postponed({ until, reason, untouched: false })
        )
      }
      if (placesFor(claimed.organizationId) >= refill) yield* wakeUp.wake
    })

    const release =
      (claimed: Claimed, pause: (attempts: number) => Effect.Effect<Duration.Duration>) =>
      (exit: Exit.Exit<unknown, unknown>) =>
        settle(claimed, exit, pause).pipe(
          Effect.catchCause((cause) => Effect.logWarning("a message waits for its lease to end", cause))
        )

    /** Waits for a message. The taker counts as waiting until it gets one or is interrupted. */
    const next = Effect.uninterruptibleMask((restore) => {
      waiting++
      const isFirst = waiting - Queue.sizeUnsafe(ready) === 1
      return Effect.andThen(
        isFirst ? wakeUp.wake : Effect.void,
        Effect.onExit(restore(Queue.take(ready)), () => Effect.sync(() => void waiting--))
      )
    })

    const offer = Effect.fnUntraced(function* (element: unknown) {
      const { organizationId, messageId } = yield* decode(element)
      yield* asTenant(organizationId)(
        Effect.andThen(
          sql`SELECT 1 FROM conversations WHERE id = (SELECT conversation_id FROM messages WHERE id = ${messageId}) FOR NO KEY UPDATE`,
          sql`WITH made AS (SELECT * FROM messages WHERE id = ${messageId} AND status = 'queued') ${enqueued(sql)} ON CONFLICT DO NOTHING`
        )
      )
      yield* wakeUp.wake
    }, Effect.mapError(failure))

    return PersistedQueue.PersistedQueueStore.of({
      offer: ({ element }) => offer(element),
      take: ({ retryDelay }) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(restore(next), (claimed) => {
            const { organizationId, messageId, attempts } = claimed
            const taken = { id: messageId, attempts, element: { organizationId, messageId } }
            return Effect.as(Effect.addFinalizer(release(claimed, retryDelay)), taken)
          })
        ),
      // The report removes a delivered message, so there is nothing to clean up.
      cleanup: () => Effect.void
    })
  })

/** The queues over this store. Needs the database and `OutboxWakeUp`. */
export const layer = (options?: OutboxQueueOptions) =>
  PersistedQueue.layer.pipe(Layer.provide(Layer.effect(PersistedQueue.PersistedQueueStore, make(options))))
