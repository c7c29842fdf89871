/** Removes expired messages and expired records of the service's own work in Postgres. Each kind is one condition on one table. */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { ExpiredKinds, type RetentionKind } from "../../../domain/privacy/RetentionKinds.ts"
import { makeSql } from "../tenancy/Sql.ts"

type Stored = Exclude<RetentionKind, "unusedMedia">

/**
 * For each kind: the table, and the SQL condition for an old row, where `$` stands for the cutoff. Each table has an index that begins with
 * organization and age, or few rows. Old rows are deleted; with `forgets` they are updated instead.
 */
const kinds: Readonly<Record<Stored, readonly [table: string, isOld: string, forgets?: string]>> = {
  // A message that is still in the outbox is kept.
  messages: ["messages", "created_at < $ AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.message_id = messages.id)"],
  // The order that a cart became stays. One that the customer is still to hear of does, too.
  carts: ["carts", "created_at < $ AND coalesce(changed_at, created_at) < $ AND due_at IS NULL AND remind_at IS NULL"],
  // Payments are the organization's accounts: only links that brought none go, when nobody asks about them any more.
  paymentLinks: [
    "payment_links",
    "paid_at IS NULL AND ask_at IS NULL AND updated_at < $ AND refunded = 0 AND dispute IS NULL"
  ],
  // A deleted event takes its webhook deliveries with it. An event with a waiting delivery (a late one, or one sent again) is kept.
  events: [
    "events",
    `created_at < $ AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
      WHERE d.organization_id = events.organization_id AND d.event_id = events.id AND d.due_at IS NOT NULL)`
  ],
  webhookDeliveries: ["webhook_deliveries", "created_at < $ AND due_at IS NULL"],
  webhookResponses: ["webhook_deliveries", "response IS NOT NULL AND attempted_at < $", "response = NULL"],
  integrationChanges: ["app_tasks", "created_at < $ AND due_at IS NULL"],
  integrationArrivals: ["app_arrivals", "created_at < $ AND due_at IS NULL"],
  integrationLog: ["app_log", "created_at < $"],
  inboxLetters: ["channel_inbox", "state <> 'waiting' AND settled_at < $"],
  idempotencyKeys: ["idempotency_keys", "expires_at < $"],
  sessions: ["sessions", "last_seen_at < $"],
  devices: ["devices", "expires_at < $"],
  unansweredQuestions: ["knowledge_questions", "created_at < $"]
}

/** A file counts as old from its last upload (`state_since`). The index covers `created_at`, which is never later than that. */
const unused =
  "state = 'stored' AND created_at < $ AND state_since < $ AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.organization_id = media.organization_id AND m.media_id = media.id)"

/** Inserts the cutoff into the condition. No escaping is needed: `toISOString` writes the text. */
const condition = (isOld: string, before: number) => isOld.replaceAll("$", `'${new Date(before).toISOString()}'`)

/** Needs the database. Times are Unix milliseconds. */
export const layer = Layer.effect(
  ExpiredKinds,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const placeOf = (kind: RetentionKind) => (kind === "unusedMedia" ? (["media", unused] as const) : kinds[kind])

    return ExpiredKinds.of({
      count: traced("ExpiredKinds.count")(function* (organizationId, kind, before) {
        const [table, isOld] = placeOf(kind)
        const [{ count }] = yield* asTenant(organizationId)(
          sql<{
            count: number
          }>`SELECT count(*)::int AS count FROM ${sql(table)} WHERE ${sql.literal(condition(isOld, before))}`
        )
        return count
      }, Effect.orDie),

      // Rows that somebody else is using are left for the next day: nobody waits for a removal of many rows while it waits for his.
      remove: traced("ExpiredKinds.remove")(function* (organizationId, kind, before, most) {
        const [table, isOld, forgets] = kinds[kind]
        const taking = forgets === undefined ? `DELETE FROM ${table}` : `UPDATE ${table} SET ${forgets}`
        const [{ gone }] = yield* asTenant(organizationId)(
          sql<{
            gone: number
          }>`WITH old AS (SELECT ctid FROM ${sql(table)} WHERE ${sql.literal(condition(isOld, before))} 
              LIMIT ${most} FOR UPDATE SKIP LOCKED),
            taken AS (${sql.literal(taking)} WHERE ctid = ANY (ARRAY(SELECT ctid FROM old)) RETURNING 1)
            SELECT count(*)::int AS gone FROM taken`
        )
        return gone
      }, Effect.orDie),

      unusedMedia: traced("ExpiredKinds.unusedMedia")(function* (organizationId, before, after, most) {
        const rows = yield* asTenant(organizationId)(
          sql<{ id: string }>`SELECT id FROM media WHERE ${sql.literal(condition(unused, before))} AND id > ${after}
            ORDER BY id LIMIT ${most}`
        )
        return rows.map(({ id }) => id)
      }, Effect.orDie),

      wasRun: traced("ExpiredKinds.wasRun")(function* (organizationId, day) {
        const rows = yield* asTenant(organizationId)(
          sql`SELECT 1 AS found FROM retention_runs WHERE day = ${day}::date AND others <> '{}'`
        )
        return rows.length > 0
      }, Effect.orDie),

      noteRun: traced("ExpiredKinds.noteRun")(function* (organizationId, day, counts) {
        yield* asTenant(organizationId)(
          sql`UPDATE retention_runs SET others = ${sql.json(counts)} WHERE day = ${day}::date`
        )
      }, Effect.orDie)
    })
  })
)
