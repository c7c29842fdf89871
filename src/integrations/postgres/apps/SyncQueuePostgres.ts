/**
 * The queue of changes for integrations in Postgres. One transaction moves a connection's place in the event log and inserts the tasks up to that place,
 * so each event becomes one task per connection, on any number of nodes. A claim is a lease: it moves `due_at` on, so another node takes over from a
 * node that died. A task of a contact is claimed only when no earlier one of it waits. Locks are taken connection first, task second.
 */
import { Effect, Layer } from "effect"
import { type AppLink, triggerOf } from "../../../domain/apps/AppAdapter.ts"
import { type ClaimedTask, SyncQueue, type SyncResult } from "../../../domain/apps/SyncQueue.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { connectionsDue, connectionsToFill, organizationsToSync } from "./AcrossTenants.ts"
import { writeLog } from "./ConnectionLog.ts"
import { learnOutcome, lockedConnection, openConnection, providerOf, usableConnection } from "./ConnectionRows.ts"

/** Events that one step of a fan-out reads at most. */
const step = 500
/** Contacts that one step of a back-fill takes, and how many of its tasks may wait before it takes more. */
const filled = 100
const mostFilling = 50
const fillingAtOnce = 100

interface Cursor {
  readonly id: string
  readonly provider: string
  readonly transaction: string
  readonly position: string
}

interface Found extends Omit<Cursor, "provider"> {
  readonly type: string
  readonly contactId: string | null
  readonly subjectId: string | null
}

interface NewTask {
  readonly trigger: string
  readonly contactId: string
  readonly subjectId: string
}

