/**
 * The queue of changes for integrations in Postgres. One transaction moves a connection's place in the event log and inserts the tasks up to that place,
 * so each event becomes one task per connection, on any number of nodes. A claim is a lease: it moves `due_at` on, so another node takes over from a
 * node that died. A task of a contact is claimed only when no earlier one of it waits. Locks are taken connection first, task second.
 *
 * A change takes three statements, each a function of the database (`functions/apps.sql`): its event becomes a task, the task is claimed with all that
 * there is to tell, and its outcome is stored. Only what an event tells of the connection takes a transaction of several.
 */
import { Effect, Layer } from "effect"
import { type AppLink, type AppTrigger, triggerOf } from "../../../domain/apps/AppAdapter.ts"
import { type ClaimedTask, SyncQueue, type SyncResult } from "../../../domain/apps/SyncQueue.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { storable } from "../../../domain/basics/PlainText.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { EventType } from "../../../domain/events/Event.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { contactBeside, contactOfRow, contactRecord, type RowWithContact } from "../people/contacts/ContactRows.ts"
import { columnsOf } from "../tenancy/Columns.ts"
import { isoOrNull, makeSql } from "../tenancy/Sql.ts"
import { outlasting } from "../tenancy/Unreachable.ts"
import { connectionsDue, connectionsToFill, organizationsToSync } from "./AcrossTenants.ts"
import { saidRows } from "./ConnectionLog.ts"
import { learnCredentials, lockedConnection, type OpenRow, openColumns, openConnection } from "./ConnectionRows.ts"

/** Events that one step of a fan-out reads at most. */
const step = 500
/** Contacts that one step of a back-fill takes, and how many of its tasks may wait before it takes more. */
const filled = 100
const mostFilling = 50
const fillingAtOnce = 100

/** What is told after which event. */
const triggers = Object.fromEntries(
  EventType.literals.flatMap((type) => {
    const trigger = triggerOf(type)
    return trigger === undefined ? [] : [[type, trigger]]
  })
)

/** A row of `claim_app_tasks`: the connection is in the first. */
type ClaimedRow = OpenRow &
  RowWithContact & {
    readonly taskId: string
    readonly taskTrigger: AppTrigger
    readonly taskContactId: string
    readonly taskSubjectId: string
    readonly taskClaims: number
    readonly taskFailures: number
    readonly links: ReadonlyArray<AppLink>
  }

const instant = (ms: number | null) => isoOrNull(ms === null ? null : new Date(ms))

/** A result in the form that the database function `settle_app_task` takes. */
const storedResult = ({ outcome, links }: Pick<SyncResult, "outcome" | "links">) => {
  if (outcome === "gone") return { status: outcome, failed: 0, links: [] }
  const { task, dueAt, resumeAt, error, counts } = outcome
  return {
    status: task === "again" ? "pending" : task,
    ...{ dueAt: instant(dueAt), resumeAt: instant(resumeAt), failed: counts ? 1 : 0 },
    error: error === null ? null : storable(error),
    links: links.map((link) => ({ ...link, remoteId: storable(link.remoteId) }))
  }
}

