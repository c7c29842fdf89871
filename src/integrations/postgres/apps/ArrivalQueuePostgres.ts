/**
 * The queue of what providers have told us, in Postgres. An arrival is stored once by connection and id of the event; a settled one loses its payload, but
 * not its id. A claim is a lease: it moves `due_at` on, so another node takes over from a node that died. Locks are taken connection first, arrival second.
 *
 * Webhooks that come at the same time are stored by one transaction, whichever organizations they are for: the disk is waited for once. A claim and an
 * outcome are a statement each (`functions/apps.sql`), and do not wait for the disk.
 */
import { Effect, Layer, Schema } from "effect"
import type { StoredConnection } from "../../../domain/apps/AppConnection.ts"
import type { AppArrival } from "../../../domain/apps/AppInbound.ts"
import {
  ArrivalQueue,
  type ArrivalResult,
  ArrivalsFull,
  type ClaimedArrival,
  keptProblems,
  mostWaiting,
  ShownArrival
} from "../../../domain/apps/ArrivalQueue.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { storable } from "../../../domain/basics/PlainText.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { makeSharedBatching } from "../tenancy/Batching.ts"
import { columnsOf } from "../tenancy/Columns.ts"
import { rerunning } from "../tenancy/Conflicts.ts"
import { numbered } from "../tenancy/Parts.ts"
import { iso, isoOrNull, makeSql } from "../tenancy/Sql.ts"
import { outlasting } from "../tenancy/Unreachable.ts"
import { connectionsDue } from "./AcrossTenants.ts"
import { saidRows } from "./ConnectionLog.ts"
import {
  learnOutcome,
  lockedConnection,
  type OpenRow,
  openColumns,
  openConnection,
  tellsOfConnection
} from "./ConnectionRows.ts"

/** Longer names are replaced by their hash. */
const longestName = 200
const nameOf = (text: string) => (text.length > longestName ? tokenHash(text) : storable(text))

/** What one webhook tells. */
interface Asked {
  readonly organizationId: string
  readonly connectionId: string
  readonly arrivals: ReadonlyArray<AppArrival>
  readonly now: number
}

/** A row of `claim_arrivals`: the connection is in the first. */
type ClaimedRow = OpenRow & {
  readonly arrivalId: string
  readonly arrivalClaims: number
  readonly arrivalFailures: number
  readonly arrivalOnce: string
  readonly arrivalTopic: string
  readonly arrivalLane: string
  readonly arrivalHappenedAt: Date | null
  readonly arrivalPayload: string
}

interface ShownRow {
  readonly once: string
  readonly status: "pending" | "done" | "dead"
  readonly failures: number
  readonly happenedAt: Date | null
  readonly createdAt: Date
}

const states = { pending: "waiting", done: "done", dead: "problem" } as const
const decodeShown = Schema.decodeUnknownEffect(ShownArrival)

const claimedOf = (row: ClaimedRow): ClaimedArrival => ({
  ...{ id: row.arrivalId, claims: row.arrivalClaims, failures: row.arrivalFailures },
  arrival: {
    ...{ id: row.arrivalOnce, topic: row.arrivalTopic, lane: row.arrivalLane, payload: row.arrivalPayload },
    at: row.arrivalHappenedAt?.getTime() ?? null
  }
})

