/** Runs that bring agents up to date, in Postgres. A run is claimed for a while; whoever has it notes each agent in one statement. */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  type ClaimedResync,
  mostResyncFailures,
  Resync,
  ResyncDetail,
  Resyncs,
  ResyncUnderWay
} from "../../../domain/operators/Resync.ts"
import { iso, isoOrNull, makeSql, whenTaken } from "../tenancy/Sql.ts"

interface ResyncRow {
  readonly id: string
  readonly organization: string | null
  readonly total: number | null
  readonly lastOrganization: string | null
  readonly lastAgent: string | null
  readonly claim: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | null
}

const plain = ({ organization, createdAt, updatedAt, endedAt, ...row }: ResyncRow) => ({
  ...row,
  organizationId: organization,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  endedAt: isoOrNull(endedAt)
})

const decodeSummary = Schema.decodeUnknownEffect(Resync)
const decodeDetail = Schema.decodeUnknownEffect(ResyncDetail)

const claimedOf = (
  { id, organization, total, lastOrganization, lastAgent }: ResyncRow,
  claim: string
): ClaimedResync => ({
  ...{ id, claim },
  organizationId: organization ?? undefined,
  total: total ?? undefined,
  after:
    lastOrganization === null || lastAgent === null
      ? undefined
      : { organizationId: lastOrganization, agentId: lastAgent }
})

export const layer = Layer.effect(
  Resyncs,
  Effect.gen(function* () {
    const { sql } = yield* makeSql
    const mine = ({ id, claim }: ClaimedResync) => sql`id = ${id} AND claim = ${claim} AND status = 'running'`

    return Resyncs.of({
      start: traced("Resyncs.start")(function* ({ organizationId, reason }, now) {
        const at = new Date(now)
        const [row] =
          yield* sql<ResyncRow>`INSERT INTO resyncs (id, organization, status, reason, created_at, updated_at)
          VALUES (${newId("rsy", now)}, ${organizationId}, 'running', ${reason}, ${at}, ${at}) RETURNING *`.pipe(
            Effect.catchTag(
              "SqlError",
              whenTaken("resyncs_one", () => new ResyncUnderWay())
            )
          )
        return yield* Effect.orDie(decodeSummary(plain(row)))
      }),

      find: traced("Resyncs.find")(function* (id) {
        const [row] = yield* sql<ResyncRow>`SELECT * FROM resyncs WHERE id = ${id}`
        return row === undefined ? undefined : yield* decodeDetail(plain(row))
      }, Effect.orDie),

      list: traced("Resyncs.list")(function* (page, limit) {
        const rows = yield* sql<ResyncRow>`SELECT * FROM resyncs ORDER BY created_at DESC, id DESC
          LIMIT ${limit} OFFSET ${(page - 1) * limit}`
        const [{ total }] = yield* sql<{ total: number }>`SELECT count(*)::int AS total FROM resyncs`
        return { data: yield* Effect.forEach(rows, (row) => decodeSummary(plain(row))), total }
      }, Effect.orDie),

      move: traced("Resyncs.move")(function* (id, from, to, now) {
        const at = new Date(now)
        const isOver = to === "cancelled" || to === "completed"
        const moved =
          yield* sql`UPDATE resyncs SET status = ${to}, claim = NULL, claimed_until = NULL, updated_at = ${at},
            ended_at = ${isOver ? at : null}
          WHERE id = ${id} AND status = ANY (${from}::text[]) RETURNING id`
        return moved.length > 0
      }, Effect.orDie),

      claim: traced("Resyncs.claim")(function* (now, until) {
        const claim = randomUUID()
        const [row] = yield* sql<ResyncRow>`UPDATE resyncs SET claim = ${claim}, claimed_until = ${new Date(until)}
          WHERE status = 'running' AND (claimed_until IS NULL OR claimed_until <= ${new Date(now)}) RETURNING *`
        return row === undefined ? undefined : claimedOf(row, claim)
      }, Effect.orDie),

      counted: traced("Resyncs.counted")(function* (claimed, total) {
        yield* sql`UPDATE resyncs SET total = ${total} WHERE ${mine(claimed)}`
      }, Effect.orDie),

      progress: traced("Resyncs.progress")(function* (
        claimed,
        { organizationId, agentId, outcome, reason },
        now,
        until
      ) {
        const failure = outcome === "failed" ? [{ organizationId, agentId, reason: reason ?? "" }] : []
        const noted = yield* sql`UPDATE resyncs SET
            updated = updated + ${outcome === "updated" ? 1 : 0}, unchanged = unchanged + ${outcome === "unchanged" ? 1 : 0},
            failed = failed + ${failure.length}, last_organization = ${organizationId}, last_agent = ${agentId},
            failures = CASE WHEN jsonb_array_length(failures) < ${mostResyncFailures}
              THEN failures || ${sql.json(failure)}::jsonb ELSE failures END,
            claimed_until = ${new Date(until)}, updated_at = ${new Date(now)}
          WHERE ${mine(claimed)} RETURNING id`
        return noted.length > 0
      }, Effect.orDie),

      release: traced("Resyncs.release")(function* (claimed) {
        yield* sql`UPDATE resyncs SET claim = NULL, claimed_until = NULL WHERE ${mine(claimed)}`
      }, Effect.orDie)
    })
  })
)
