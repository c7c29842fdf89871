/**
 * Users in Postgres. Passwords are stored as `scrypt$N$r$p$salt$hash` (base64url), each with its own salt. A check uses the parameters of the
 * stored hash, so the parameters for new hashes can be raised. The current parameters take 32 MB and about 50 ms per password.
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Effect, Layer, Schema, Semaphore } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  addressKey,
  DuplicateUser,
  LastOwner,
  Person,
  type PersonChanges,
  type User,
  Users
} from "../../../domain/people/access/Access.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { releaseConversations } from "../messaging/conversations/ReleasedConversations.ts"
import { numbered } from "../tenancy/Parts.ts"
import { iso, makeSql, whenTaken, within } from "../tenancy/Sql.ts"
import { lookUpInvitation, lookUpUser, type UserRow } from "./AcrossTenants.ts"

const cost = { N: 32_768, r: 8, p: 1 }
const hashBytes = 32

/** At most two hashes at once: they share Node's thread pool with the file access of calls. */
const turn = Semaphore.makeUnsafe(2)

const derive = (password: string, salt: Buffer, { N, r, p }: typeof cost): Effect.Effect<Buffer> =>
  Effect.callback<Buffer>((resume) => {
    // Node's default memory limit is just below what this cost needs.
    const options = { N, r, p, maxmem: 256 * N * r }
    scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, hash) =>
      resume(error === null ? Effect.succeed(hash) : Effect.die(error))
    )
  }).pipe(turn.withPermits(1))

/** Gives the stored form of a password. */
const hashPassword = (password: string): Effect.Effect<string> => {
  const salt = randomBytes(16)
  return Effect.map(derive(password, salt, cost), (hash) =>
    ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")].join("$")
  )
}

/** Whether `password` matches the stored form `stored`. */
const isPassword = (password: string, stored: string): Effect.Effect<boolean> => {
  const [, N, r, p, salt, hash] = stored.split("$")
  const expected = Buffer.from(hash, "base64url")
  return Effect.map(
    derive(password, Buffer.from(salt, "base64url"), { N: Number(N), r: Number(r), p: Number(p) }),
    (actual) => timingSafeEqual(actual, expected)
  )
}

/** The stored value for a user without a password. No password matches it. */
const noPassword = ""

