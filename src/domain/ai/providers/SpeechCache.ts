/** Audio synthesized ahead of time (welcome, disclosure, fallback lines), kept 30 days by content, shared between nodes when Redis is there. */
import { createHash } from "node:crypto"
import { Context, type Effect } from "effect"
import type { SpeechRequest } from "./Speech.ts"

export const speechCacheDays = 30

/** Content key: the same text, voice, model and language give the same audio. */
export const speechCacheKey = (request: SpeechRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([request.text, request.family, request.voiceId, request.model, request.language]))
    .digest("hex")

export class SpeechCache extends Context.Service<
  SpeechCache,
  {
    /** mu-law bytes, or `undefined` when absent, expired or the store is unreachable (logged). */
    readonly get: (key: string) => Effect.Effect<Uint8Array | undefined>
    readonly set: (key: string, audio: Uint8Array) => Effect.Effect<void>
  }
>()("parley/domain/SpeechCache") {}
