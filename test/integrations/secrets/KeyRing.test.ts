import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as KeyRing from "../../../src/integrations/secrets/KeyRing.ts"

const key = () => randomBytes(32).toString("base64")
const ringOf = (text: string) => KeyRing.make(Redacted.make(text))
const owner = { organizationId: "org_a", field: "auth_token" }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-keys-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }))
)

describe("the key ring", () => {
  it.effect("decrypts a secret again, and never stores it the same way twice", () =>
    Effect.gen(function* () {
      const ring = yield* ringOf(`one:${key()}`)
      const [first, second] = [yield* ring.encrypt(owner, "sécret"), yield* ring.encrypt(owner, "sécret")]
      assert.notStrictEqual(first, second)
      assert.notInclude(first, "sécret")
      assert.strictEqual(yield* ring.decrypt(owner, first), "sécret")
    })
  )

  it.effect("does not decrypt a secret that was moved to another organization or field, or changed by one letter", () =>
    Effect.gen(function* () {
      const ring = yield* ringOf(`one:${key()}`)
      const stored = yield* ring.encrypt(owner, "secret")
      yield* Effect.flip(ring.decrypt({ ...owner, organizationId: "org_b" }, stored))
      yield* Effect.flip(ring.decrypt({ ...owner, field: "name" }, stored))
      const [id, iv, tag, text] = stored.split(":")
      const changed = Buffer.from(text, "base64url")
      changed[0] ^= 1
      yield* Effect.flip(ring.decrypt(owner, [id, iv, tag, changed.toString("base64url")].join(":")))
      yield* Effect.flip(ring.decrypt(owner, [id, iv, tag.slice(0, 6), text].join(":")))
      yield* Effect.flip(ring.decrypt(owner, "one"))
    })
  )

  it.effect(
    "still decrypts old secrets after a new key is put first, uses the new key for new secrets, and names an old key that is missing",
    () =>
      Effect.gen(function* () {
        const [oldKey, newKey] = [key(), key()]
        const stored = yield* (yield* ringOf(`2025:${oldKey}`)).encrypt(owner, "secret")
        const rotated = yield* ringOf(`2026:${newKey}, 2025:${oldKey}`)
        assert.strictEqual(yield* rotated.decrypt(owner, stored), "secret")
        assert.isFalse(rotated.isCurrent(stored))
        assert.isTrue(rotated.isCurrent(yield* rotated.encrypt(owner, "secret")))
        const error = yield* Effect.flip((yield* ringOf(`2026:${newKey}`)).decrypt(owner, stored))
        assert.match(error.message, /ENCRYPTION_KEYS has no key "2025"/)
      })
  )

  it.effect("refuses malformed settings with a sentence that contains no key", () =>
    Effect.gen(function* () {
      const good = key()
      const cases: ReadonlyArray<readonly [string, RegExp]> = [
        ["", /position 1/],
        [good, /position 1/],
        [`a:${good},`, /position 2/],
        [`a:${randomBytes(16).toString("base64")}`, /key a has 16 bytes instead of 32/],
        [`a:${good},a:${key()}`, /uses the id a twice/]
      ]
      for (const [text, expected] of cases) {
        const error = yield* Effect.flip(ringOf(text))
        assert.match(error.message, expected)
        assert.notInclude(error.message, good.slice(0, 8))
      }
    })
  )

  it.effect("is created once in development, readable by its owner only, and used again", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      const use = <A, E>(work: (ring: KeyRing.KeyRing["Service"]) => Effect.Effect<A, E>) =>
        Effect.flatMap(KeyRing.KeyRing, work).pipe(Effect.provide(KeyRing.layerFile({ dataDir }), { local: true }))
      const stored = yield* use((ring) => ring.encrypt(owner, "secret"))
      assert.strictEqual(yield* use((ring) => ring.decrypt(owner, stored)), "secret")
      const file = join(dataDir, "encryption-keys")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.match(readFileSync(file, "utf8"), /^dev:/)
      writeFileSync(file, "broken")
      const error = yield* Effect.flip(use((ring) => ring.encrypt(owner, "secret")))
      assert.match(error.message, /ENCRYPTION_KEYS has no id:base64/)
    })
  )
})
