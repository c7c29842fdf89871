/** Users in Postgres. An address is unique within an organization; signing in finds it in all organizations. */
import { randomBytes } from "node:crypto"
import { Effect, Layer, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { roleScopes } from "../../../domain/people/access/Access.ts"
import {
  addressKey,
  type Colleague,
  DuplicateUser,
  LastOwner,
  Person,
  type PersonChanges,
  type User,
  Users
} from "../../../domain/people/access/User.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { releaseConversations } from "../messaging/conversations/ReleasedConversations.ts"
import { numbered } from "../tenancy/Parts.ts"
import { iso, makeSql, whenTaken, within } from "../tenancy/Sql.ts"
import { lookUpInvitation, lookUpUsers, type UserRow } from "./AcrossTenants.ts"
import { decoyHash, hashPassword, matchingHashes } from "./PasswordHashes.ts"

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
    const decoy = decoyHash()

    const findAll = (email: string) =>
      Effect.map(Effect.orDie(lookUpUsers(sql, email)), (rows) =>
        rows.filter((row) => addressKey(row.email) === addressKey(email))
      )
    const find = (email: string) =>
      Effect.map(findAll(email), (rows) => rows.filter(({ deactivatedAt }) => deactivatedAt === null))

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

    /** Ends the keys that a person made, for good. Gives their ids. */
    const endKeys = (userId: string) =>
      Effect.map(
        sql<{ id: string }>`UPDATE api_keys SET revoked_at = now() WHERE maker_id = ${userId} AND revoked_at IS NULL
          RETURNING id`,
        (rows) => rows.map(({ id }) => id)
      )

    /** Takes from the keys that a person made the scopes that their role does not have. Without changes, whoever caches keys is told as well. */
    const narrowKeys = Effect.fnUntraced(function* (userId: string, role: User["role"]) {
      const changed = yield* sql<{ id: string; before: ReadonlyArray<string>; after: ReadonlyArray<string> }>`
        UPDATE api_keys k SET scopes = narrow.after, revoked_at = CASE WHEN narrow.after = '{}' THEN now() END
        FROM (SELECT id, scopes AS before, ARRAY(SELECT s FROM unnest(scopes) WITH ORDINALITY AS u (s, n)
            WHERE s = ANY (${roleScopes[role]}::text[]) ORDER BY n) AS after
          FROM api_keys WHERE maker_id = ${userId} AND revoked_at IS NULL ORDER BY id FOR NO KEY UPDATE) AS narrow
        WHERE k.id = narrow.id AND cardinality(narrow.before) > cardinality(narrow.after)
        RETURNING k.id, narrow.before, narrow.after`
      const isEnded = ({ after }: { readonly after: ReadonlyArray<string> }) => after.length === 0
      return {
        endedKeys: changed.filter(isEnded).map(({ id }) => id),
        narrowedKeys: changed.filter((key) => !isEnded(key))
      }
    })

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
      const noKeys = { endedKeys: [], narrowedKeys: [] }
      const narrowed = role === before.role ? noKeys : yield* narrowKeys(userId, role)
      const keys = leaves ? { ...narrowed, endedKeys: [...narrowed.endedKeys, ...(yield* endKeys(userId))] } : narrowed
      const [after] = yield* select
      return { person: yield* person(after), ...keys }
    })

    return Users.of({
      hash: traced("Users.hash")(function* (password, { organizationId, email }) {
        // Deactivated people count: they may be activated again.
        const others = (yield* findAll(email)).filter((row) => row.organizationId !== organizationId)
        const saltOf = others.find(({ passwordHash }) => passwordHash !== noPassword)?.passwordHash
        return { stored: yield* hashPassword(password, saltOf) }
      }),

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
        return (yield* find(email)).map(userOf)
      }),

      verify: traced("Users.verify")(function* (email, password) {
        const people = (yield* find(email)).filter(({ passwordHash }) => passwordHash !== noPassword)
        const hashes = people.length === 0 ? [decoy] : people.map(({ passwordHash }) => passwordHash)
        const [first] = yield* matchingHashes(password, hashes)
        if (first === undefined || people.length === 0) return undefined
        return { user: userOf(people[first]), passwordMark: tokenHash(people[first].passwordHash) }
      }),

      isPassword: traced("Users.isPassword")(function* (organizationId, userId, password) {
        const rows = yield* asTenant(organizationId)(
          sql<{ passwordHash: string }>`SELECT password_hash FROM users
            WHERE id = ${userId} AND deactivated_at IS NULL AND password_hash <> ${noPassword}`
        ).pipe(Effect.orDie)
        const matching = yield* matchingHashes(
          password,
          rows.map(({ passwordHash }) => passwordHash)
        )
        return matching.length > 0
      }),

      organizationName: traced("Users.organizationName")(function* (organizationId) {
        const [row] = yield* asTenant(organizationId)(sql<{ name: string }>`SELECT name FROM organizations`)
        return row?.name ?? ""
      }, Effect.orDie),

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

      colleagues: traced("Users.colleagues")(
        (organizationId, page, limit) =>
          numbered(
            { sql, asTenant },
            organizationId,
            {
              columns: sql`id, name`,
              from: sql`users WHERE deactivated_at IS NULL`,
              order: sql`lower(name), id`,
              decode: (row: Colleague) => Effect.succeed(row)
            },
            page,
            limit
          ),
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