export const layer = Layer.effect(
  SyncQueue,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    /** The disk is not waited for, as in `settle_app_task`. */
    const soon = sql`SELECT set_config('synchronous_commit', 'off', true)`

    const claimColumns = sql.literal(
      `${openColumns("k.connection")}, ${columnsOf("k.task", "id trigger contact_id subject_id claims failures", "task_")},
        ${contactBeside("k.contact")}, k.identities, k.links`
    )
    const named = sql.withoutTransforms()

    const claimedTask = Effect.fnUntraced(function* (row: ClaimedRow) {
      const contact = contactOfRow(row)
      return {
        ...{ id: row.taskId, trigger: row.taskTrigger, contactId: row.taskContactId, subjectId: row.taskSubjectId },
        ...{ claims: row.taskClaims, failures: row.taskFailures, links: row.links },
        contact: contact === undefined ? undefined : yield* contactRecord(contact)
      } satisfies ClaimedTask
    })

    /** Stores a result with one statement. False: it is news of the connection, and nothing was stored. */
    const store = Effect.fnUntraced(function* (
      organizationId: string,
      connectionId: string,
      { id, claims, contactId }: ClaimedTask,
      result: SyncResult,
      at: Date
    ) {
      const said = saidRows(result.exchanges.map((one) => ({ ...one, contactId })))
      const [{ done }] = yield* sql<{
        done: boolean
      }>`SELECT settle_app_task(${organizationId}, ${connectionId}, ${id}, ${claims},
        ${sql.json(storedResult(result))}, ${sql.json(said)}, ${at}) AS done`
      return done
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
      const at = new Date(now)
      if (contacts.length > 0)
        yield* sql`INSERT INTO app_tasks (organization_id, id, connection_id, trigger, contact_id, subject_id, live, status, due_at, created_at)
          SELECT ${organizationId}, n.id, ${connectionId}, 'contact.updated', n.contact_id, n.contact_id, false, 'pending', ${at}, ${at}
          FROM unnest(${contacts.map(() => newId("syn", now))}::text[], ${contacts.map(({ id }) => id)}::text[])
            WITH ORDINALITY AS n (id, contact_id, place) ORDER BY n.place
          ON CONFLICT (organization_id, connection_id, trigger, subject_id) WHERE status = 'pending' AND claims = 0 DO NOTHING`
      yield* sql`UPDATE app_connections SET backfill_after = ${contacts.at(-1)?.id ?? row.after},
          backfill_made = backfill_made + ${contacts.length}, backfill = ${contacts.length < filled ? "done" : "running"}
        WHERE id = ${connectionId}`
    })

    return SyncQueue.of({
      behind: traced("SyncQueue.behind")((among) => organizationsToSync(sql, among, 10_000), Effect.orDie),

      fanOut: traced("SyncQueue.fanOut")(function* (organizationId, told, now) {
        const [{ more }] = yield* outlasting(
          sql<{
            more: boolean
          }>`SELECT fan_out_to_apps(${organizationId}, ${sql.json(told)}, ${sql.json(triggers)}, ${step}, ${new Date(now)},
            ${newId("syn", now)}) AS more`
        )
        return more
      }, Effect.orDie),

      due: connectionsDue(sql, "changes"),

      claim: traced("SyncQueue.claim")(function* (organizationId, connectionId, now, leaseMs, { most, busy, atOnce }) {
        const rows =
          yield* named<ClaimedRow>`SELECT ${claimColumns} FROM claim_app_tasks(${organizationId}, ${connectionId}, ${most}, ${busy},
          ${sql.json(atOnce)}, ${new Date(now)}, ${new Date(now + leaseMs)}) k`
        if (rows.length === 0) return undefined
        const connection = yield* openConnection(ring, rows[0])
        return connection === undefined ? undefined : { connection, tasks: yield* Effect.forEach(rows, claimedTask) }
      }, Effect.orDie),

      settle: traced("SyncQueue.settle")(function* ({ organizationId, id }, task, result, now) {
        const { outcome } = result
        const stored = store(organizationId, id, task, result, new Date(now))
        const refused = outcome !== "gone" && outcome.credentials !== undefined && outcome.credentials !== "works"
        if (!refused && (yield* outlasting(stored))) return
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* soon
            const row = yield* lockedConnection(sql, id)
            if (row === undefined) return
            const mine =
              yield* sql`SELECT 1 FROM app_tasks WHERE id = ${task.id} AND claims = ${task.claims} AND status = 'pending'
              FOR NO KEY UPDATE`
            if (mine.length > 0 && outcome !== "gone") yield* learnCredentials(sql, row, outcome, now)
            yield* stored
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
