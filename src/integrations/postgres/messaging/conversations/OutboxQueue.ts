/**
 * The outbox as a store of `effect/persistence` queues. The library's own SQL store gives out what is oldest: messages of one conversation at the
 * same time, and nothing of anybody else while one organization has a million waiting. Here each organization with something to do gets an
 * equal share of whoever waits for work, and each conversation one message at a time. A claim is a lease: it moves `due_at` on, so a process
 * that died is followed by another. Taken out is a message by the report about it; success of a taker writes nothing.
 */
import type { PgClient } from "@effect/sql-pg"
import { Cause, Clock, Duration, Effect, Exit, Layer, Queue, Result, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { deliveryDefaults, placesOf } from "../../../../domain/messaging/sending/DeliveryRules.ts"
import { OutboxWakeUp, Postponed, QueuedMessage } from "../../../../domain/messaging/sending/Outbox.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { organizationsToDeliver } from "./AcrossTenants.ts"

/** Puts the messages of `made` behind what is queued in their conversation, which the transaction holds; part of a WITH. */
export const enqueued = (
  sql: PgClient.PgClient
) => sql`INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
  SELECT organization_id, id, conversation_id,
    NOT EXISTS (SELECT 1 FROM outbox o WHERE o.organization_id = made.organization_id AND o.conversation_id = made.conversation_id),
    created_at, created_at FROM made`

export interface OutboxQueueOptions {
  /** Of one organization, under way in this process. */
  readonly perOrganization?: number
  /** Longer than handing over takes. */
  readonly leaseMs?: number
  readonly lookEvery?: Duration.Input
  /** Rests after each look, so that what was stored and delivered meanwhile costs one more, not one each. */
  readonly rest?: Duration.Input
}

interface Claimed extends QueuedMessage {
  readonly attempts: number
}

const decode = Schema.decodeUnknownEffect(QueuedMessage)
const failure = (cause: unknown) =>
  new PersistedQueue.PersistedQueueError({ message: "The outbox cannot be reached", cause })

/** How many of so many free places each of these organizations may claim; at least one, so that nobody is left out for long. */
export const shareOf = (free: number, organizations: number): number =>
  Math.max(1, Math.floor(free / Math.max(1, organizations)))

export const make = ({
  perOrganization = placesOf(deliveryDefaults),
  leaseMs = 60_000,
  lookEvery = "1 second",
  rest = "20 millis"
}: OutboxQueueOptions = {}) =>
  Effect.gen(function* () {
    // Looking is not for a single place: of one organization so many are filled together.
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

    /** Gives those who wait their messages; how many it found. */
    const look = Effect.gen(function* () {
      const free = waiting - Queue.sizeUnsafe(ready)
      if (free <= 0) return 0
      const now = yield* Clock.currentTimeMillis
      const organizations = yield* organizationsToDeliver(sql, now)
      const share = shareOf(free, organizations.length)
      let found = 0
      // Another one is the first each time: when there are more organizations than places, all of them get their turn.
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

    /** What becomes of a message whose taker is through with it; a database that is away leaves it to the lease. */
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

    /** One more is waiting from now on, until it has got something or is interrupted. */
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
          sql`SELECT 1 FROM conversations WHERE id = (SELECT conversation_id FROM messages WHERE id = ${messageId}) FOR UPDATE`,
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
      // Nothing stays that was delivered.
      cleanup: () => Effect.void
    })
  })

/** Needs the database. */
export const layer = (options?: OutboxQueueOptions) =>
  PersistedQueue.layer.pipe(Layer.provide(Layer.effect(PersistedQueue.PersistedQueueStore, make(options))))
