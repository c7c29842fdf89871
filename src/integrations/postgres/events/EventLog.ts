/** Writes events to the event log, inside the transaction of the change that they describe. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import type { NewEvent } from "../../../domain/events/EventData.ts"
import { EventWakeUp } from "../../../domain/events/EventWakeUp.ts"
import { CurrentTenant } from "../tenancy/CurrentTenant.ts"

/**
 * The statement that records events in this order, to be used in the WITH clause of the statement that makes the change. Run `tellEvents` after
 * it. `now` is Unix time in milliseconds.
 */
export const eventsRecorded = (
  sql: PgClient.PgClient,
  organizationId: string,
  happened: ReadonlyArray<NewEvent>,
  now: number
) => sql`INSERT INTO events (organization_id, id, type, data, created_at)
  SELECT ${organizationId}, e.id, e.type, e.data, ${new Date(now)}
  FROM jsonb_to_recordset(${sql.json(eventsWithIds(happened, now))}) AS e (id text, type text, data jsonb)`

/** Events with ids, in the form that the database functions take. */
export const eventsWithIds = (happened: ReadonlyArray<NewEvent>, now: number) =>
  happened.map((event) => ({ id: newId("evt", now), ...event }))

/** Records one event. Run it as the tenant, in the transaction of the change. `now` is Unix time in milliseconds. Gives the event's id. */
export const recordEvent = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  event: NewEvent,
  now: number
) {
  const transaction = yield* Effect.serviceOption(CurrentTenant)
  if (Option.isSome(transaction)) transaction.value.tellsEvents = true
  const id = newId("evt", now)
  yield* sql`INSERT INTO events (organization_id, id, type, data, created_at)
    VALUES (${organizationId}, ${id}, ${event.type}, ${sql.json(event.data)}, ${new Date(now)})`
  return id
})

/** Records one event under an id of its own, unless it is there already. Run it as the tenant. */
export const recordOnce = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  id: string,
  event: NewEvent,
  now: number
) {
  const added = yield* sql`INSERT INTO events (organization_id, id, type, data, created_at)
    VALUES (${organizationId}, ${id}, ${event.type}, ${sql.json(event.data)}, ${new Date(now)})
    ON CONFLICT DO NOTHING RETURNING id`
  if (added.length > 0) yield* tellEvents
})

/** Records several events, in this order. */
export const recordEvents = (
  sql: PgClient.PgClient,
  organizationId: string,
  happened: ReadonlyArray<NewEvent>,
  now: number
) => Effect.andThen(eventsRecorded(sql, organizationId, happened, now), tellEvents)

/** Wakes the readers of events after a statement has recorded events. Inside a transaction it wakes them after the commit, otherwise at once. */
export const tellEvents = Effect.gen(function* () {
  const transaction = yield* Effect.serviceOption(CurrentTenant)
  if (Option.isSome(transaction)) transaction.value.tellsEvents = true
  else (yield* EventWakeUp).wake()
})