interface PersonRow {
  readonly passwordHash: string
  readonly deactivatedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const person = (row: PersonRow) =>
  Schema.decodeUnknownEffect(Person)({
    ...row,
    status: row.deactivatedAt !== null ? "deactivated" : row.passwordHash === noPassword ? "invited" : "active",
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  })

const userOf = ({ organizationId, id, email, name, role }: UserRow): User => ({ organizationId, id, email, name, role })

export const layer = Layer.effect(
  Users,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    // The hash that `verify` compares with when no user has the address, so that every answer takes equally long.
    const dummyHash = yield* hashPassword(randomBytes(16).toString("hex"))

    const find = (email: string) =>
      Effect.orDie(lookUpUser(sql, email)).pipe(
        Effect.map((row) =>
          row?.deactivatedAt === null && addressKey(row.email) === addressKey(email) ? row : undefined
        )
      )

    /** Removes the sessions of a user, and the devices, which then receive no more notifications. */
    const endSessions = (userId: string) =>
      Effect.andThen(
        sql`DELETE FROM devices WHERE user_id = ${userId}`,
        sql`DELETE FROM sessions WHERE user_id = ${userId} RETURNING id`
      )

    /** Ends an open invitation. After a change of role, its token could otherwise give the holder a role that the inviter may not grant. */
    const endInvitation = (userId: string) =>
      sql`UPDATE users SET invitation_hash = NULL, invited_until = NULL WHERE id = ${userId}`

    /** Stores a new password. Any new password ends the invitation. */
    const storePassword = (whose: Fragment, hash: string) =>
      sql`UPDATE users SET password_hash = ${hash}, invitation_hash = NULL, invited_until = NULL, updated_at = now()
        WHERE ${whose} RETURNING id`

    /** Fails when no other active OWNER exists. Locks the organization's row, so that two requests at once cannot remove the last two owners. */
    const refuseLastOwner = Effect.fnUntraced(function* (organizationId: string, userId: string) {
      yield* sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`
      const others = yield* sql`SELECT 1 AS found FROM users WHERE role = 'OWNER' AND deactivated_at IS NULL
        AND password_hash <> ${noPassword} AND id <> ${userId} LIMIT 1`
      if (others.length === 0) return yield* new LastOwner({ userId })
    })

    const change = Effect.fnUntraced(function* (organizationId: string, userId: string, changes: PersonChanges) {
      const select = sql<PersonRow & { readonly name: string; readonly role: User["role"] }>`SELECT * FROM users
        WHERE id = ${userId} FOR NO KEY UPDATE`
      const [before] = yield* select
      if (before === undefined) return undefined
      const active = changes.active ?? before.deactivatedAt === null
      const { name, role } = { ...before, ...changes }
      const leaves = before.deactivatedAt === null && !active
      if (before.role === "OWNER" && (leaves || role !== "OWNER")) yield* refuseLastOwner(organizationId, userId)
      yield* sql`UPDATE users SET name = ${name}, role = ${role}, updated_at = now(),
        deactivated_at = CASE WHEN ${active} THEN NULL ELSE coalesce(deactivated_at, now()) END WHERE id = ${userId}`
      if (leaves || role !== before.role) yield* Effect.andThen(endInvitation(userId), endSessions(userId))
      if (leaves) yield* releaseConversations(sql, organizationId, userId)
      const [after] = yield* select
      return yield* person(after)
    })

    return Users.of({
      hash: traced("Users.hash")((password) => Effect.map(hashPassword(password), (stored) => ({ stored }))),

      create: traced("Users.create")(function* ({ organizationId, email, name, role, passwordHash }) {
        const id = newId("usr")
        const hash = passwordHash?.stored ?? noPassword
        yield* asTenant(organizationId)(
          sql`INSERT INTO users (organization_id, id, email, name, role, password_hash)
            VALUES (${organizationId}, ${id}, ${email}, ${name}, ${role}, ${hash})`
        ).pipe(
          Effect.catchTag(
            "SqlError",
            whenTaken("users_email", () => new DuplicateUser({ email }))
          )
        )
        return { id }
      }),

      findByEmail: traced("Users.findByEmail")(function* (email) {
        const row = yield* find(email)
        return row === undefined ? undefined : userOf(row)
      }),

      verify: traced("Users.verify")(function* (email, password) {
        const row = yield* find(email)
        const stored = row === undefined || row.passwordHash === noPassword ? undefined : row.passwordHash
        const matches = yield* isPassword(password, stored ?? dummyHash)
        return row !== undefined && stored !== undefined && matches ? userOf(row) : undefined
      }),

      setPassword: traced("Users.setPassword")(function* (organizationId, userId, { stored }) {
        const change = Effect.andThen(storePassword(sql`id = ${userId}`, stored), endSessions(userId))
        return (yield* asTenant(organizationId)(change)).length
      }, Effect.orDie),

      accept: traced("Users.accept")(function* (organizationId, userId, token, { stored }) {
        const change = Effect.gen(function* () {
          const mine = sql`id = ${userId} AND invitation_hash = ${tokenHash(token)} AND deactivated_at IS NULL`
          const accepted = yield* storePassword(mine, stored)
          if (accepted.length > 0) yield* endSessions(userId)
          return accepted.length > 0
        })
        return yield* asTenant(organizationId)(change)
      }, Effect.orDie),

      list: traced("Users.list")(
        (organizationId, page, limit) =>
          numbered({ sql, asTenant }, organizationId, { from: sql`users`, decode: person }, page, limit),
        Effect.orDie
      ),

      find: traced("Users.find")(function* (organizationId, userId) {
        const [row] = yield* asTenant(organizationId)(sql<PersonRow>`SELECT * FROM users WHERE id = ${userId}`)
        return row === undefined ? undefined : yield* person(row)
      }, Effect.orDie),

      change: traced("Users.change")((organizationId, userId, changes) =>
        within(asTenant(organizationId))(change(organizationId, userId, changes)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      ),

      invite: traced("Users.invite")(function* (organizationId, { id, role }, endsAt) {
        const token = randomBytes(32).toString("base64url")
        const invited = yield* asTenant(organizationId)(
          sql`UPDATE users SET invitation_hash = ${tokenHash(token)}, invited_until = ${new Date(endsAt)}
            WHERE id = ${id} AND role = ${role} AND deactivated_at IS NULL RETURNING id`
        )
        return invited.length === 0 ? undefined : token
      }, Effect.orDie),

      invited: traced("Users.invited")(function* (token, now) {
        const row = yield* lookUpInvitation(sql, tokenHash(token))
        return row === undefined || row.invitedUntil === null || row.invitedUntil.getTime() <= now
          ? undefined
          : userOf(row)
      }, Effect.orDie)
    })
  })
)
