/** User sessions in Postgres. A session is found by the SHA-256 of its cookie. */
import { randomBytes } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { roleScopes } from "../../../domain/people/access/Access.ts"
import type { User } from "../../../domain/people/access/User.ts"
import {
  sessionIdleMs,
  sessionLifetimeMs,
  type UserSession,
  UserSessions
} from "../../../domain/people/access/UserSession.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"
import { lookUpSession } from "./AcrossTenants.ts"

/** `last_seen_at` is written at most once in this time. */
const useResolutionMs = 60_000

interface SessionRow {
  readonly id: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  readonly ip: string | null
  readonly userAgent: string | null
}

const sessionOf = (user: User, sessionId: string, expiresAt: Date): UserSession => ({
  user,
  principal: {
    organizationId: user.organizationId,
    userId: user.id,
    sessionId,
    role: user.role,
    scopes: roleScopes[user.role]
  },
  expiresAt: iso(expiresAt)
})

export const layer = Layer.effect(
  UserSessions,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const nowMs = Clock.currentTimeMillis

    return UserSessions.of({
      start: traced("UserSessions.start")(function* ({ user, passwordMark }, device) {
        const now = yield* nowMs
        const id = newId("ses", now)
        const cookie = randomBytes(32).toString("base64url")
        const [at, expiresAt] = [new Date(now), new Date(now + sessionLifetimeMs)]
        // The lock makes a change of the password wait, which then ends this session too; or this waits, and finds another password.
        const started = yield* asTenant(user.organizationId)(
          sql`WITH person AS MATERIALIZED (SELECT id FROM users WHERE id = ${user.id} AND deactivated_at IS NULL
              AND encode(sha256(password_hash::bytea), 'hex') = ${passwordMark} FOR SHARE)
            INSERT INTO sessions (organization_id, id, user_id, token_hash, created_at, last_seen_at, expires_at, ip, user_agent)
            SELECT ${user.organizationId}, ${id}, person.id, ${tokenHash(cookie)}, ${at}::timestamptz, ${at}::timestamptz,
              ${expiresAt}::timestamptz, ${device?.ip ?? null}::text, ${device?.userAgent ?? null}::text FROM person RETURNING id`
        )
        if (started.length === 0) return undefined
        return { session: sessionOf(user, id, expiresAt), cookie }
      }, Effect.orDie),

      authenticate: traced("UserSessions.authenticate")(function* (cookie) {
        const row = yield* lookUpSession(sql, tokenHash(cookie))
        if (row === undefined) return undefined
        const now = yield* nowMs
        const idle = now - row.lastSeenAt.getTime()
        if (row.expiresAt.getTime() <= now || idle >= sessionIdleMs) return undefined
        if (idle >= useResolutionMs)
          yield* asTenant(row.organizationId)(
            sql`UPDATE sessions SET last_seen_at = ${new Date(now)} WHERE id = ${row.id}`
          )
        const { organizationId, userId: id, email, name, role } = row
        return sessionOf({ organizationId, id, email, name, role }, row.id, row.expiresAt)
      }, Effect.orDie),

      isGood: traced("UserSessions.isGood")(function* (organizationId, sessionId) {
        const now = yield* nowMs
        const rows = yield* asTenant(organizationId)(
          sql`SELECT 1 FROM sessions WHERE id = ${sessionId} AND expires_at > ${new Date(now)}
            AND last_seen_at > ${new Date(now - sessionIdleMs)}`
        )
        return rows.length > 0
      }, Effect.orDie),

      list: traced("UserSessions.list")(function* (organizationId, userId) {
        const now = yield* nowMs
        const rows = yield* asTenant(organizationId)(
          sql<SessionRow>`SELECT id, created_at, last_seen_at, expires_at, ip, user_agent FROM sessions
            WHERE user_id = ${userId} AND expires_at > ${new Date(now)} AND last_seen_at > ${new Date(now - sessionIdleMs)}
            ORDER BY last_seen_at DESC, id DESC LIMIT 100`
        )
        return rows.map((row) => ({
          ...row,
          createdAt: iso(row.createdAt),
          lastSeenAt: iso(row.lastSeenAt),
          expiresAt: iso(row.expiresAt)
        }))
      }, Effect.orDie),

      end: traced("UserSessions.end")(function* (organizationId, sessionId) {
        // A device that was signed out receives no more notifications.
        yield* asTenant(organizationId)(
          Effect.andThen(
            sql`DELETE FROM devices WHERE session_id = ${sessionId}`,
            sql`DELETE FROM sessions WHERE id = ${sessionId}`
          )
        )
      }, Effect.orDie)
    })
  })
)
