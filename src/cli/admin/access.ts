/** The `parley admin` commands for people and API keys. */
import { Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { Role, Scope } from "../../domain/people/access/Access.ts"
import { makeManageApiKeys } from "../../domain/people/access/ManageApiKeys.ts"
import { makeManagePeople, type WeakPassword } from "../../domain/people/access/ManagePeople.ts"
import { Email, longestPassword, Password, shortestPassword, Users } from "../../domain/people/access/User.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

/** Turns refusals of a password into messages. */
const passwords = {
  WeakPassword: ({ message }: WeakPassword) => new AdminError({ message: `The ${message}` }),
  PasswordsBusy: Effect.die
}

/** The password as plain text. Fails when its length is out of bounds. */
const acceptable = Effect.fnUntraced(function* (password: Redacted.Redacted) {
  const secret = Redacted.value(password)
  if (!Schema.is(Password)(secret))
    return yield* new AdminError({
      message: `The password needs at least ${shortestPassword} characters, and at most ${longestPassword}.`
    })
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
    if (!Schema.is(Email)(email)) return yield* new AdminError({ message: `${email} is not an e-mail address.` })
    const secret = yield* acceptable(password)
    const { id: organizationId } = yield* existing(organization)
    const people = yield* makeManagePeople
    const { person } = yield* people.add(organizationId, { email, name, role, password: secret }).pipe(
      Effect.catchTags({
        ...passwords,
        DuplicateUser: () =>
          new AdminError({ message: `The organization has a person with the address ${email} already.` })
      })
    )
    yield* answer(json, { id: person.id, organizationId, email, role })
  })
).pipe(Command.withDescription("Create a person who can sign in"))

export const setPassword = Command.make(
  "set-password",
  {
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address the person signs in with")),
    organization: organization.pipe(
      Flag.withDescription("Id of the organization (org_…), when the address is that of people in several"),
      Flag.optional
    ),
    password: Flag.Redacted("password").pipe(
      Flag.withDescription("Asked for when absent"),
      Flag.withFallbackPrompt(Prompt.Password({ message: "Password" }))
    ),
    json
  },
  Effect.fnUntraced(function* ({ email, organization, password, json }) {
    const secret = yield* acceptable(password)
    const users = yield* Users
    const people = yield* makeManagePeople
    const [user, another] = (yield* users.findByEmail(email)).filter(({ organizationId }) =>
      Option.match(organization, { onNone: () => true, onSome: (id) => id === organizationId })
    )
    if (user === undefined) return yield* new AdminError({ message: `Nobody signs in with ${email}.` })
    if (another !== undefined)
      return yield* new AdminError({
        message: `People of several organizations sign in with ${email}: name one with --organization.`
      })
    const { organizationId, id } = user
    const sessionsEnded = yield* people.replacePassword(user, secret).pipe(Effect.catchTags(passwords))
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
    const { create } = yield* makeManageApiKeys
    // The operator may grant every scope.
    const key = yield* create(
      { organizationId, scopes: Scope.literals },
      {
        name,
        ...(scopes.length === 0 ? {} : { scopes }),
        expiresAt: Option.match(expires, { onNone: () => null, onSome: (date) => date.toISOString() })
      }
    ).pipe(
      Effect.catchTags({
        InvalidApiKey: () => new AdminError({ message: "--expires must lie in the future." }),
        ScopesNotGrantable: Effect.die
      })
    )
    // The only time the key is shown.
    yield* answer(json, { id: key.id, key: key.key, scopes: key.scopes, expiresAt: key.expiresAt })
  })
).pipe(Command.withDescription("Create an API key; it is shown this once"))
