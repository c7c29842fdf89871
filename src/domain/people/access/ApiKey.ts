/** API keys, and the port of the stored ones. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Page } from "../../basics/Listing.ts"
import { type KeyPrincipal, Scope } from "./Access.ts"

/** A key as it is shown, without its secret. */
export const ApiKey = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** The key's public beginning, `mk_` and 8 characters. */
  prefix: Schema.String,
  /** The last four characters; null for keys that were made before these were stored. */
  lastFour: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Scope),
  status: Schema.Literals(["active", "expired", "revoked"]),
  createdAt: Schema.String,
  expiresAt: Schema.NullOr(Schema.String),
  revokedAt: Schema.NullOr(Schema.String),
  /** The id of the person who made it; null for a key made at the operator's command line, which counts as the OWNER's. */
  makerId: Schema.NullOr(Schema.String),
  /** The OAuth client that this key belongs to: an assistant that the maker connected. Null for a key whose secret was given to somebody. */
  clientId: Schema.NullOr(Schema.String),
  /** Precise to the minute. */
  lastUsedAt: Schema.NullOr(Schema.String),
  /** The id of the key that replaces this one. */
  rotatedTo: Schema.NullOr(Schema.String)
}).annotate({
  title: "ApiKey",
  examples: [
    {
      id: exampleIds.key,
      name: "Web shop",
      prefix: "mk_7Qm2xR4t",
      lastFour: "9fKd",
      scopes: ["contacts:read", "contacts:write", "messages:send"],
      status: "active",
      createdAt: "2026-11-20T08:00:00.000Z",
      expiresAt: null,
      revokedAt: null,
      makerId: exampleIds.owner,
      clientId: null,
      lastUsedAt: "2026-11-21T09:30:00.000Z",
      rotatedTo: null
    }
  ]
})
export type ApiKey = typeof ApiKey.Type

export interface NewApiKey {
  readonly organizationId: string
  readonly name: string
  readonly scopes?: ReadonlyArray<Scope>
  readonly expiresAt?: Date
  /** The id of the person who makes it; absent or null: the operator. */
  readonly makerId?: string | null
  /** For an OAuth client: then `secret` opens nothing, and `OAuthGrants` issues the tokens that do. */
  readonly clientId?: string
}

/** 404: the organization has no such key. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { keyId: Schema.String }) {}

/** Port of the stored API keys. A key is `mk_` + 8-character public prefix + `_` + 32 random base62 characters; only its SHA-256 is stored. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** `secret` is the whole key. It is shown only this once. */
    readonly create: (input: NewApiKey) => Effect.Effect<{ readonly id: string; readonly secret: string }>
    /**
     * The caller with this key; `undefined` for a malformed, unknown, revoked or expired key, and for one whose maker is deactivated. A key never
     * has a scope that its maker's role does not have.
     */
    readonly authenticate: (secret: string) => Effect.Effect<KeyPrincipal | undefined>
    /** Newest first. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<ApiKey>>
    readonly find: (organizationId: string, keyId: string) => Effect.Effect<ApiKey | undefined>
    /** Records a key's successor and ends the key at `endsAt`, or earlier. False when it has a successor already, or is revoked or expired. */
    readonly supersede: (
      organizationId: string,
      keyId: string,
      successorId: string,
      endsAt: Date
    ) => Effect.Effect<boolean>
    /** Changes name or end of a key that is good. `undefined`: there is none, or it has ended. */
    readonly change: (
      organizationId: string,
      keyId: string,
      changes: { readonly name?: string; readonly expiresAt?: Date | null }
    ) => Effect.Effect<ApiKey | undefined>
    /** Revokes a key at once and for ever. */
    readonly revoke: (organizationId: string, keyId: string) => Effect.Effect<void>
  }
>()("parley/domain/ApiKeys") {}
