/**
 * Use case: set up an installation that has no organization yet. Whoever has the token that the server printed makes the first organization and its
 * OWNER. Both are made in one transaction, and only one of several who try at once succeeds.
 */
import { createHmac } from "node:crypto"
import { Effect, Schema } from "effect"
import { newId } from "../../basics/Ids.ts"
import { traced } from "../../basics/Traced.ts"
import { sameSecret } from "../../basics/tokens/SameSecret.ts"
import { Audit } from "../access/Audit.ts"
import { passwordProblem } from "../access/PasswordRules.ts"
import { Users } from "../access/User.ts"
import { type NewOrganization, Organizations } from "./Organization.ts"

/** 401: this is not the token that the server printed. */
export class WrongSetUpToken extends Schema.TaggedError<WrongSetUpToken>()("WrongSetUpToken", {}) {}
/** 409: there is an organization already. */
export class AlreadySetUp extends Schema.TaggedError<AlreadySetUp>()("AlreadySetUp", {}) {}
/** 400: the password is one that is guessed first; `message` is a sentence. */
export class WeakOwnerPassword extends Schema.TaggedError<WeakOwnerPassword>()("WeakOwnerPassword", {
  message: Schema.String
}) {}

/** The token of an installation: all of its processes know it, and nobody can make it without their secret. */
export const setUpToken = (secret: string): string =>
  `set_${createHmac("sha256", secret).update("set-up of the first organization").digest("base64url")}`

/** Whether this is the token. Compares in constant time. */
const isToken = (secret: string, given: string): boolean => sameSecret(setUpToken(secret), given)

export interface FirstOwner {
  readonly organization: Pick<NewOrganization, "name" | "timeZone" | "plan">
  readonly person: { readonly name: string; readonly email: string; readonly password: string }
}

/** Needs Organizations, Users and Audit once; the functions it gives need nothing. `secret`: that of the installation. */
export const makeSetUp = Effect.fnUntraced(function* (secret: string) {
  const organizations = yield* Organizations
  const users = yield* Users
  const audit = yield* Audit

  const isOpen = Effect.map(organizations.idsAfter("", 1), (ids) => ids.length === 0)

  const create = Effect.fnUntraced(function* ({ organization, person }: FirstOwner) {
    if (!(yield* isOpen)) return yield* new AlreadySetUp()
    const organizationId = newId("org")
    const { password, ...owner } = person
    const problem = passwordProblem(password, [owner.email, owner.name, organization.name])
    if (problem !== undefined) return yield* new WeakOwnerPassword({ message: `password is invalid: ${problem}` })
    const passwordHash = yield* users.hash(password, { organizationId, email: owner.email })
    const made = Effect.gen(function* () {
      const first = yield* organizations.createFirst({ ...organization, id: organizationId })
      if (first === undefined) return yield* new AlreadySetUp()
      return yield* Effect.orDie(users.create({ ...owner, organizationId, role: "OWNER", passwordHash }))
    })
    const { plan, name } = organization
    yield* audit.recorded(organizationId, made, () => ({
      action: "organization.created",
      subjectId: organizationId,
      after: { name, plan, owner: owner.email }
    }))
    return organizationId
  })

  /** Makes the first organization and its OWNER; gives the id of the organization. */
  const setUp = traced("SetUp.setUp")(function* (token: string, wanted: FirstOwner) {
    if (!isToken(secret, token)) return yield* new WrongSetUpToken()
    return yield* create(wanted)
  })

  return { isOpen, setUp }
})
