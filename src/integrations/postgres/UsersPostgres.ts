/** People in Postgres. Passwords are kept as `scrypt$N$r$p$salt$hash` (base64url), salted each on its own. */
import { randomBytes, scrypt } from "node:crypto"
import { Effect, Layer } from "effect"
import { DuplicateUser, Users } from "../../domain/Access.ts"
import { newId } from "../../domain/Ids.ts"
import { makeSql, whenTaken } from "./Sql.ts"

const cost = { N: 32_768, r: 8, p: 1 }

/** The stored form of a password. */
export const hashPassword = (password: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const salt = randomBytes(16)
    // Node's default memory limit is just below what this cost needs.
    scrypt(password.normalize("NFKC"), salt, 32, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, hash) => {
      const parts = ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash?.toString("base64url")]
      resume(error === null ? Effect.succeed(parts.join("$")) : Effect.die(error))
    })
  })

export const layer = Layer.effect(
  Users,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return Users.of({
      create: Effect.fn("Users.create")(function* ({ organizationId, email, name, role, password }) {
        const id = newId("usr")
        const hash = yield* hashPassword(password)
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
      })
    })
  })
)
