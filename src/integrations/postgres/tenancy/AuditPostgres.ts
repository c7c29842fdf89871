/** The audit log in Postgres. Stores that are called inside a recorded change join its transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { Acting, Audit, type AuditEntry, AuditRecord } from "../../../domain/people/access/Audit.ts"
import { numbered } from "./Parts.ts"
import { iso, makeSql, within } from "./Sql.ts"

interface Row {
  readonly id: string
  readonly action: string
  readonly subjectId: string
  readonly actorType: string
  readonly actorId: string | null
  readonly stateBefore: unknown
  readonly stateAfter: unknown
  readonly details: unknown
  readonly ip: string | null
  readonly requestId: string | null
  readonly createdAt: Date
}

const decodeRecord = Schema.decodeUnknownEffect(AuditRecord)

const decode = ({ actorType, actorId, stateBefore: before, stateAfter: after, createdAt, ...row }: Row) =>
  decodeRecord({ ...row, before, after, actor: { type: actorType, id: actorId }, createdAt: iso(createdAt) })

/** The row of an audit entry, with the actor of the fiber. Database functions take it as JSON and write it together with the change. */
export const auditRow = Effect.fnUntraced(function* ({ action, subjectId, before, after }: AuditEntry) {
  const { actor, ip, requestId } = yield* Acting
  const { type: actorType, id: actorId } = actor
  return { id: newId("aud"), action, subjectId, actorType, actorId, before, after, ip, requestId }
})

/** Writes an entry in the running transaction. */
export const writeAudit = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  entry: AuditEntry
) {
  const json = (value: object | undefined) => (value === undefined ? null : sql.json(value))
  const { id, action, subjectId, actorType, actorId, before, after, ip, requestId } = yield* auditRow(entry)
  yield* sql`INSERT INTO audit_log
    (organization_id, id, action, subject_id, actor_type, actor_id, state_before, state_after, ip, request_id)
    VALUES (${organizationId}, ${id}, ${action}, ${subjectId}, ${actorType}, ${actorId},
      ${json(before)}, ${json(after)}, ${ip}, ${requestId})`
})

/** Actions by their names, or by a half of them (`AuditFilter`). */
const actionIn = (sql: PgClient.PgClient, patterns: string) => {
  const all = patterns.split(",").map((pattern) => pattern.trim())
  const subjects = all.filter((one) => one.endsWith(".*")).map((one) => one.slice(0, -2))
  const acts = all.filter((one) => one.startsWith("*.")).map((one) => one.slice(2))
  return sql`(action = ANY(${all}) OR split_part(action, '.', 1) = ANY(${subjects}) OR split_part(action, '.', 2) = ANY(${acts}))`
}

export const layer = Layer.effect(
  Audit,
  Effect.gen(function* () {
    const { sql, asTenant, asTenantAsOne } = yield* makeSql
    return Audit.of({
      recorded: (organizationId, change, entry) =>
        within(asTenantAsOne(organizationId))(
          Effect.tap(change, (result) => Effect.orDie(writeAudit(sql, organizationId, entry(result))))
        ),

      list: traced("Audit.list")(function* (organizationId, filter, page, limit) {
        const chosen = sql.and([
          sql`true`,
          ...(filter.action === undefined ? [] : [actionIn(sql, filter.action)]),
          ...(filter.actorId === undefined ? [] : [sql`actor_id = ${filter.actorId}`]),
          ...(filter.subjectId === undefined ? [] : [sql`subject_id = ${filter.subjectId}`]),
          ...(filter.from === undefined ? [] : [sql`created_at >= ${filter.from}`]),
          ...(filter.to === undefined ? [] : [sql`created_at < ${filter.to}`])
        ])
        const from = sql`audit_log WHERE ${chosen}`
        return yield* numbered({ sql, asTenant }, organizationId, { from, decode }, page, limit)
      }, Effect.orDie)
    })
  })
)
