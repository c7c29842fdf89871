/** Writing what happened, inside the transaction of the change. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { EventBell } from "../../domain/EventBell.ts"
import type { NewEvent } from "../../domain/EventData.ts"
import { newId } from "../../domain/Ids.ts"
import { CurrentTenant } from "./Tenant.ts"

/** What records an event, as part of the WITH of the change; then `tellEvents`. */
export const eventRecorded = (
  sql: PgClient.PgClient,
  organizationId: string,
  { type, data }: NewEvent,
  now: number,
  id = newId("evt", now)
) => sql`INSERT INTO events (organization_id, id, type, data, created_at)
  VALUES (${organizationId}, ${id}, ${type}, ${sql.json(data)}, ${new Date(now)})`

/** To be run as the tenant, in the transaction of the change; `now` is Unix time in milliseconds. Gives the event's id. */
export const recordEvent = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  event: NewEvent,
  now: number
) {
  const transaction = yield* Effect.serviceOption(CurrentTenant)
  if (Option.isSome(transaction)) transaction.value.tellsEvents = true
  const id = newId("evt", now)
  yield* eventRecorded(sql, organizationId, event, now, id)
  return id
})

/** A statement has recorded events by itself: readers look when its transaction is committed, its own or the one around it. */
export const tellEvents = Effect.gen(function* () {
  const transaction = yield* Effect.serviceOption(CurrentTenant)
  if (Option.isSome(transaction)) transaction.value.tellsEvents = true
  else (yield* EventBell).ring()
})
