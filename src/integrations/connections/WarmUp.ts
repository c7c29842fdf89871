/** `WarmUp` on the connection pool that the adapters share. */
import { Effect, Layer } from "effect"
import type { VoiceFamily } from "../../domain/ai/providers/Speech.ts"
import { WarmUp } from "../../domain/ai/providers/WarmUp.ts"
import * as Connections from "./Connections.ts"

export interface WarmUpOptions {
  /** Addresses of the providers that every call uses. */
  readonly always: ReadonlyArray<string>
  readonly voices: Readonly<Record<VoiceFamily, string>>
}

export const layer = (options: WarmUpOptions): Layer.Layer<never> =>
  Layer.effect(
    WarmUp,
    Effect.map(
      Connections.Connections,
      ({ warm }): WarmUp =>
        (family) =>
          Effect.forEach([...options.always, options.voices[family]], warm, { discard: true })
    )
  ).pipe(Layer.provide(Connections.layer))
