/** Prepares connections to the providers for a call that is about to begin. Without an implementation it does nothing. */
import { Context, Effect } from "effect"
import type { VoiceFamily } from "./Speech.ts"

/** Opens missing connections to the model, to moderation and to the voices of a family. It does not wait and does not fail. */
export type WarmUp = (family: VoiceFamily) => Effect.Effect<void>

export const WarmUp = Context.Reference<WarmUp>("parley/domain/WarmUp", { defaultValue: () => () => Effect.void })
