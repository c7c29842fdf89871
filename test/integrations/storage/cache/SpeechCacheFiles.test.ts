import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { SpeechCache, speechCacheKey } from "../../../../src/domain/ai/providers/SpeechCache.ts"
import { RecentBytes } from "../../../../src/integrations/storage/cache/RecentBytes.ts"
import * as SpeechCacheFiles from "../../../../src/integrations/storage/cache/SpeechCacheFiles.ts"
import { warnings } from "../../../support/warnings.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-speech-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }))
)

const key = speechCacheKey({ text: "Welcome", family: "english", voiceId: "v", model: "m", language: "en-US" })
const audio = Uint8Array.from({ length: 800 }, (_, i) => i & 0xff)

/** Runs `work` with a newly started cache over this folder. */
const restarted =
  (dataDir: string) =>
  <A>(work: (cache: SpeechCache["Service"]) => Effect.Effect<A>) =>
    Effect.flatMap(SpeechCache, work).pipe(Effect.provide(SpeechCacheFiles.layer({ dataDir }), { local: true }))

describe("the speech cache of one node", () => {
  it.effect("keeps audio made ahead of time across a restart, byte for byte", () =>
    Effect.gen(function* () {
      const use = restarted(yield* folder)
      assert.isUndefined(yield* use((cache) => cache.get(key)))
      yield* use((cache) => cache.set(key, audio))
      assert.deepStrictEqual(yield* use((cache) => cache.get(key)), audio)
    })
  )

  it.effect("loses audio after 30 days, from memory, from the folder, and from the disk at the next start", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      const use = restarted(dataDir)
      yield* use((cache) =>
        Effect.gen(function* () {
          yield* cache.set(key, audio)
          yield* TestClock.adjust("29 days")
          assert.isDefined(yield* cache.get(key))
          yield* TestClock.adjust("1 day")
          assert.isUndefined(yield* cache.get(key))
        })
      )
      assert.isUndefined(yield* use((cache) => cache.get(key)))
      assert.isEmpty(readdirSync(join(dataDir, "speech")))
    })
  )

  it.effect("works without a writable folder and logs one line", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      writeFileSync(join(dataDir, "speech"), "a file where the folder should be")
      const { lines, layer } = warnings()
      yield* restarted(dataDir)((cache) =>
        Effect.gen(function* () {
          yield* cache.set(key, audio)
          assert.deepStrictEqual(yield* cache.get(key), audio)
          assert.isUndefined(yield* cache.get("another"))
        })
      ).pipe(Effect.provide(layer))
      assert.lengthOf(lines, 1)
    })
  )

  it("holds the most recently used audio in memory, and never more than its size", () => {
    const recent = new RecentBytes(300)
    const bytes = (n: number) => new Uint8Array(n)
    recent.set("a", bytes(100), 10)
    recent.set("b", bytes(100), 10)
    recent.set("c", bytes(100), 10)
    recent.get("a", 0)
    recent.set("d", bytes(150), 10)
    assert.deepStrictEqual(
      ["a", "b", "c", "d"].map((name) => recent.get(name, 0)?.length),
      [100, undefined, undefined, 150]
    )
    recent.set("huge", bytes(301), 10)
    assert.isUndefined(recent.get("huge", 0))
    assert.isUndefined(recent.get("a", 10))
  })
})
