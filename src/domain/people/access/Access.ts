/** Who may do what: people with roles, API keys with scopes. */
import { Context, type Effect, Schema } from "effect"
import { isEmail, noEmail } from "../../basics/Email.ts"
import type { Page } from "../../basics/Listing.ts"

export const Role = Schema.Literals(["OWNER", "ADMIN", "AGENT"])
export type Role = typeof Role.Type

export const Scope = Schema.Literals([
  "status:read",
  "contacts:read",
  "contacts:write",
  "conversations:read",
  "conversations:write",
  "messages:read",
  "messages:send",
  "media:read",
  "media:write",
  "voice:read",
  "voice:write",
  "integrations:read",
  "mcp",
  "admin"
])
export type Scope = typeof Scope.Type

/** A key made without scopes gets all but `admin`. */
export const defaultScopes: ReadonlyArray<Scope> = Scope.literals.filter((scope) => scope !== "admin")

/**
 * What a signed-in person may do, in the words of keys. An AGENT answers conversations and sees voice agents; only an OWNER may use the
 * MCP server, so nobody else can make a key for it.
 */
export const roleScopes: Readonly<Record<Role, ReadonlyArray<Scope>>> = {
  OWNER: Scope.literals,
  ADMIN: Scope.literals.filter((scope) => scope !== "mcp"),
  AGENT: [
    "status:read",
    "contacts:read",
    "contacts:write",
    "conversations:read",
    "conversations:write",
    "messages:read",
    "messages:send",
    "media:read",
    "media:write",
    "voice:read"
  ]
}

export interface KeyPrincipal {
  readonly organizationId: string
  readonly keyId: string
  readonly scopes: ReadonlyArray<Scope>
  /** When the key expires, Unix milliseconds; absent for one that does not. */
  readonly validUntil?: number
}

export interface UserPrincipal {
  readonly organizationId: string
  readonly userId: string
  readonly sessionId: string
  readonly role: Role
  readonly scopes: ReadonlyArray<Scope>
}

/** The caller of a request, as authenticated: an API key, or a person by their session. */
export type Principal = KeyPrincipal | UserPrincipal

/** The id of the key or of the person. */
export const callerId = (caller: Principal): string => ("keyId" in caller ? caller.keyId : caller.userId)

/** A key as it may be seen: its secret is not among it. */
export const ApiKey = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** The key's public beginning, `mk_` and 8 characters. */
  prefix: Schema.String,
  /** Null for keys made before it was kept. */
  lastFour: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Scope),
  status: Schema.Literals(["active", "expired", "revoked"]),
  createdAt: Schema.String,
  expiresAt: Schema.NullOr(Schema.String),
  revokedAt: Schema.NullOr(Schema.String),
  /** To the minute. */
  lastUsedAt: Schema.NullOr(Schema.String),
  /** The key that takes this one's place. */
  rotatedTo: Schema.NullOr(Schema.String)
})
export type ApiKey = typeof ApiKey.Type

export interface NewApiKey {
  readonly organizationId: string
  readonly name: string
  readonly scopes?: ReadonlyArray<Scope>
  readonly expiresAt?: Date
}

/** 404: not there, or another organization's. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { keyId: Schema.String }) {}

/** `mk_` + 8-character public prefix + `_` + 32 random base62 characters; only its SHA-256 is stored. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** `secret` is the whole key, shown this once. */
    readonly create: (input: NewApiKey) => Effect.Effect<{ readonly id: string; readonly secret: string }>
    /** `undefined` for a malformed, unknown, revoked or expired key. */
    readonly authenticate: (secret: string) => Effect.Effect<KeyPrincipal | undefined>
    /** Newest first. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<ApiKey>>
    readonly find: (organizationId: string, keyId: string) => Effect.Effect<ApiKey | undefined>
    /** The old key names its successor and ends at `endsAt`, if not before; false when it has one already, or is revoked or expired. */
    readonly supersede: (
      organizationId: string,
      keyId: string,
      successorId: string,
      endsAt: Date
    ) => Effect.Effect<boolean>
    /** Ends a key at once, and for good. */
    readonly revoke: (organizationId: string, keyId: string) => Effect.Effect<void>
  }
