/**
 * The queue of what providers have told us, in Postgres. An arrival is stored once by connection and id of the event; a settled one loses its payload, but
 * not its id. A claim is a lease: it moves `due_at` on, so another node takes over from a node that died. Locks are taken connection first, arrival second.
 */
import { Effect, Layer, Schema } from "effect"
import type { AppArrival } from "../../../domain/apps/AppInbound.ts"
import {
  ArrivalQueue,
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
import { makeBatching } from "../tenancy/Batching.ts"
import { rerunning } from "../tenancy/Conflicts.ts"
import { numbered } from "../tenancy/Parts.ts"
import { iso, isoOrNull, makeSql } from "../tenancy/Sql.ts"
import { connectionsDue } from "./AcrossTenants.ts"
import { writeLog } from "./ConnectionLog.ts"
import { heldConnection, learnOutcome, openConnection, usableConnection } from "./ConnectionRows.ts"

/** Longer names are replaced by their hash. */
const longestName = 200
const nameOf = (text: string) => (text.length > longestName ? tokenHash(text) : storable(text))

/** What one webhook tells. */
interface Asked {
  readonly connectionId: string
  readonly arrivals: ReadonlyArray<AppArrival>
  readonly now: number
}

interface ClaimedRow {
  readonly id: string
  readonly claims: number
  readonly failures: number
  readonly once: string
  readonly topic: string
  readonly lane: string
  readonly happenedAt: Date | null
  readonly payload: string
  readonly position: string
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

const claimedOf = ({ id, claims, failures, once, topic, lane, happenedAt, payload }: ClaimedRow): ClaimedArrival => ({
  ...{ id, claims, failures },
  arrival: { id: once, topic, lane, at: happenedAt?.getTime() ?? null, payload }
})

export const layer = Layer.effect(
  ArrivalQueue,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    /** Stores what came at one moment in one statement (`store_arrivals`); gives how many were new of each, null where too much waits. */
    const store = yield* makeBatching((organizationId, asked: ReadonlyArray<Asked>) => {
      const arrivals = asked.flatMap((one, place) => one.arrivals.map((arrival) => ({ ...one, ...arrival, place })))
      const column = (of: (arrival: (typeof arrivals)[number]) => string) => arrivals.map(of)
      const stored = sql<{
        place: number
        added: number | null
      }>`SELECT place, added FROM store_arrivals(${organizationId},
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

    /** Of a new problem: only the newest are kept. */
    const forgetProblems = (organizationId: string, connectionId: string) =>
      sql`DELETE FROM app_arrivals WHERE organization_id = ${organizationId} AND id IN (SELECT id FROM app_arrivals
        WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} AND status = 'dead'
        ORDER BY position DESC OFFSET ${keptProblems})`

    const take = (organizationId: string, connectionId: string, now: number, leaseMs: number, most: number) =>
      sql<ClaimedRow>`WITH due AS (SELECT t.organization_id, t.id FROM app_arrivals t
          WHERE t.organization_id = ${organizationId} AND t.connection_id = ${connectionId} AND t.due_at <= ${new Date(now)}
            AND NOT EXISTS (SELECT 1 FROM app_arrivals e WHERE e.organization_id = t.organization_id
              AND e.connection_id = t.connection_id AND e.lane = t.lane AND e.due_at IS NOT NULL AND e.position < t.position)
          ORDER BY t.due_at, t.position LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE app_arrivals t SET claims = t.claims + 1, due_at = ${new Date(now + leaseMs)} FROM due
        WHERE t.organization_id = due.organization_id AND t.id = due.id AND t.due_at <= ${new Date(now)}
        RETURNING t.id, t.claims, t.failures, t.once, t.topic, t.lane, t.happened_at, t.payload, t.position::text AS position`

    return ArrivalQueue.of({
      store: traced("ArrivalQueue.store")(function* ({ organizationId, id }, arrivals, now) {
        if (arrivals.length === 0) return 0
        const added = yield* Effect.orDie(store(organizationId, { connectionId: id, arrivals, now }))
        return added ?? (yield* new ArrivalsFull())
      }),

      due: connectionsDue(sql, "arrivals"),

      claim: traced("ArrivalQueue.claim")(function* (organizationId, connectionId, now, leaseMs, most) {
        const taken = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const row = yield* usableConnection(sql, connectionId, now)
            if (row === undefined) return undefined
            // Refused credentials are tried with one arrival.
            const limit = row.state === "failing" ? Math.min(1, most) : most
            return { row, rows: yield* take(organizationId, connectionId, now, leaseMs, limit) }
          })
        )
        if (taken === undefined || taken.rows.length === 0) return undefined
        const connection = yield* openConnection(ring, taken.row)
        const arrivals = [...taken.rows].sort((a, b) => Number(a.position) - Number(b.position)).map(claimedOf)
        return connection === undefined ? undefined : { connection, arrivals }
      }, Effect.orDie),

      settle: traced("ArrivalQueue.settle")(function* (connection, { id, claims }, { outcome, exchanges }, now) {
        const { organizationId } = connection
        const { task, dueAt, error, counts } = outcome
        const at = new Date(now)
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const held = yield* heldConnection(sql, connection, outcome)
            yield* writeLog(sql, organizationId, connection.id, id, exchanges)
            const status = task === "again" ? "pending" : task
            const mine =
              yield* sql`UPDATE app_arrivals SET status = ${status}, due_at = ${dueAt === null ? null : new Date(dueAt)},
                error = ${error}, failures = failures + ${counts ? 1 : 0}, settled_at = ${task === "again" ? null : at},
                payload = CASE WHEN ${task === "done"} THEN NULL ELSE payload END
              WHERE id = ${id} AND claims = ${claims} AND status = 'pending' RETURNING id`
            if (mine.length > 0 && task === "dead") yield* forgetProblems(organizationId, connection.id)
            if (mine.length > 0 && held !== undefined) yield* learnOutcome(sql, held, outcome, now)
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
