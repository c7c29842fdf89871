/**
 * How much of one organization may be in the channel inbox. The owner of a connected number signs its webhooks and may report as much as they like,
 * so what waits, and what was given up, is bounded. The channel repeats refused webhooks for days, so nothing is lost.
 *
 * Counting reads what waits, so it is not done for each webhook: a count allows a number of items and bytes to be stored before the next count. Each
 * process counts by itself, so several may go over the bound by one such allowance each.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Metric, Semaphore } from "effect"
import { InboxFull, type NewInboxItem } from "../../../../domain/messaging/channel/ChannelInbox.ts"

export interface InboxBounds {
  /** The most items of one organization that wait or were given up. */
  readonly items: number
  /** The most bytes of their payloads, as they are stored. */
  readonly bytes: number
}

export const inboxBounds: InboxBounds = { items: 50_000, bytes: 128 * 1_024 * 1_024 }

/** What may be stored after a count, at most, before the next one. */
const allowance: InboxBounds = { items: 1_000, bytes: 4 * 1_024 * 1_024 }

/** A full inbox is counted again after this time. Milliseconds. */
const countAgainMs = 5_000

/**
 * One organization stores at most this many webhooks at once in a process, so that it leaves database connections to others; so many more wait for
 * their turn.
 */
const [storingAtOnce, storingWaiting] = [6, 200]

const refused = Metric.counter("parley_channel_inbox_refused_total", {
  description: "Webhooks of the messaging channel that were refused because the inbox of their organization is full",
  incremental: true
})

interface Room {
  items: number
  bytes: number
  /** When the inbox was last found full, Unix milliseconds. */
  fullAt: number
  /** Webhooks that are being stored, or wait for that. */
  storing: number
  readonly turns: Semaphore.Semaphore
}

const bytesOf = (items: ReadonlyArray<NewInboxItem>) =>
  items.reduce((sum, { payload }) => sum + JSON.stringify(payload).length, 0)

export const makeInboxRoom = (sql: PgClient.PgClient, bounds: InboxBounds) => {
  const rooms = new Map<string, Room>()
  const roomOf = (organizationId: string): Room => {
    const known = rooms.get(organizationId)
    if (known !== undefined) return known
    const fresh = {
      ...{ items: 0, bytes: 0, fullAt: Number.NEGATIVE_INFINITY, storing: 0 },
      turns: Semaphore.makeUnsafe(storingAtOnce)
    }
    rooms.set(organizationId, fresh)
    return fresh
  }

  const count = Effect.fnUntraced(function* (organizationId: string, room: Room) {
    const [{ items, bytes }] = yield* sql<{ items: number; bytes: string }>`SELECT items, bytes
      FROM load_of_channel_inbox(${organizationId}, ${bounds.items})`
    room.items = Math.min(allowance.items, bounds.items - items)
    room.bytes = Math.min(allowance.bytes, bounds.bytes - Number(bytes))
    return { items, bytes: Number(bytes) }
  })

  const refuse = (organizationId: string) =>
    Effect.andThen(Metric.update(refused, 1), Effect.fail(new InboxFull({ organizationId })))

  /** Takes `items` and `bytes` of the organization's room, counting when it is used up. */
  const takeRoom = Effect.fnUntraced(function* (
    organizationId: string,
    room: Room,
    { items, bytes }: InboxBounds,
    now: number
  ) {
    const fits = () => room.items >= items && room.bytes >= bytes
    if (!fits()) {
      if (now - room.fullAt < countAgainMs) return yield* refuse(organizationId)
      const load = yield* count(organizationId, room)
      // More than an allowance in one webhook fits when the bound has room for it.
      const whole = bounds.items - load.items >= items && bounds.bytes - load.bytes >= bytes
      if (!whole) {
        room.fullAt = now
        yield* Effect.logWarning("the channel inbox of an organization is full: its webhooks are refused", {
          organizationId,
          ...load
        })
        return yield* refuse(organizationId)
      }
    }
    room.items -= items
    room.bytes -= bytes
  })

  return {
    /** Runs `store`, which stores these items, when there is room for them. Fails with `InboxFull`. `now`: Unix milliseconds. */
    taking: <A, E>(
      organizationId: string,
      items: ReadonlyArray<NewInboxItem>,
      now: number,
      store: Effect.Effect<A, E>
    ) =>
      Effect.suspend(() => {
        const room = roomOf(organizationId)
        if (room.storing >= storingAtOnce + storingWaiting) return refuse(organizationId)
        room.storing++
        return room.turns
          .withPermits(1)(
            Effect.andThen(takeRoom(organizationId, room, { items: items.length, bytes: bytesOf(items) }, now), store)
          )
          .pipe(Effect.ensuring(Effect.sync(() => room.storing--)))
      })
  }
}
