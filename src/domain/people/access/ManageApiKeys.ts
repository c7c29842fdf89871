/**
 * Use case: create, change, rotate and revoke an organization's API keys. The audit log records each change. Nobody can give a key scopes that they do not
 * have themselves.
 */
import { Clock, Effect, Schema } from "effect"
import { traced } from "../../basics/Traced.ts"
import { defaultScopes, type Principal, type Scope } from "./Access.ts"
import { type ApiKey, ApiKeyNotFound, ApiKeys } from "./ApiKey.ts"
import { Audit } from "./Audit.ts"

/** 400: `message` names the field. */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("InvalidApiKey", { message: Schema.String }) {}
/** 403: the caller lacks scopes that the key would have. */
export class ScopesNotGrantable extends Schema.TaggedError<ScopesNotGrantable>()("ScopesNotGrantable", {
  missing: Schema.Array(Schema.String)
}) {}
/** 409: the key has a successor already, has ended, or is an assistant's. */
export class ApiKeyEnded extends Schema.TaggedError<ApiKeyEnded>()("ApiKeyEnded", { message: Schema.String }) {}

const ofAssistant =
  "This key belongs to an assistant that was connected over OAuth. It renews itself; revoke it to end the assistant's access."

/** How long a rotated key stays valid, by default and at most. */
export const defaultOverlapSeconds = 24 * 60 * 60
export const longestOverlapSeconds = 30 * 24 * 60 * 60

/** A key with its secret, which is shown only this once. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string
}

/** The fields of a key in the audit log. */
const shown = ({ name, prefix, scopes, expiresAt, makerId }: ApiKey) => ({ name, prefix, scopes, expiresAt, makerId })

/** Who makes a key: a person, another key, or (with neither id) the operator. */
type Maker = Pick<Principal, "organizationId" | "scopes"> & { readonly userId?: string; readonly keyId?: string }

const grantable = (caller: Maker, scopes: ReadonlyArray<Scope>) => {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope))
  return missing.length === 0 ? Effect.succeed(scopes) : Effect.fail(new ScopesNotGrantable({ missing }))
}

/** Needs ApiKeys and Audit once; the functions it gives need nothing. */
export const makeManageApiKeys = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const audit = yield* Audit

  const existing = Effect.fnUntraced(function* (organizationId: string, keyId: string) {
    const key = yield* keys.find(organizationId, keyId)
    return key ?? (yield* new ApiKeyNotFound({ keyId }))
  })

  /** The person who answers for a key of this maker. A key made with a key has the maker of that key. */
  const makerOf = Effect.fnUntraced(function* ({ organizationId, userId, keyId }: Maker) {
    if (userId !== undefined) return userId
    return keyId === undefined ? null : ((yield* keys.find(organizationId, keyId))?.makerId ?? null)
  })

  const future = Effect.fnUntraced(function* (expiresAt: string | null) {
    if (expiresAt === null) return {}
    const at = new Date(expiresAt)
    if (at.getTime() <= (yield* Clock.currentTimeMillis))
      return yield* new InvalidApiKey({ message: "expiresAt must lie in the future." })
    return { expiresAt: at }
  })

  const made = Effect.fnUntraced(function* (input: Parameters<ApiKeys["Service"]["create"]>[0]) {
    const { id, secret } = yield* keys.create(input)
    // The key must exist: this transaction created it.
    const key = yield* Effect.orDie(existing(input.organizationId, id))
    return { ...key, key: secret } satisfies CreatedApiKey
  })

  /** Creates a key. Without `scopes` it gets the caller's scopes except `admin`. */
  const create = traced("ManageApiKeys.create")(function* (
    caller: Maker,
    input: { readonly name: string; readonly scopes?: ReadonlyArray<Scope>; readonly expiresAt: string | null }
  ) {
    const { organizationId } = caller
    const own = defaultScopes.filter((scope) => caller.scopes.includes(scope))
    const scopes = yield* grantable(caller, [...new Set(input.scopes ?? own)])
    const expiry = yield* future(input.expiresAt)
    const makerId = yield* makerOf(caller)
    return yield* audit.recorded(
      organizationId,
      made({ organizationId, name: input.name, scopes, makerId, ...expiry }),
      (key) => ({
        action: "api_key.created",
        subjectId: key.id,
        after: shown(key)
      })
    )
  })

  /** Changes name and end of a key. A key that has ended does not come back. */
  const change = traced("ManageApiKeys.change")(function* (
    organizationId: string,
    keyId: string,
    changes: { readonly name?: string; readonly expiresAt?: string | null }
  ) {
    const before = yield* existing(organizationId, keyId)
    const { name, expiresAt } = changes
    if (expiresAt !== undefined && before.clientId !== null) return yield* new ApiKeyEnded({ message: ofAssistant })
    const expiry = expiresAt === undefined ? {} : { expiresAt: (yield* future(expiresAt)).expiresAt ?? null }
    const changed = Effect.gen(function* () {
      const key = yield* keys.change(organizationId, keyId, { ...(name === undefined ? {} : { name }), ...expiry })
      return key ?? (yield* new ApiKeyEnded({ message: "This API key was revoked, or has expired." }))
    })
    return yield* audit.recorded(organizationId, changed, (after) => ({
      action: "api_key.changed",
      subjectId: keyId,
      before: shown(before),
      after: shown(after)
    }))
  })

  /**
   * Creates a successor with the same name and scopes, whose maker is the caller: they learn its secret. It ends when the old key would, unless
   * `expiresAt` says otherwise. The old key stays valid for `overlapSeconds`, but not beyond its own expiry.
   */
  const rotate = traced("ManageApiKeys.rotate")(function* (
    caller: Maker,
    keyId: string,
    input: { readonly overlapSeconds: number; readonly expiresAt?: string | null }
  ) {
    const { organizationId } = caller
    const before = yield* existing(organizationId, keyId)
    if (before.clientId !== null) return yield* new ApiKeyEnded({ message: ofAssistant })
    const scopes = yield* grantable(caller, before.scopes)
    const kept = before.expiresAt === null ? {} : { expiresAt: new Date(before.expiresAt) }
    const expiry = input.expiresAt === undefined ? kept : yield* future(input.expiresAt)
    const endsAt = new Date((yield* Clock.currentTimeMillis) + input.overlapSeconds * 1_000)
    const makerId = yield* makerOf(caller)
    const replace = Effect.gen(function* () {
      const successor = yield* made({ organizationId, name: before.name, scopes, makerId, ...expiry })
      if (!(yield* keys.supersede(organizationId, keyId, successor.id, endsAt)))
        return yield* new ApiKeyEnded({ message: "This API key was rotated or revoked before, or has expired." })
      return { successor, replaced: yield* Effect.orDie(existing(organizationId, keyId)) }
    })
    return yield* audit.recorded(organizationId, replace, ({ successor, replaced }) => ({
      action: "api_key.rotated",
      subjectId: keyId,
      before: shown(before),
      after: { ...shown(replaced), rotatedTo: successor.id }
    }))
  })

  /** Revokes a key at once. Does nothing when it is revoked already. */
  const revoke = traced("ManageApiKeys.revoke")(function* (organizationId: string, keyId: string) {
    const before = yield* existing(organizationId, keyId)
    if (before.status === "revoked") return
    yield* audit.recorded(organizationId, keys.revoke(organizationId, keyId), () => ({
      action: "api_key.revoked",
      subjectId: keyId,
      before: shown(before)
    }))
  })

  return { create, change, rotate, revoke }
})
