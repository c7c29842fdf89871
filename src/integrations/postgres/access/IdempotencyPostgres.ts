/** Idempotency keys in Postgres. A stored response may hold a secret (a new API key), so responses are encrypted with the key ring. */
import { Clock, Effect, Layer, Schema } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  type Claim,
  IdempotencyKeys,
  type IdempotencyState,
  idempotencyLeaseMs,
  idempotencyLifetimeMs
} from "../../../domain/people/access/Idempotency.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { makeSql } from "../tenancy/Sql.ts"

const owner = (organizationId: string) => ({ organizationId, field: "idempotency_keys.answer" })

const Answer = Schema.fromJsonString(
  Schema.Struct({
    status: Schema.Int,
    contentType: Schema.NullOr(Schema.String),
    headers: Schema.Record(Schema.String, Schema.String),
    body: Schema.String
  })
)
const decodeAnswer = Schema.decodeEffect(Answer)
const encodeAnswer = Schema.encodeEffect(Answer)

interface Row {
  readonly bodyHash: string
  readonly answer: string | null
}

export const layer = Layer.effect(
  IdempotencyKeys,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    const end = ({ organizationId, id, attempt }: Claim, statement: "DELETE" | "UPDATE", now: number) => {
      const mine = sql`id = ${id} AND attempt = ${attempt} AND answer IS NULL`
      return Effect.orDie(
        asTenant(organizationId)(
          statement === "DELETE"
            ? sql`DELETE FROM idempotency_keys WHERE ${mine}`
            : sql`UPDATE idempotency_keys SET leased_until = ${new Date(now)} WHERE ${mine}`
        )
      )
    }

    return IdempotencyKeys.of({
      claim: traced("IdempotencyKeys.claim")(function* (request) {
        const { organizationId, caller, method, path, key, bodyHash } = request
        const now = yield* Clock.currentTimeMillis
        const [at, leasedUntil] = [new Date(now), new Date(now + idempotencyLeaseMs)]
        // One statement takes the lease. It succeeds when the key is new, when it has expired, or when the lease for the same body has run out.
        const take = sql<{ id: string; attempt: number }>`INSERT INTO idempotency_keys AS known
            (organization_id, caller, method, path, key, id, body_hash, leased_until, expires_at)
          VALUES (${organizationId}, ${caller}, ${method}, ${path}, ${key}, ${newId("idk", now)}, ${bodyHash}, ${leasedUntil},
            ${new Date(now + idempotencyLifetimeMs)})
          ON CONFLICT (organization_id, caller, method, path, key) DO UPDATE SET
            id = CASE WHEN known.expires_at <= ${at} THEN excluded.id ELSE known.id END,
            expires_at = CASE WHEN known.expires_at <= ${at} THEN excluded.expires_at ELSE known.expires_at END,
            body_hash = excluded.body_hash, leased_until = excluded.leased_until, answer = NULL, attempt = known.attempt + 1
          WHERE known.expires_at <= ${at}
            OR (known.answer IS NULL AND known.leased_until <= ${at} AND known.body_hash = excluded.body_hash)
          RETURNING id, attempt`
        const look = sql<Row>`SELECT body_hash, answer FROM idempotency_keys
          WHERE caller = ${caller} AND method = ${method} AND path = ${path} AND key = ${key}`
        const { taken, known } = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const taken = (yield* take).at(0)
            return { taken, known: taken === undefined ? (yield* look).at(0) : undefined }
          })
        )
        if (taken !== undefined) return { _tag: "Mine", claim: { organizationId, ...taken } } satisfies IdempotencyState
        if (known !== undefined && known.bodyHash !== bodyHash) return { _tag: "OtherBody" } satisfies IdempotencyState
        // The key was removed between the two statements, or has no response yet: the client has to ask again.
        if (known === undefined || known.answer === null) return { _tag: "UnderWay" } satisfies IdempotencyState
        const answer = yield* Effect.flatMap(ring.decrypt(owner(organizationId), known.answer), decodeAnswer)
        return { _tag: "Answered", answer } satisfies IdempotencyState
      }, Effect.orDie),

      answered: traced("IdempotencyKeys.answered")(function* ({ organizationId, id, attempt }, answer) {
        const sealed = yield* ring.encrypt(owner(organizationId), yield* encodeAnswer(answer))
        yield* asTenant(organizationId)(
          sql`UPDATE idempotency_keys SET answer = ${sealed} WHERE id = ${id} AND attempt = ${attempt}`
        )
      }, Effect.orDie),

      refused: traced("IdempotencyKeys.refused")((claim) => end(claim, "DELETE", 0)),

      abandoned: traced("IdempotencyKeys.abandoned")((claim) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => end(claim, "UPDATE", now))
      )
    })
  })
)
