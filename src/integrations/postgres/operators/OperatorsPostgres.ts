/** Operators and their sessions in Postgres. They belong to no organization. A session is found by the SHA-256 of its cookie. */
import { randomBytes } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { DuplicateOperator, type Operator, Operators } from "../../../domain/operators/Operator.ts"
import {
  OperatorSessions,
  operatorSessionIdleMs,
  operatorSessionLifetimeMs
} from "../../../domain/operators/OperatorSession.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { decoyHash, hashPassword, matchingHashes } from "../access/PasswordHashes.ts"
import { iso, makeSql, whenTaken } from "../tenancy/Sql.ts"

/** `last_seen_at` is written at most once in this time. */
const useResolutionMs = 60_000

interface OperatorRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly createdAt: Date
}

interface OperatorSessionRow extends OperatorRow {
  readonly sessionId: string
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

const operatorOf = ({ id, email, name, createdAt }: OperatorRow): Operator => ({
  ...{ id, email, name },
  createdAt: iso(createdAt)
})

export const layer = Layer.effect(
  Operators,
  Effect.gen(function* () {
    const { sql } = yield* makeSql
    const decoy = decoyHash()

    const found = (email: string) =>
      Effect.map(
        Effect.orDie(
          sql<OperatorRow>`SELECT * FROM operators WHERE lower(email) = lower(${email}) AND removed_at IS NULL`
        ),
        ([row]): OperatorRow | undefined => row
      )
    const endSessions = (id: string) => sql`DELETE FROM operator_sessions WHERE operator_id = ${id} RETURNING id`

    return Operators.of({
      hash: (password) => hashPassword(password),

      create: traced("Operators.create")(function* ({ email, name, passwordHash }) {
        const now = yield* Clock.currentTimeMillis
        const [row] = yield* sql<OperatorRow>`INSERT INTO operators (id, email, name, password_hash, created_at)
          VALUES (${newId("opr", now)}, ${email}, ${name}, ${passwordHash}, ${new Date(now)}) RETURNING *`.pipe(
          Effect.catchTag(
            "SqlError",
            whenTaken("operators_email", () => new DuplicateOperator({ email }))
          )
        )
        return operatorOf(row)
      }),

      verify: traced("Operators.verify")(function* (email, password) {
        const row = yield* found(email)
        const [matching] = yield* matchingHashes(password, [row?.passwordHash ?? decoy])
        if (matching === undefined || row === undefined) return undefined
        return { operator: operatorOf(row), passwordMark: tokenHash(row.passwordHash) }
      }),

      findByEmail: traced("Operators.findByEmail")(function* (email) {
        const row = yield* found(email)
        return row === undefined ? undefined : operatorOf(row)
      }),

      list: sql<OperatorRow>`SELECT * FROM operators WHERE removed_at IS NULL ORDER BY lower(name), id`.pipe(
        Effect.map((rows) => rows.map(operatorOf)),
        Effect.orDie
      ),

      setPassword: traced("Operators.setPassword")(function* (id, passwordHash) {
        const change = sql`UPDATE operators SET password_hash = ${passwordHash} WHERE id = ${id}`
        return (yield* sql.withTransaction(Effect.andThen(change, endSessions(id)))).length
      }, Effect.orDie),

      remove: traced("Operators.remove")(function* (id) {
        const change = sql`UPDATE operators SET removed_at = ${new Date(yield* Clock.currentTimeMillis)} WHERE id = ${id}`
        yield* sql.withTransaction(Effect.andThen(change, endSessions(id)))
      }, Effect.orDie)
    })
  })
)

export const sessionsLayer = Layer.effect(
  OperatorSessions,
  Effect.gen(function* () {
    const { sql } = yield* makeSql
    return OperatorSessions.of({
      start: traced("OperatorSessions.start")(function* ({ operator, passwordMark }, { ip, userAgent }) {
        const now = yield* Clock.currentTimeMillis
        const id = newId("ops", now)
        const cookie = randomBytes(32).toString("base64url")
        const [at, expiresAt] = [new Date(now), new Date(now + operatorSessionLifetimeMs)]
        yield* sql`DELETE FROM operator_sessions WHERE expires_at <= ${at}
          OR last_seen_at <= ${new Date(now - operatorSessionIdleMs)}`
        // The lock makes a change of the password wait, which then ends this session too; or this waits, and finds another password.
        const started = yield* sql`WITH one AS MATERIALIZED (SELECT id FROM operators WHERE id = ${operator.id}
            AND removed_at IS NULL AND encode(sha256(password_hash::bytea), 'hex') = ${passwordMark} FOR SHARE)
          INSERT INTO operator_sessions (id, operator_id, token_hash, created_at, last_seen_at, expires_at, ip, user_agent)
          SELECT ${id}, one.id, ${tokenHash(cookie)}, ${at}::timestamptz, ${at}::timestamptz, ${expiresAt}::timestamptz,
            ${ip}::text, ${userAgent}::text FROM one RETURNING id`
        if (started.length === 0) return undefined
        return { session: { id, operator, expiresAt: iso(expiresAt) }, cookie }
      }, Effect.orDie),

      authenticate: traced("OperatorSessions.authenticate")(function* (cookie) {
        const [row] = yield* sql<OperatorSessionRow>`SELECT o.*, s.id AS session_id, s.last_seen_at, s.expires_at
          FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
          WHERE s.token_hash = ${tokenHash(cookie)} AND o.removed_at IS NULL`
        if (row === undefined) return undefined
        const now = yield* Clock.currentTimeMillis
        const idle = now - row.lastSeenAt.getTime()
        if (row.expiresAt.getTime() <= now || idle >= operatorSessionIdleMs) return undefined
        if (idle >= useResolutionMs)
          yield* sql`UPDATE operator_sessions SET last_seen_at = ${new Date(now)} WHERE id = ${row.sessionId}`
        return { id: row.sessionId, operator: operatorOf(row), expiresAt: iso(row.expiresAt) }
      }, Effect.orDie),

      end: traced("OperatorSessions.end")(
        (id) => Effect.asVoid(sql`DELETE FROM operator_sessions WHERE id = ${id}`),
        Effect.orDie
      )
    })
  })
)
