/**
 * The inbox of the messaging channel in Postgres. A settled item loses its payload but keeps its deduplication key, so that a repeated delivery is
 * recognized.
 */
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { ChannelInbox, type InboxItem, type NewInboxItem } from "../../../../domain/messaging/channel/ChannelInbox.ts"
import { iso, makeSql, within } from "../../tenancy/Sql.ts"
import { countInboxItems, dueInboxItems, expireInboxItems } from "./AcrossTenants.ts"
import { type InboxBounds, inboxBounds, makeInboxRoom } from "./InboxRoom.ts"

/** A row of `channel_inbox`. Its columns `line` and `once` hold the partition and the deduplication key. */
interface Row extends Omit<NewInboxItem, "partition" | "deduplicationKey"> {
  readonly line: string
  readonly once: string
  readonly organizationId: string
  readonly id: string
  readonly attempts: number
  readonly receivedAt: Date
}

interface FailedRow extends Omit<Row, "payload"> {
  readonly lastError: string | null
}

const itemOf = ({ organizationId, id, kind, line, once, payload, attempts, receivedAt }: Row): InboxItem => ({
  ...{ organizationId, id, kind, partition: line, deduplicationKey: once, payload },
  // The row's `attempts` includes the current claim.
  attempts: attempts - 1,
  receivedAt: receivedAt.getTime()
})

/** The item belongs to a later claim. */
class ClaimOver extends Schema.TaggedError<ClaimOver>()("ClaimOver", {}) {}

