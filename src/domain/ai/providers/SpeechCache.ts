/** Cache of audio that is synthesized ahead of time (welcome, disclosure, fallback lines), for 30 days. With Redis all nodes share it. */
import { createHash } from "node:crypto"
import { Context, type Effect } from "effect"
import type { SpeechRequest } from "./Speech.ts"

export const speechCacheDays = 30

/** The cache key of a request: the same text, voice, model and language give the same audio. */
export const speechCacheKey = (request: SpeechRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([request.text, request.family, request.voiceId, request.model, request.language]))
    .digest("hex")

export class SpeechCache extends Context.Service<
  SpeechCache,
  {
    /** Mu-law bytes; `undefined` when absent or expired, or when the store is unreachable, which is logged. */
    readonly get: (key: string) => Effect.Effect<Uint8Array | undefined>
    /** Stores mu-law bytes for `speechCacheDays`. A failure is logged. */
    readonly set: (key: string, audio: Uint8Array) => Effect.Effect<void>
  }
>()("parley/domain/SpeechCache") {}
