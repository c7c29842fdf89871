/**
 * The pulls of connections in Postgres: one row for each kind of records. A claim is a lease of the row; `claims` fences off whoever lost it, and a pull that
 * was started or stopped meanwhile. Locks are taken connection first, pull second.
 */
import { Effect, Layer } from "effect"
import { type AppRecordTag, appRecordTags } from "../../../domain/apps/AppRecord.ts"
import { PullQueue } from "../../../domain/apps/PullQueue.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { connectionsDue } from "./AcrossTenants.ts"
import { writeLog } from "./ConnectionLog.ts"
import { learnOutcome, lockedConnection, openConnection, usableConnection } from "./ConnectionRows.ts"

interface Row {
  readonly kind: string
  readonly since: Date | null
  readonly cursor: string | null
  readonly claims: number
  readonly failures: number
}

const tagOf = (kind: string): AppRecordTag | undefined => appRecordTags.find((tag) => tag === kind)

export const layer = Layer.effect(
  PullQueue,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    /** From its first page, of all records. */
    const afresh = (now: Date) =>
      sql`state = 'running', since = NULL, cursor = NULL, began_at = ${now}, records = 0, due_at = ${now}`
    const goingOn = (now: Date) => sql`state = 'running', due_at = ${now}`
    const fenced = sql`leased_until = NULL, claims = app_pulls.claims + 1, failures = 0, error = NULL`

    return PullQueue.of({
      start: traced("PullQueue.start")(function* (organizationId, connectionId, { kinds, everyMs = null }, what, ms) {
        const now = new Date(ms)
        const here = sql`organization_id = ${organizationId} AND connection_id = ${connectionId}`
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const known = yield* sql`SELECT 1 FROM app_connections WHERE id = ${connectionId} FOR NO KEY UPDATE`
            if (known.length === 0) return
            const halted = sql`state IN ('stopped', 'failed')`
            // What was stopped or has failed goes on where it was.
            if (what === "all") {
              yield* sql`UPDATE app_pulls SET ${goingOn(now)}, ${fenced} WHERE ${here} AND ${halted} AND since IS NULL`
              yield* sql`UPDATE app_pulls SET ${afresh(now)}, ${fenced} WHERE ${here} AND NOT (state = 'running' AND since IS NULL)`
            } else {
              yield* sql`UPDATE app_pulls SET ${goingOn(now)}, ${fenced} WHERE ${here} AND ${halted}`
              yield* sql`UPDATE app_pulls SET state = 'running', since = completed_at, cursor = NULL, began_at = ${now}, records = 0,
                  due_at = ${now}, ${fenced} WHERE ${here} AND state = 'done'`
            }
            yield* sql`INSERT INTO app_pulls (organization_id, connection_id, kind, place, state, began_at, every_ms, due_at)
              SELECT ${organizationId}, ${connectionId}, k.kind, k.place, 'running', ${now}, ${everyMs}, ${now}
              FROM unnest(${kinds}::text[]) WITH ORDINALITY AS k (kind, place)
              ON CONFLICT (organization_id, connection_id, kind) DO UPDATE SET place = excluded.place, every_ms = excluded.every_ms`
          })
        )
      }, Effect.orDie),

      stop: traced("PullQueue.stop")(
        (organizationId, connectionId) =>
          asTenant(organizationId)(
            sql`UPDATE app_pulls SET state = 'stopped', due_at = NULL, leased_until = NULL, claims = claims + 1
              WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} AND state = 'running'`
          ),
        Effect.orDie,
        Effect.asVoid
      ),

      keepUp: traced("PullQueue.keepUp")(function* (organizationId, connectionId, { kinds, everyMs }, now) {
        if (everyMs === undefined) return
        const at = new Date(now)
        yield* asTenant(organizationId)(
          sql`INSERT INTO app_pulls (organization_id, connection_id, kind, place, state, began_at, completed_at, every_ms, due_at)
            SELECT ${organizationId}, c.id, k.kind, k.place, 'done', ${at}, ${at}, ${everyMs}, ${new Date(now + everyMs)}
            FROM unnest(${kinds}::text[]) WITH ORDINALITY AS k (kind, place), app_connections c WHERE c.id = ${connectionId}
            ON CONFLICT (organization_id, connection_id, kind) DO UPDATE SET place = excluded.place, every_ms = excluded.every_ms`
        )
      }, Effect.orDie),

      due: connectionsDue(sql, "pages"),

      claim: traced("PullQueue.claim")(function* (organizationId, connectionId, now, leaseMs) {
        const at = new Date(now)
        const taken = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const row = yield* usableConnection(sql, connectionId, now)
            if (row === undefined) return undefined
            const here = sql`p.organization_id = ${organizationId} AND p.connection_id = ${connectionId}`
            const [pull] =
              yield* sql<Row>`WITH next AS (SELECT p.kind FROM app_pulls p WHERE ${here} AND p.due_at <= ${at}
                AND NOT EXISTS (SELECT 1 FROM app_pulls o WHERE o.organization_id = p.organization_id AND o.connection_id = p.connection_id
                  AND o.leased_until > ${at})
              ORDER BY p.place LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
            UPDATE app_pulls p SET claims = p.claims + 1, leased_until = ${new Date(now + leaseMs)},
              state = 'running', since = CASE p.state WHEN 'done' THEN p.completed_at ELSE p.since END,
              cursor = CASE p.state WHEN 'done' THEN NULL ELSE p.cursor END,
              began_at = CASE p.state WHEN 'done' THEN ${at} ELSE p.began_at END,
              records = CASE p.state WHEN 'done' THEN 0 ELSE p.records END
            FROM next WHERE ${here} AND p.kind = next.kind AND p.due_at <= ${at}
            RETURNING p.kind, p.since, p.cursor, p.claims, p.failures`
            return pull === undefined ? undefined : { row, pull }
          })
        )
        if (taken === undefined) return undefined
        const kind = tagOf(taken.pull.kind)
        const connection = yield* openConnection(ring, taken.row)
        if (connection === undefined || kind === undefined) return undefined
        const { since, cursor, claims, failures } = taken.pull
        return { connection, request: { kind, since: since?.getTime() ?? null, cursor }, claims, failures }
      }, Effect.orDie),

      settle: traced("PullQueue.settle")(function* (
        { connection, request, claims },
        { page, outcome, exchanges },
        now
      ) {
        const { organizationId, id } = connection
        const { kind } = request
        const mine = sql`organization_id = ${organizationId} AND connection_id = ${id} AND kind = ${kind} AND claims = ${claims}
          AND state = 'running'`
        const later = sql`${new Date(now)}::timestamptz + every_ms * interval '1 millisecond'`
        const failed = (ms: number | null) => (ms === null ? later : sql`${new Date(ms)}`)
        const change =
          page === undefined
            ? sql`state = ${outcome.task === "dead" ? "failed" : "running"}, due_at = ${failed(outcome.dueAt)},
              failures = failures + ${outcome.counts ? 1 : 0}, error = ${outcome.error}`
            : page.cursor === null
              ? sql`state = 'done', completed_at = began_at, cursor = NULL, records = records + ${page.records}, due_at = ${later},
                failures = 0, error = NULL`
              : sql`cursor = ${page.cursor}, records = records + ${page.records}, due_at = ${new Date(now + page.waitMs)},
                failures = 0, error = NULL`
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const row = yield* lockedConnection(sql, id)
            if (row === undefined) return
            yield* writeLog(sql, organizationId, id, `pull of ${kind}`, exchanges)
            const rows = yield* sql`UPDATE app_pulls SET ${change}, leased_until = NULL WHERE ${mine} RETURNING kind`
            if (rows.length > 0) yield* learnOutcome(sql, row, outcome, now)
          })
        )
      }, Effect.orDie)
    })
  })
)
