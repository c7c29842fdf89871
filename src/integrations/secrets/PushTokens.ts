/**
 * The tokens of devices in the database: encrypted with the key ring, and found by keyed hashes. Tokens from before were stored as they are, with
 * their plain SHA-256, until `DeviceTokens` has encrypted them.
 */
import { Effect } from "effect"
import { type KeyRing, type KeyRingError, reseal } from "./KeyRing.ts"
import { tokenHash } from "./TokenHash.ts"

type Ring = KeyRing["Service"]

const field = "devices.sealed_token"

export interface StoredPushToken {
  /** Null when the token is encrypted. */
  readonly token: string | null
  readonly sealedToken: string | null
}

/** What is stored of a new token. */
export const sealPushToken = (ring: Ring, organizationId: string, token: string) =>
  Effect.map(ring.encrypt({ organizationId, field }, token), (sealedToken) => ({
    sealedToken,
    hash: keyedHashes(ring, token)[0]
  }))

/** The hashes under which the token may be stored encrypted: the first is that of the newest key. */
export const keyedHashes = (ring: Ring, token: string): ReadonlyArray<string> => ring.fingerprints(field, token)

/** Every hash under which the token may be stored, encrypted or as it is. */
export const pushTokenHashes = (ring: Ring, token: string): ReadonlyArray<string> => [
  ...keyedHashes(ring, token),
  tokenHash(token)
]

export const openPushToken = (
  ring: Ring,
  organizationId: string,
  { token, sealedToken }: StoredPushToken
): Effect.Effect<string, KeyRingError> =>
  token === null ? ring.decrypt({ organizationId, field }, sealedToken ?? "") : Effect.succeed(token)

/** The stored token encrypted with the newest key, with the hash of that key. */
export const resealPushToken = Effect.fnUntraced(function* (ring: Ring, organizationId: string, sealedToken: string) {
  const owner = { organizationId, field }
  const token = yield* ring.decrypt(owner, sealedToken)
  return { sealedToken: yield* reseal(ring, owner, sealedToken), hash: keyedHashes(ring, token)[0] }
})
