/**
 * Transfers in Postgres. An advisory lock makes changes for one human happen one after the other; a unique index enforces the result. Tickets are
 * drawn under the lock, so their order is the order of the queue.
 */
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { type HumanLine, Transfer, Transfers } from "../../../../domain/voice/calls/records/Transfer.ts"
import { holdName, iso, makeSql } from "../../tenancy/Sql.ts"

interface TransferRow {
  readonly id: string
  readonly callId: string
  readonly destination: string | null
  readonly outcome: string
  readonly requestedAt: Date
}

/** The provider reports the end of a call and the end of its transfer separately. The second report may come this many milliseconds later. */
const lateWordMs = 10_000

const transfer = (row: TransferRow) =>
  Schema.decodeUnknownEffect(Transfer)({ ...row, requestedAt: iso(row.requestedAt) })

const transferOf = (rows: ReadonlyArray<TransferRow>) =>
  rows.length === 0 ? Effect.succeed(undefined) : transfer(rows[0])

export const layer = Layer.effect(
  Transfers,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    /** Locks decisions about this human until the transaction ends. */
    const lock = (organizationId: string, destination: string) => holdName(sql, `${organizationId} ${destination}`)

    const open = sql`outcome IN ('dialing', 'queued')`

    /**
     * An SQL condition for transfers without a report of their end that will not get one: the human's busy time is over, or the provider has reported
     * the end of the call.
     */
    const lost = (now: Date) => sql`((outcome = 'dialing' AND busy_until <= ${now}) OR EXISTS (SELECT 1 FROM calls c
      WHERE c.organization_id = transfers.organization_id AND c.id = call_id
        AND c.provider_status NOT IN ('queued', 'ringing', 'in_progress') AND c.ended_at <= ${new Date(now.getTime() - lateWordMs)}))`

    /** Whether the human is busy. Ends lost transfers first. */
    const isBusy = Effect.fnUntraced(function* (destination: string, now: Date) {
      yield* sql`UPDATE transfers SET over_at = ${now},
          outcome = CASE WHEN outcome = 'dialing' AND (arrived OR plan = 'transfer') THEN 'failed' ELSE 'abandoned' END
        WHERE destination = ${destination} AND ${open} AND ${lost(now)}`
      return (yield* sql`SELECT 1 FROM transfers WHERE destination = ${destination} AND outcome = 'dialing'`).length > 0
    })

    const waitingBefore = Effect.fnUntraced(function* (destination: string, ticket?: string) {
      const upTo = ticket === undefined ? sql`TRUE` : sql`ticket <= ${ticket}::bigint`
      const [{ count }] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM transfers
        WHERE destination = ${destination} AND outcome = 'queued' AND ${upTo}`
      return count
    })

    return Transfers.of({
      request: traced("Transfers.request")(function* (input, now, { talkMs }) {
        const { organizationId, callId, toolCallId, destination } = input
        const [at, busyUntil] = [new Date(now), new Date(now + talkMs)]
        const insert = (plan: string, outcome: string, position: number, until: Date | null) =>
          sql<TransferRow>`INSERT INTO transfers (organization_id, id, call_id, tool_call_id, destination, plan, position, outcome,
              requested_at, busy_until, over_at)
            VALUES (${organizationId}, ${newId("trf", now)}, ${callId}, ${toolCallId}, ${destination}, ${plan}, ${position}, ${outcome},
              ${at}, ${until}, ${plan === "nobody" ? at : null}) RETURNING *`
        const rows = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            // The call's lock comes first: the agent may have asked for two humans at once.
            yield* holdName(sql, `${organizationId} ${callId}`)
            if (destination !== null) yield* lock(organizationId, destination)
            const known = yield* sql<TransferRow>`SELECT * FROM transfers WHERE call_id = ${callId}
              AND (tool_call_id = ${toolCallId} OR ${open}) ORDER BY tool_call_id = ${toolCallId} DESC LIMIT 1`
            if (known.length > 0) return known
            if (destination === null) return yield* insert("nobody", "nobody", 0, null)
            const busy = yield* isBusy(destination, at)
            const waiting = yield* waitingBefore(destination)
            return busy || waiting > 0
              ? yield* insert("queue", "queued", waiting + 1, null)
              : yield* insert("transfer", "dialing", 0, busyUntil)
          })
        )
        return yield* transfer(rows[0])
      }, Effect.orDie),

      next: traced("Transfers.next")(function* (organizationId, destination, now, { arrivalMs, talkMs }) {
        const rows = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* lock(organizationId, destination)
            if (yield* isBusy(destination, new Date(now))) return []
            return yield* sql<TransferRow>`UPDATE transfers SET outcome = 'dialing', busy_until =
                CASE WHEN arrived THEN ${new Date(now + talkMs)}::timestamptz ELSE ${new Date(now + arrivalMs)}::timestamptz END
              WHERE ticket = (SELECT min(ticket) FROM transfers WHERE destination = ${destination} AND outcome = 'queued')
              RETURNING *`
          })
        )
        return yield* transferOf(rows)
      }, Effect.orDie),

      arrive: traced("Transfers.arrive")(function* (organizationId, id, now, { talkMs }) {
        const found = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [row] = yield* sql<TransferRow & { ticket: string }>`UPDATE transfers SET arrived = true,
                busy_until = CASE WHEN outcome = 'dialing' AND NOT arrived THEN ${new Date(now + talkMs)}::timestamptz ELSE busy_until END
              WHERE id = ${id} RETURNING *`
            if (row === undefined) return undefined
            const queued = row.outcome === "queued" && row.destination !== null
            return { row, place: queued ? yield* waitingBefore(row.destination, row.ticket) : 0 }
          })
        )
        return found === undefined ? undefined : { transfer: yield* transfer(found.row), place: found.place }
      }, Effect.orDie),

      end: traced("Transfers.end")(function* (organizationId, id, outcome, now) {
        const ended = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [row] = yield* sql<TransferRow>`SELECT * FROM transfers WHERE id = ${id}`
            if (row?.destination == null) return []
            yield* lock(organizationId, row.destination)
            return yield* sql`UPDATE transfers SET outcome = ${outcome}, over_at = ${new Date(now)}
              WHERE id = ${id} AND ${open} RETURNING id`
          })
        )
        return ended.length > 0
      }, Effect.orDie),

      handedOver: traced("Transfers.handedOver")(function* (organizationId, callId) {
        yield* asTenant(organizationId)(
          sql`UPDATE transfers SET handed_over = true
            WHERE ticket = (SELECT max(ticket) FROM transfers WHERE call_id = ${callId})`
        )
      }, Effect.orDie),

      find: traced("Transfers.find")(function* (organizationId, id) {
        return yield* transferOf(
          yield* asTenant(organizationId)(sql<TransferRow>`SELECT * FROM transfers WHERE id = ${id}`)
        )
      }, Effect.orDie),

      ofToolCall: traced("Transfers.ofToolCall")(function* (organizationId, callId, toolCallId) {
        return yield* transferOf(
          yield* asTenant(organizationId)(
            sql<TransferRow>`SELECT * FROM transfers WHERE call_id = ${callId}
              ORDER BY tool_call_id = ${toolCallId} DESC, ticket DESC LIMIT 1`
          )
        )
      }, Effect.orDie),

      latestOf: traced("Transfers.latestOf")(function* (organizationId, callId) {
        return yield* transferOf(
          yield* asTenant(organizationId)(
            sql<TransferRow>`SELECT * FROM transfers WHERE call_id = ${callId} ORDER BY ticket DESC LIMIT 1`
          )
        )
      }, Effect.orDie),

      lines: traced("Transfers.lines")(function* (organizationId, now) {
        const rows = yield* asTenant(organizationId)(
          sql<TransferRow & { destination: string }>`SELECT * FROM transfers
            WHERE ${open} AND NOT ${lost(new Date(now))} ORDER BY destination, ticket`
        )
        return [...new Set(rows.map((row) => row.destination))].map((destination): HumanLine => {
          const of = rows.filter((row) => row.destination === destination)
          const dialing = of.find((row) => row.outcome === "dialing")
          const waiting = of.filter((row) => row.outcome === "queued")
          return {
            destination,
            dialing: dialing === undefined ? null : { callId: dialing.callId, since: iso(dialing.requestedAt) },
            waiting: waiting.map(({ callId, requestedAt }, index) => ({
              callId,
              position: index + 1,
              since: iso(requestedAt)
            }))
          }
        })
      }, Effect.orDie)
    })
  })
)