export const layer = Layer.effect(
  SyncQueue,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    /**
     * The disk is not waited for. What the database forgets when it crashes is done again: events become tasks from the place that is stored with them, and
     * a task whose outcome is forgotten has its claim, so it is sent again as one that may have arrived.
     */
    const soon = sql`SELECT set_config('synchronous_commit', 'off', true)`
    const place = sql.literal("transaction::text AS transaction, position::text AS position")

    const insert = (
      organizationId: string,
      connectionId: string,
      tasks: ReadonlyArray<NewTask>,
      live: boolean,
      at: Date
    ) =>
      sql`INSERT INTO app_tasks (organization_id, id, connection_id, trigger, contact_id, subject_id, live, status, due_at, created_at)
        SELECT ${organizationId}, n.id, ${connectionId}, n.trigger, n.contact_id, n.subject_id, ${live}, 'pending', ${at}, ${at}
        FROM unnest(${tasks.map(() => newId("syn", at.getTime()))}::text[], ${tasks.map(({ trigger }) => trigger)}::text[],
          ${tasks.map(({ contactId }) => contactId)}::text[], ${tasks.map(({ subjectId }) => subjectId)}::text[])
          WITH ORDINALITY AS n (id, trigger, contact_id, subject_id, place) ORDER BY n.place
        ON CONFLICT (organization_id, connection_id, trigger, subject_id) WHERE status = 'pending' AND claims = 0 DO NOTHING`

    /** Moves one connection on by one step. Gives true when there may be more events for it. */
    const advance = Effect.fnUntraced(function* (organizationId: string, at: Cursor, skip: boolean, now: Date) {
      const found =
        yield* sql<Found>`SELECT e.id, e.type, CASE WHEN NOT e.withdrawn THEN e.contact_id END AS contact_id,
          coalesce(e.data -> 'conversation' ->> 'id', e.data -> 'call' ->> 'conversationId', e.contact_id) AS subject_id, e.transaction::text AS transaction,
          e.position::text AS position
        FROM events e WHERE e.organization_id = ${organizationId}
          AND (e.transaction, e.position) > (${at.transaction}::xid8, ${at.position}::bigint)
          AND e.transaction < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY e.transaction, e.position LIMIT ${step}`
      const last = found.at(-1)
      if (last === undefined) return false
      const tasks: Array<NewTask> = []
      for (const { type, contactId, subjectId } of skip ? [] : found) {
        const trigger = triggerOf(type)
        if (contactId !== null && subjectId !== null && trigger !== undefined)
          tasks.push({ trigger, contactId, subjectId })
      }
      if (tasks.length > 0) yield* insert(organizationId, at.id, tasks, true, now)
      yield* sql`UPDATE app_connections SET transaction = ${last.transaction}::xid8, position = ${last.position}::bigint
        WHERE id = ${at.id}`
      return found.length === step
    })

    const take = (organizationId: string, connectionId: string, now: number, leaseMs: number, most: number) =>
      sql<ClaimedTask>`WITH due AS (SELECT t.organization_id, t.id FROM app_tasks t
          WHERE t.organization_id = ${organizationId} AND t.connection_id = ${connectionId} AND t.due_at <= ${new Date(now)}
            AND NOT EXISTS (SELECT 1 FROM app_tasks e WHERE e.organization_id = t.organization_id
              AND e.connection_id = t.connection_id AND e.contact_id = t.contact_id AND e.due_at IS NOT NULL AND e.position < t.position)
          ORDER BY t.live DESC, t.position LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE app_tasks t SET claims = t.claims + 1, due_at = ${new Date(now + leaseMs)} FROM due
        WHERE t.organization_id = due.organization_id AND t.id = due.id AND t.due_at <= ${new Date(now)}
        RETURNING t.id, t.trigger, t.contact_id, t.subject_id, t.claims, t.failures`

    const link = (
      organizationId: string,
      connectionId: string,
      contactId: string,
      links: ReadonlyArray<AppLink>,
      at: Date
    ) =>
      Effect.forEach(
        links,
        ({ kind, localId, remoteId, hash, fields = null }) =>
          sql`INSERT INTO app_links (organization_id, connection_id, kind, local_id, contact_id, remote_id, hash, fields, updated_at)
            SELECT ${organizationId}, ${connectionId}, ${kind}, ${localId}, c.id, ${remoteId}, ${hash},
              ${fields === null ? null : sql.json(fields)}, ${at}
            FROM contacts c WHERE c.id = ${contactId}
            ON CONFLICT (organization_id, connection_id, kind, local_id) DO UPDATE SET remote_id = excluded.remote_id,
              hash = excluded.hash, fields = coalesce(excluded.fields, app_links.fields), updated_at = excluded.updated_at`,
        { discard: true }
      )

    /** Stores what became of the task. False when another process has it. */
    const finish = Effect.fnUntraced(function* ({ id, claims }: ClaimedTask, { outcome }: SyncResult, at: Date) {
      const mine = sql`id = ${id} AND claims = ${claims} AND status = 'pending'`
      if (outcome === "gone")
        return (
          (yield* sql`UPDATE app_tasks SET status = 'gone', due_at = NULL, settled_at = ${at} WHERE ${mine} RETURNING id`)
            .length > 0
        )
      const { task, dueAt, error, counts } = outcome
      const status = task === "again" ? "pending" : task
      const rows =
        yield* sql`UPDATE app_tasks SET status = ${status}, due_at = ${dueAt === null ? null : new Date(dueAt)},
          error = ${error}, failures = failures + ${counts ? 1 : 0}, settled_at = ${task === "again" ? null : at}
        WHERE ${mine} RETURNING id`
      return rows.length > 0
    })

    /** Takes the next contacts of one back-fill, while few of its tasks wait. */
    const fillOne = Effect.fnUntraced(function* (organizationId: string, connectionId: string, now: number) {
      const [row] = yield* sql<{ after: string }>`SELECT backfill_after AS after FROM app_connections
        WHERE id = ${connectionId} AND backfill = 'running' FOR NO KEY UPDATE SKIP LOCKED`
      if (row === undefined) return
      const [{ waiting }] = yield* sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM app_tasks
        WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} AND due_at IS NOT NULL AND NOT live`
      if (waiting >= mostFilling) return
      const contacts = yield* sql<{ id: string }>`SELECT id FROM contacts WHERE organization_id = ${organizationId}
        AND id > ${row.after} AND archived_at IS NULL AND merged_into IS NULL ORDER BY id LIMIT ${filled}`
      const tasks = contacts.map(({ id }) => ({ trigger: "contact.updated", contactId: id, subjectId: id }))
      if (tasks.length > 0) yield* insert(organizationId, connectionId, tasks, false, new Date(now))
      yield* sql`UPDATE app_connections SET backfill_after = ${contacts.at(-1)?.id ?? row.after},
          backfill_made = backfill_made + ${contacts.length}, backfill = ${contacts.length < filled ? "done" : "running"}
        WHERE id = ${connectionId}`
    })

    return SyncQueue.of({
      behind: traced("SyncQueue.behind")((among) => organizationsToSync(sql, among, 10_000), Effect.orDie),

      fanOut: traced("SyncQueue.fanOut")(function* (organizationId, skips, now) {
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* soon
            const connections = yield* sql<Cursor>`SELECT id, provider, ${place} FROM app_connections
              WHERE organization_id = ${organizationId} AND enabled ORDER BY id FOR NO KEY UPDATE`
            const more = yield* Effect.forEach(connections, (one) => {
              const provider = providerOf(one)
              return advance(organizationId, one, provider === undefined || skips(provider), new Date(now))
            })
            return more.some(Boolean)
          })
        )
      }, Effect.orDie),

      due: connectionsDue(sql, "changes"),

      claim: traced("SyncQueue.claim")(function* (organizationId, connectionId, now, leaseMs, most) {
        const taken = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const row = yield* usableConnection(sql, connectionId, now)
            const provider = row === undefined ? undefined : providerOf(row)
            if (row === undefined || provider === undefined) return undefined
            // Refused credentials are tried with one change.
            const limit = Math.max(0, Math.min(most(provider), row.state === "failing" ? 1 : Number.MAX_SAFE_INTEGER))
            return { row, tasks: yield* take(organizationId, connectionId, now, leaseMs, limit) }
          })
        )
        if (taken === undefined || taken.tasks.length === 0) return undefined
        const connection = yield* openConnection(ring, taken.row)
        return connection === undefined ? undefined : { connection, tasks: taken.tasks }
      }, Effect.orDie),

      links: traced("SyncQueue.links")(function* (organizationId, connectionId, localIds) {
        return yield* asTenant(organizationId)(
          sql<AppLink>`SELECT kind, local_id, remote_id, hash, fields FROM app_links
            WHERE connection_id = ${connectionId} AND local_id = ANY (${localIds}::text[])`
        )
      }, Effect.orDie),

      settle: traced("SyncQueue.settle")(function* ({ organizationId, id }, task, result, now) {
        const at = new Date(now)
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* soon
            const row = yield* lockedConnection(sql, id)
            if (row === undefined) return
            const about = result.exchanges.map((one) => ({ ...one, contactId: task.contactId }))
            yield* writeLog(sql, organizationId, id, task.id, about)
            if (!(yield* finish(task, result, at))) return
            yield* link(organizationId, id, task.contactId, result.links, at)
            if (result.outcome !== "gone") yield* learnOutcome(sql, row, result.outcome, now)
          })
        )
      }, Effect.orDie),

      fill: traced("SyncQueue.fill")(function* (now) {
        for (const { organizationId, connectionId } of yield* connectionsToFill(sql, fillingAtOnce))
          yield* asTenant(organizationId)(fillOne(organizationId, connectionId, now))
      }, Effect.orDie)
    })
  })
)