export const layer = Layer.effect(
  ArrivalQueue,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    /** Stores what came at one moment in one statement; gives how many were new of each, null where too much waits. */
    const store = yield* makeSharedBatching((asked: ReadonlyArray<Asked>) => {
      const arrivals = asked.flatMap((one, place) => one.arrivals.map((arrival) => ({ ...one, ...arrival, place })))
      const column = (of: (arrival: (typeof arrivals)[number]) => string) => arrivals.map(of)
      const stored = sql<{
        place: number
        added: number | null
      }>`SELECT place, added FROM store_arrivals_together(${column(({ organizationId }) => organizationId)}::text[],
        ${arrivals.map(({ place }) => place)}::integer[], ${column(({ connectionId }) => connectionId)}::text[],
        ${column(({ now }) => newId("arr", now))}::text[], ${column(({ id }) => nameOf(id))}::text[], ${column(({ topic }) => nameOf(topic))}::text[],
        ${column(({ lane }) => nameOf(lane))}::text[], ${column(({ payload }) => storable(payload))}::text[],
        ${column(({ at }) => (at === null ? "" : new Date(at).toISOString()))}::text[], ${new Date(asked[0].now)},
        ${mostWaiting.arrivals}, ${mostWaiting.bytes})`
      return Effect.map(rerunning(stored), (rows) => {
        const added = new Map(rows.map((row) => [row.place, row.added]))
        return asked.map((_, place) => added.get(place) ?? null)
      })
    })

    const claimColumns = sql.literal(
      `${openColumns("k.connection")}, ${columnsOf("k.arrival", "id claims failures once topic lane happened_at payload", "arrival_")}`
    )
    const named = sql.withoutTransforms()

    /** Stores what became of an arrival with one statement. False: another process has claimed it meanwhile. */
    const settle = Effect.fnUntraced(function* (
      { organizationId, id }: StoredConnection,
      arrival: Pick<ClaimedArrival, "id" | "claims">,
      { outcome, exchanges }: ArrivalResult,
      now: number
    ) {
      const { task, dueAt, error, counts } = outcome
      const stored = {
        status: task === "again" ? "pending" : task,
        dueAt: isoOrNull(dueAt === null ? null : new Date(dueAt)),
        error: error === null ? null : storable(error),
        failed: counts ? 1 : 0
      }
      const [{ mine }] = yield* sql<{
        mine: boolean
      }>`SELECT settle_arrival(${organizationId}, ${id}, ${arrival.id}, ${arrival.claims}, ${sql.json(stored)}, ${sql.json(saidRows(exchanges))},
        ${new Date(now)}, ${keptProblems}) AS mine`
      return mine
    })

    return ArrivalQueue.of({
      store: traced("ArrivalQueue.store")(function* ({ organizationId, id }, arrivals, now) {
        if (arrivals.length === 0) return 0
        const added = yield* Effect.orDie(store({ organizationId, connectionId: id, arrivals, now }))
        return added ?? (yield* new ArrivalsFull())
      }),

      due: connectionsDue(sql, "arrivals"),

      claim: traced("ArrivalQueue.claim")(function* (organizationId, connectionId, now, leaseMs, most) {
        const rows = yield* rerunning(
          named<ClaimedRow>`SELECT ${claimColumns} FROM claim_arrivals(${organizationId}, ${connectionId}, ${most}, ${new Date(now)},
            ${new Date(now + leaseMs)}) k`
        )
        if (rows.length === 0) return undefined
        const connection = yield* openConnection(ring, rows[0])
        return connection === undefined ? undefined : { connection, arrivals: rows.map(claimedOf) }
      }, Effect.orDie),

      settle: traced("ArrivalQueue.settle")(function* (connection, arrival, result, now) {
        const { outcome } = result
        if (!tellsOfConnection(connection, outcome)) return yield* outlasting(settle(connection, arrival, result, now))
        yield* asTenant(connection.organizationId)(
          Effect.gen(function* () {
            const row = yield* lockedConnection(sql, connection.id)
            const mine = yield* settle(connection, arrival, result, now)
            if (mine && row !== undefined) yield* learnOutcome(sql, row, outcome, now)
          })
        )
      }, Effect.orDie),

      list: traced("ArrivalQueue.list")((organizationId, connectionId, problems, page, limit) => {
        const which = problems ? sql`AND status = 'dead'` : sql``
        const list = {
          from: sql`app_arrivals WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} ${which}`,
          decode: (row: ShownRow) =>
            decodeShown({
              ...row,
              eventId: row.once,
              state: states[row.status],
              attempts: row.failures,
              happenedAt: isoOrNull(row.happenedAt),
              createdAt: iso(row.createdAt)
            })
        }
        return numbered({ sql, asTenant }, organizationId, list, page, limit)
      }, Effect.orDie),

      replay: traced("ArrivalQueue.replay")(function* (organizationId, connectionId, arrivalId, now) {
        const which = arrivalId === undefined ? sql`true` : sql`id = ${arrivalId}`
        const rows = yield* asTenant(organizationId)(
          sql`UPDATE app_arrivals SET status = 'pending', due_at = ${new Date(now)}, settled_at = NULL, failures = 0
            WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} AND status = 'dead' AND ${which}
            RETURNING id`
        )
        return rows.length
      }, Effect.orDie)
    })
  })
)
