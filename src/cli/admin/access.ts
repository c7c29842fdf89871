/** People and API keys. */
import { DateTime, Effect, Option, Redacted } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { ApiKeys, defaultScopes, Role, Scope, Users } from "../../domain/Access.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

const shortestPassword = 10

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
    const secret = Redacted.value(password)
    if (secret.length < shortestPassword)
      return yield* new AdminError({ message: `The password needs at least ${shortestPassword} characters.` })
    const { id: organizationId } = yield* existing(organization)
    const users = yield* Users
    const { id } = yield* users
      .create({ organizationId, email, name, role, password: secret })
      .pipe(
        Effect.catchTag("DuplicateUser", () => new AdminError({ message: `Somebody already signs in with ${email}.` }))
      )
    yield* answer(json, { id, organizationId, email, role })
  })
).pipe(Command.withDescription("Create a person who can sign in"))

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
    const key = yield* keys.create({
      organizationId,
      name,
      scopes: granted,
      ...(expiresAt === undefined ? {} : { expiresAt })
    })
    // The only time the key is shown.
    yield* answer(json, { id: key.id, key: key.secret, scopes: granted, expiresAt: expiresAt?.toISOString() ?? null })
  })
).pipe(Command.withDescription("Create an API key; it is shown this once"))
