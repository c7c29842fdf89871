/** People and API keys. */
import { DateTime, Effect, Option, Redacted } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { ApiKeys, defaultScopes, Role, Scope, shortestPassword, Users } from "../../domain/Access.ts"
import { Audit } from "../../domain/Audit.ts"
import { makeManageApiKeys } from "../../domain/ManageApiKeys.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

/** A refusal when nobody should have this password. */
const acceptable = Effect.fnUntraced(function* (password: Redacted.Redacted) {
  const secret = Redacted.value(password)
  if (secret.length < shortestPassword)
    return yield* new AdminError({ message: `The password needs at least ${shortestPassword} characters.` })
  return secret
})

export const createUser = Command.make(
  "create-user",
  {
    organization,
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address the person signs in with")),
    name: Flag.String("name").pipe(Flag.withDescription("Name of the person")),
    role: Flag.Literals("role", Role.literals).pipe(Flag.withDefault("OWNER")),
    password: Flag.Redacted("password").pipe(
      Flag.withDescription("Asked for when absent"),
      Flag.withFallbackPrompt(Prompt.Password({ message: "Password" }))
    ),
    json
  },
  Effect.fnUntraced(function* ({ organization, email, name, role, password, json }) {
    if (!/^[^\s@]+@[^\s@]+$/.test(email))
      return yield* new AdminError({ message: `${email} is not an e-mail address.` })
    const secret = yield* acceptable(password)
    const { id: organizationId } = yield* existing(organization)
    const users = yield* Users
    const audit = yield* Audit
    const passwordHash = yield* users.hash(secret)
    const { id } = yield* audit
      .recorded(organizationId, users.create({ organizationId, email, name, role, passwordHash }), ({ id }) => ({
        action: "user.created",
        subjectId: id,
        after: { email, name, role }
      }))
      .pipe(
        Effect.catchTag("DuplicateUser", () => new AdminError({ message: `Somebody already signs in with ${email}.` }))
      )
    yield* answer(json, { id, organizationId, email, role })
  })
).pipe(Command.withDescription("Create a person who can sign in"))

export const setPassword = Command.make(
  "set-password",
  {
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address the person signs in with")),
    password: Flag.Redacted("password").pipe(
      Flag.withDescription("Asked for when absent"),
      Flag.withFallbackPrompt(Prompt.Password({ message: "Password" }))
    ),
    json
  },
  Effect.fnUntraced(function* ({ email, password, json }) {
    const secret = yield* acceptable(password)
    const users = yield* Users
    const audit = yield* Audit
    const user = yield* users.findByEmail(email)
    if (user === undefined) return yield* new AdminError({ message: `Nobody signs in with ${email}.` })
    const { organizationId, id } = user
    const hash = yield* users.hash(secret)
    const sessionsEnded = yield* audit.recorded(organizationId, users.setPassword(organizationId, id, hash), () => ({
      action: "user.password_changed",
      subjectId: id
    }))
    yield* answer(json, { id, organizationId, email: user.email, sessionsEnded })
  })
).pipe(Command.withDescription("Give a person a new password; ends their sessions"))

export const revokeApiKey = Command.make(
  "revoke-api-key",
  { organization, key: Flag.String("key").pipe(Flag.withDescription("Id of the key (key_…)")), json },
  Effect.fnUntraced(function* ({ organization, key, json }) {
    const { id: organizationId } = yield* existing(organization)
    const { revoke } = yield* makeManageApiKeys
    yield* revoke(organizationId, key).pipe(
      Effect.mapError(() => new AdminError({ message: `The organization has no API key ${key}.` }))
    )
    yield* answer(json, { id: key, revoked: true })
  })
).pipe(Command.withDescription("Revoke an API key, at once and for good"))

export const createApiKey = Command.make(
  "create-api-key",
  {
    organization,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for")),
    scopes: Flag.Literals("scope", Scope.literals).pipe(
      Flag.withDescription("What the key may do; repeat for several (default: everything but admin)"),
      Flag.atLeast(0)
    ),
    expires: Flag.Date("expires").pipe(Flag.withDescription("When it stops working, e.g. 2027-01-31"), Flag.optional),
    json
  },
  Effect.fnUntraced(function* ({ organization, name, scopes, expires, json }) {
    const { id: organizationId } = yield* existing(organization)
    const expiresAt = Option.getOrUndefined(expires)
    if (expiresAt !== undefined && expiresAt.getTime() <= (yield* DateTime.now).epochMilliseconds)
      return yield* new AdminError({ message: "--expires must lie in the future." })
    const keys = yield* ApiKeys
    const granted = scopes.length === 0 ? defaultScopes : scopes
    const audit = yield* Audit
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    const key = yield* audit.recorded(
      organizationId,
      keys.create({ organizationId, name, scopes: granted, ...expiry }),
      ({ id }) => ({ action: "api_key.created", subjectId: id, after: { name, scopes: granted, ...expiry } })
    )
    // The only time the key is shown.
    yield* answer(json, { id: key.id, key: key.secret, scopes: granted, expiresAt: expiresAt?.toISOString() ?? null })
  })
).pipe(Command.withDescription("Create an API key; it is shown this once"))
