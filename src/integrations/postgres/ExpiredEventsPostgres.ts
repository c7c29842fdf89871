/** Events that are past their time, in Postgres. Deliveries go with their event (a foreign key). */
import { Effect, Layer } from "effect"
import { ExpiredEvents } from "../../domain/EventRetention.ts"
import { makeSql } from "./Sql.ts"

export const layer = Layer.effect(
  ExpiredEvents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const old = (
      organizationId: string,
      before: number
    ) => sql`FROM events e WHERE e.organization_id = ${organizationId}
      AND e.created_at < ${new Date(before)} AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
        WHERE d.organization_id = e.organization_id AND d.event_id = e.id AND d.due_at IS NOT NULL)`
    const answered = (organizationId: string, before: number) => sql`FROM webhook_deliveries
      WHERE organization_id = ${organizationId} AND response IS NOT NULL AND attempted_at < ${new Date(before)}`

    return ExpiredEvents.of({
      count: Effect.fn("ExpiredEvents.count")(function* (organizationId, eventsBefore, responsesBefore) {
        const [counts] = yield* asTenant(organizationId)(
          sql<{
            events: number
            responses: number
          }>`SELECT (SELECT count(*) ${old(organizationId, eventsBefore)})::int AS events,
            (SELECT count(*) ${answered(organizationId, responsesBefore)})::int AS responses`
        )
        return counts
      }, Effect.orDie),

      removeEvents: Effect.fn("ExpiredEvents.removeEvents")(function* (organizationId, before, most) {
        const gone = yield* asTenant(organizationId)(
          sql`DELETE FROM events WHERE organization_id = ${organizationId} AND id IN (
            SELECT e.id ${old(organizationId, before)} ORDER BY e.created_at LIMIT ${most}) RETURNING id`
        )
        return gone.length
      }, Effect.orDie),

      forgetResponses: Effect.fn("ExpiredEvents.forgetResponses")(function* (organizationId, before, most) {
        const gone = yield* asTenant(organizationId)(
          sql`UPDATE webhook_deliveries SET response = NULL WHERE organization_id = ${organizationId} AND id IN (
            SELECT id ${answered(organizationId, before)} LIMIT ${most}) RETURNING id`
        )
        return gone.length
      }, Effect.orDie)
    })
  })
)
