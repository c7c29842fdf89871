/**
 * The speech cache that nodes share: audio in Redis (base64, expired there), and the most recent audio in memory. While Redis is away, only audio
 * in memory is found.
 */
import { Clock, Effect, Layer } from "effect"
import { Redis } from "effect/persistence"
import { SpeechCache, speechCacheDays } from "../../domain/ai/providers/SpeechCache.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { quietly } from "../resilience/Quietly.ts"
import { RecentBytes, recentSpeechBytes } from "../storage/cache/RecentBytes.ts"

const lifetimeMs = speechCacheDays * 24 * 60 * 60 * 1_000

/** A caller waits for it: after this time synthesizing again is better. */
const patience = "500 millis"

export const layer: Layer.Layer<SpeechCache, never, Redis.Redis> = Layer.effect(
  SpeechCache,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const recent = new RecentBytes(recentSpeechBytes)
    const attempt = quietly("The shared speech cache cannot be reached")
    const send = (command: string, ...args: ReadonlyArray<string>) =>
      attempt(Effect.timeout(redis.send<string | number | null>(command, ...args), patience))

    return SpeechCache.of({
      get: traced("SpeechCache.get")(function* (key) {
        const now = yield* Clock.currentTimeMillis
        const known = recent.get(key, now)
        if (known !== undefined) return known
        const text = yield* send("GET", `parley:speech:${key}`)
        if (typeof text !== "string") return undefined
        const audio = new Uint8Array(Buffer.from(text, "base64"))
        // The remaining lifetime, so that the copy in memory does not outlive the shared entry.
        const left = yield* send("PTTL", `parley:speech:${key}`)
        if (typeof left === "number" && left > 0) recent.set(key, audio, now + left)
        return audio
      }),
      set: traced("SpeechCache.set")(function* (key, audio) {
        const now = yield* Clock.currentTimeMillis
        recent.set(key, audio, now + lifetimeMs)
        const text = Buffer.from(audio).toString("base64")
        yield* send("SET", `parley:speech:${key}`, text, "PX", `${lifetimeMs}`)
      })
    })
  })
)