>()("parley/domain/ApiKeys") {}

export class DuplicateUser extends Schema.TaggedError<DuplicateUser>()("DuplicateUser", { email: Schema.String }) {}

export interface User {
  readonly organizationId: string
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
}

/**
 * What one person's address is whatever its case; attempts at it are counted by this. Nobody is found by what the database alone takes for the
 * same (it may fold `İ` to `i`): such an address would have a count of its own.
 */
export const addressKey = (email: string): string => email.toLowerCase()

/** The address of a new person. Who signs in may have an older one, see `groups/session`. */
export const Email = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.makeFilter((text: string) => isEmail(text) || noEmail)
)

export const shortestPassword = 10
export const longestPassword = 1_000

/** A new password. Its shortest length is counted in characters as people count them. */
export const Password = Schema.String.check(
  Schema.isMaxLength(longestPassword),
  Schema.makeFilter(
    (text: string) => [...text].length >= shortestPassword || `must have at least ${shortestPassword} characters.`
  )
)

/** A person as the others see them. */
export const Person = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  /** `invited`: has not chosen a password yet. `deactivated`: can no longer sign in. */
  status: Schema.Literals(["active", "invited", "deactivated"]),
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type Person = typeof Person.Type

export interface PersonChanges {
  readonly name?: string
  readonly role?: Role
  readonly active?: boolean
}

/** What is kept of a password. */
export interface PasswordHash {
  readonly stored: string
}

export interface NewPerson extends Omit<User, "id"> {
  /** Without one, the person is invited. */
  readonly passwordHash?: PasswordHash
}

/** 409: without this person the organization would have no OWNER who can sign in. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", { userId: Schema.String }) {}

export class Users extends Context.Service<
  Users,
  {
    /** Takes a while, and waits for others: to be asked for before a transaction is begun. */
    readonly hash: (password: string) => Effect.Effect<PasswordHash>
    readonly create: (input: NewPerson) => Effect.Effect<{ readonly id: string }, DuplicateUser>
    /** The address is that of one person over all organizations, whatever its case. Nobody who was deactivated. */
    readonly findByEmail: (email: string) => Effect.Effect<User | undefined>
    /** Who signs in so; takes as long for an unknown address as for a wrong password. */
    readonly verify: (email: string, password: string) => Effect.Effect<User | undefined>
    /** Ends every session of the person, too; gives how many. An invitation ends with it. */
    readonly setPassword: (organizationId: string, userId: string, password: PasswordHash) => Effect.Effect<number>
    /** Newest first, deactivated ones among them. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<Person>>
    readonly find: (organizationId: string, userId: string) => Effect.Effect<Person | undefined>
    /**
     * `undefined` when there is no such person. Another role, or none any more, ends the person's sessions, what is told to their devices, and
     * their invitation. Checks of the last OWNER wait for each other.
     */
    readonly change: (
      organizationId: string,
      userId: string,
      changes: PersonChanges
    ) => Effect.Effect<Person | undefined, LastOwner>
    /**
     * A fresh invitation, whose token is shown this once; the one before is no longer good. `undefined` when the person has another role by now,
     * or none: who invites was judged by the role. `endsAt`: Unix milliseconds.
     */
    readonly invite: (
      organizationId: string,
      person: Pick<Person, "id" | "role">,
      endsAt: number
    ) => Effect.Effect<string | undefined>
    /** Whose invitation it is, if it is good at `now`. */
    readonly invited: (token: string, now: number) => Effect.Effect<User | undefined>
    /** As `setPassword`, with the token of an invitation, which ends with it; false when somebody was faster. */
    readonly accept: (
      organizationId: string,
      userId: string,
      token: string,
      password: PasswordHash
    ) => Effect.Effect<boolean>
  }
>()("parley/domain/Users") {}
