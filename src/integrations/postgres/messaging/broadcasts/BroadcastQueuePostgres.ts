/** The queue of broadcasts in Postgres. Each step is one transaction of the tenant. */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { BroadcastQueue } from "../../../../domain/messaging/broadcasts/BroadcastQueue.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { organizationsToBroadcast } from "./AcrossTenants.ts"
import { claimRecipients, complete, giveUp, pace, postpone, skip } from "./BroadcastWork.ts"

export const layer = Layer.effect(
  BroadcastQueue,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return BroadcastQueue.of({
      busy: Effect.orDie(organizationsToBroadcast(sql)),
      due: traced("Broadcasts.due")(function* (organizationId, now) {
        const rows = yield* asTenant(organizationId)(
          sql<{ id: string }>`SELECT id FROM broadcasts WHERE status = 'scheduled' AND scheduled_at <= ${new Date(now)}`
        )
        return rows.map(({ id }) => id)
      }, Effect.orDie),
      fail: traced("Broadcasts.fail")(function* (organizationId, broadcastId, reason, now) {
        const at = new Date(now)
        yield* asTenant(organizationId)(
          sql`UPDATE broadcasts SET status = 'failed', failure_reason = ${reason}, ended_at = ${at}, updated_at = ${at}
            WHERE id = ${broadcastId} AND status = 'scheduled'`
        )
      }, Effect.orDie),
      pace: traced("Broadcasts.pace")(
        (organizationId, most, perSecond, now) =>
          asTenant(organizationId)(pace(sql, organizationId, most, perSecond, now)),
        Effect.orDie
      ),
      claim: traced("Broadcasts.claim")(
        (organizationId, most, leaseMs, now) =>
          asTenant(organizationId)(claimRecipients(sql, organizationId, most, leaseMs, now)),
        Effect.orDie
      ),
      postpone: traced("Broadcasts.postpone")(function* (recipient, dueAt) {
        yield* asTenant(recipient.organizationId)(postpone(sql, recipient, dueAt))
      }, Effect.orDie),
      skip: traced("Broadcasts.skip")(function* (recipient, reason, now) {
        yield* asTenant(recipient.organizationId)(skip(sql, recipient, reason, now))
      }, Effect.orDie),
      giveUp: traced("Broadcasts.giveUp")(function* (recipient, reason, now) {
        yield* asTenant(recipient.organizationId)(giveUp(sql, recipient, reason, now))
      }, Effect.orDie),
      complete: traced("Broadcasts.complete")(
        (organizationId, now) => asTenant(organizationId)(complete(sql, organizationId, now)),
        Effect.orDie
      )
    })
  })
)
