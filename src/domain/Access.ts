/** Who may do what: people with roles, API keys with scopes. */
import { Context, type Effect, Schema } from "effect"

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

/** The caller of a request, as authenticated. */
export interface Principal {
  readonly organizationId: string
  readonly keyId: string
  readonly scopes: ReadonlyArray<Scope>
}

export interface NewApiKey {
  readonly organizationId: string
  readonly name: string
  readonly scopes?: ReadonlyArray<Scope>
  readonly expiresAt?: Date
}

/** `mk_` + 8-character public prefix + `_` + 32 random base62 characters; only its SHA-256 is stored. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** `secret` is the whole key, shown this once. */
    readonly create: (input: NewApiKey) => Effect.Effect<{ readonly id: string; readonly secret: string }>
    /** `undefined` for a malformed, unknown, revoked or expired key. */
    readonly authenticate: (secret: string) => Effect.Effect<Principal | undefined>
    readonly revoke: (organizationId: string, keyId: string) => Effect.Effect<void>
  }
>()("parley/domain/ApiKeys") {}

export class DuplicateUser extends Schema.TaggedError<DuplicateUser>()("DuplicateUser", { email: Schema.String }) {}

export class Users extends Context.Service<
  Users,
  {
    /** The password is stored as a scrypt hash. */
    readonly create: (input: {
      readonly organizationId: string
      readonly email: string
      readonly name: string
      readonly role: Role
      readonly password: string
    }) => Effect.Effect<{ readonly id: string }, DuplicateUser>
  }
>()("parley/domain/Users") {}