const make = (bounds: InboxBounds) =>
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const room = makeInboxRoom(sql, bounds)

    const insert = (organizationId: string, items: ReadonlyArray<NewInboxItem>, now: number) => {
      const at = new Date(now)
      const rows = items.map(({ partition: line, deduplicationKey: once, payload, ...item }) => ({
        ...item,
        line,
        once,
        id: newId("inb", now),
        payload: JSON.stringify(payload)
      }))
      const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name])
      // Items of one call get `received_at` times a millisecond apart, so that they are read in the order given.
      return sql`INSERT INTO channel_inbox (organization_id, id, kind, line, once, payload, due_at, received_at)
        SELECT ${organizationId}, l.id, l.kind, l.line, l.once, l.payload::jsonb, ${at}, ${at}::timestamptz + (l.n - 1) * interval '1 millisecond'
        FROM unnest(${column("id")}::text[], ${column("kind")}::text[], ${column("line")}::text[], ${column("once")}::text[],
          ${column("payload")}::text[]) WITH ORDINALITY AS l (id, kind, line, once, payload, n) ORDER BY l.n
        ON CONFLICT (organization_id, once) DO NOTHING RETURNING id`
    }

    const claimOne = (organizationId: string, id: string, now: number, leaseMs: number) =>
      asTenant(organizationId)(
        sql<Row>`UPDATE channel_inbox SET due_at = ${new Date(now + leaseMs)}, attempts = attempts + 1
          WHERE id = ${id} AND state = 'waiting' AND due_at <= ${new Date(now)} RETURNING *`
      )

    /** A condition that holds only for the newest claim of the item, so that an older claim settles nothing. */
    const mine = ({ id, attempts }: InboxItem) => sql`id = ${id} AND state = 'waiting' AND attempts = ${attempts + 1}`

    const acknowledge = (item: InboxItem, now: number) =>
      sql`UPDATE channel_inbox SET state = 'done', settled_at = ${new Date(now)}, payload = 'null', last_error = NULL
        WHERE ${mine(item)} RETURNING id`

    /** Acknowledges the item. One that was erased needs it no more. */
    const settled = Effect.fnUntraced(function* (item: InboxItem, now: number) {
      if ((yield* acknowledge(item, now)).length > 0) return
      const left = yield* sql`SELECT 1 FROM channel_inbox WHERE id = ${item.id}`
      if (left.length > 0) return yield* new ClaimOver()
    })

    return ChannelInbox.of({
      store: traced("ChannelInbox.store")(function* (organizationId, items, now) {
        if (items.length === 0) return 0
        const stored = room.taking(
          organizationId,
          items,
          now,
          asTenant(organizationId)(insert(organizationId, items, now))
        )
        return (yield* Effect.catchTag(stored, "SqlError", Effect.die)).length
      }),

      claim: traced("ChannelInbox.claim")(function* (now, leaseMs, places) {
        const due = yield* dueInboxItems(sql, now, places)
        const items = yield* Effect.forEach(due, ({ organizationId, id }) => claimOne(organizationId, id, now, leaseMs))
        return items.flat().map(itemOf)
      }, Effect.orDie),

      renew: traced("ChannelInbox.renew")(function* (items, until) {
        for (const organizationId of new Set(items.map((item) => item.organizationId))) {
          const own = items.filter((item) => item.organizationId === organizationId)
          const [ids, claims] = [own.map(({ id }) => id), own.map(({ attempts }) => attempts + 1)]
          yield* asTenant(organizationId)(
            sql`UPDATE channel_inbox i SET due_at = ${new Date(until)}
              FROM unnest(${ids}::text[], ${claims}::integer[]) AS c (id, attempts)
              WHERE i.organization_id = ${organizationId} AND i.id = c.id AND i.attempts = c.attempts AND i.state = 'waiting'`
          )
        }
      }, Effect.orDie),

      settle: (item, work, now) =>
        within(asTenant(item.organizationId))(
          Effect.tap(work, () => Effect.catchTag(settled(item, now), "SqlError", Effect.die))
        ).pipe(
          Effect.catchIf(
            (error) => error instanceof ClaimOver,
            () =>
              Effect.as(
                Effect.logInfo("an item of the channel inbox was taken over", {
                  organizationId: item.organizationId,
                  id: item.id
                }),
                undefined
              )
          )
        ),

      settleInto: traced("ChannelInbox.settleInto")(
        (item, next, now) =>
          asTenant(item.organizationId)(
            Effect.flatMap(acknowledge(item, now), (acknowledged) =>
              acknowledged.length === 0 || next.length === 0
                ? Effect.void
                : Effect.asVoid(insert(item.organizationId, next, now))
            )
          ),
        Effect.orDie
      ),

      postpone: traced("ChannelInbox.postpone")(function* (item, at, error) {
        yield* asTenant(item.organizationId)(
          sql`UPDATE channel_inbox SET due_at = ${new Date(at)}, last_error = ${error.slice(0, 500)} WHERE ${mine(item)}`
        )
      }, Effect.orDie),

      giveUp: traced("ChannelInbox.giveUp")(function* (item, error, now) {
        yield* asTenant(item.organizationId)(
          sql`UPDATE channel_inbox SET state = 'failed', settled_at = ${new Date(now)}, last_error = ${error.slice(0, 500)}
            WHERE ${mine(item)}`
        )
      }, Effect.orDie),

      count: Effect.orDie(countInboxItems(sql)),

      failed: traced("ChannelInbox.failed")(function* (organizationId) {
        const rows = yield* asTenant(organizationId)(
          sql<FailedRow>`SELECT id, kind, attempts, last_error, received_at FROM channel_inbox WHERE state = 'failed'
            ORDER BY position DESC LIMIT 100`
        )
        return rows.map(({ id, kind, attempts, lastError, receivedAt }) => ({
          ...{ id, kind, attempts },
          error: lastError ?? "",
          receivedAt: iso(receivedAt)
        }))
      }, Effect.orDie),

      retryFailed: traced("ChannelInbox.retryFailed")(function* (organizationId, now) {
        const again = yield* asTenant(organizationId)(
          sql`UPDATE channel_inbox SET state = 'waiting', attempts = 0, due_at = ${new Date(now)}, settled_at = NULL
            WHERE state = 'failed' RETURNING id`
        )
        return again.length
      }, Effect.orDie),

      expire: traced("ChannelInbox.expire")(
        (doneBefore, failedBefore, most) => expireInboxItems(sql, doneBefore, failedBefore, most),
        Effect.orDie
      )
    })
  })

/** `bounds`: how much of one organization may wait. */
export const layerWith = (bounds: InboxBounds) => Layer.effect(ChannelInbox, make(bounds))
export const layer = layerWith(inboxBounds)
