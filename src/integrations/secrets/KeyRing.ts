/**
 * The key ring that encrypts stored secrets with AES-256-GCM. The first key encrypts; all keys decrypt. Each secret is bound to its organization and
 * field name, so a ciphertext copied to another row or column does not open. Stored form: `keyId:iv:tag:ciphertext` (base64url).
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import { undefinedIf } from "../storage/FileErrors.ts"

/** The ring is malformed, or a stored secret does not open with it; the message never holds key material. */
export class KeyRingError extends Schema.TaggedError<KeyRingError>()("KeyRingError", { message: Schema.String }) {}

/** What a secret belongs to. */
export interface SecretOwner {
  readonly organizationId: string
  readonly field: string
}

export class KeyRing extends Context.Service<
  KeyRing,
  {
    readonly encrypt: (owner: SecretOwner, secret: string) => Effect.Effect<string>
    readonly decrypt: (owner: SecretOwner, stored: string) => Effect.Effect<string, KeyRingError>
    /** False when another key than the first was used: the secret should be encrypted again. */
    readonly isCurrent: (stored: string) => boolean
    /**
     * Keyed hashes of a secret that is stored encrypted, by which its row is found: one of each key, the current one first. `field` as in SecretOwner.
     * The organization is not part of it. Form: `keyId:hash` (base64url).
     */
    readonly fingerprints: (field: string, secret: string) => readonly [current: string, ...older: Array<string>]
  }
>()("parley/integrations/KeyRing") {}

interface Key {
  readonly id: string
  readonly key: Buffer
}

const invalid = (message: string) => new KeyRingError({ message: `ENCRYPTION_KEYS${message}` })

const parseKey = (entry: string, position: number): Result.Result<Key, KeyRingError> => {
  const match = /^([A-Za-z0-9_-]+):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry.trim())
  if (match === null) return Result.fail(invalid(` has no id:base64 at position ${position + 1}.`))
  const [, id, base64] = match
  const key = Buffer.from(base64, "base64")
  return key.length === 32
    ? Result.succeed({ id, key })
    : Result.fail(invalid(`: key ${id} has ${key.length} bytes instead of 32.`))
}

/** The keys of `id:base64,id:base64` (32-byte keys), or what is wrong with it. */
export const parseRing = (text: string): Result.Result<ReadonlyArray<Key>, KeyRingError> =>
  Result.flatMap(Result.all(text.split(",").map(parseKey)), (keys) => {
    const ids = keys.map(({ id }) => id)
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
    return repeated === undefined ? Result.succeed(keys) : Result.fail(invalid(` uses the id ${repeated} twice.`))
  })

const boundTo = ({ organizationId, field }: SecretOwner) => Buffer.from(JSON.stringify([organizationId, field]))

const seal = ({ id, key }: Key, owner: SecretOwner, secret: string): string => {
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: 16 }).setAAD(boundTo(owner))
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
  return [id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString("base64url"))].join(":")
}

const unseal = (key: Buffer, owner: SecretOwner, parts: ReadonlyArray<string>): string => {
  const [iv, tag, text] = parts.map((part) => Buffer.from(part, "base64url"))
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 })
    .setAAD(boundTo(owner))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8")
}

/** HMAC under a key of its own, which is derived from the key of the ring for this field. */
const fingerprint = ({ id, key }: Key, field: string, secret: string): string => {
  const own = createHmac("sha256", key).update(`fingerprint of ${field}`).digest()
  return `${id}:${createHmac("sha256", own).update(secret, "utf8").digest("base64url")}`
}

/** Makes a ring from `id:base64,id:base64` (32-byte keys). */
export const make = Effect.fnUntraced(function* (ring: Redacted.Redacted) {
  const keys = yield* Effect.fromResult(parseRing(Redacted.value(ring)))
  const byId = new Map(keys.map(({ id, key }) => [id, key]))
  return KeyRing.of({
    encrypt: (owner, secret) => Effect.sync(() => seal(keys[0], owner, secret)),
    decrypt: Effect.fnUntraced(function* (owner, stored) {
      const [id, ...parts] = stored.split(":")
      const key = byId.get(id)
      if (key === undefined)
        return yield* invalid(
          ` has no key ${JSON.stringify(id)}, which the ${owner.field} of ${owner.organizationId} needs.`
        )
      return yield* Effect.try({
        try: () => unseal(key, owner, parts),
        catch: () => invalid(`: key ${id} does not open the ${owner.field} of ${owner.organizationId}.`)
      })
    }),
    isCurrent: (stored) => stored.startsWith(`${keys[0].id}:`),
    fingerprints: (field, secret) => {
      const [current, ...older] = keys
      return [fingerprint(current, field, secret), ...older.map((key) => fingerprint(key, field, secret))]
    }
  })
})

/** The stored secret, encrypted again with the first key unless it already is. */
export const reseal = (
  ring: KeyRing["Service"],
  owner: SecretOwner,
  stored: string
): Effect.Effect<string, KeyRingError> =>
  ring.isCurrent(stored)
    ? Effect.succeed(stored)
    : Effect.flatMap(ring.decrypt(owner, stored), (secret) => ring.encrypt(owner, secret))

/** `KeyRing` from the given text. */
export const layer = (options: { readonly ring: Redacted.Redacted }): Layer.Layer<KeyRing, KeyRingError> =>
  Layer.effect(KeyRing, make(options.ring))

const readOrMake = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  const file = join(folder, "encryption-keys")
  // `wx`: of two processes that start together, one makes the ring and both use it.
  await writeFile(file, `dev:${randomBytes(32).toString("base64")}`, { mode: 0o600, flag: "wx" }).catch(
    undefinedIf("EEXIST")
  )
  await chmod(file, 0o600)
  return readFile(file, "utf8")
}

/** For development: a ring made once and kept in the data folder, readable for its owner only. */
export const layerFile = (options: { readonly dataDir: string }): Layer.Layer<KeyRing, KeyRingError> =>
  Layer.effect(
    KeyRing,
    Effect.gen(function* () {
      const ring = yield* Effect.tryPromise({
        try: () => readOrMake(options.dataDir),
        catch: (cause) => new KeyRingError({ message: `The key ring in ${options.dataDir} cannot be used: ${cause}` })
      })
      return yield* make(Redacted.make(ring))
    })
  )
