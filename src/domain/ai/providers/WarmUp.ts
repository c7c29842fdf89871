/** What a call about to begin can have prepared: connections to the providers it will ask. Without an implementation nothing is. */
import { Context, Effect } from "effect"
import type { VoiceFamily } from "./Speech.ts"

/** Opens connections to the model, to moderation and to the voices of a family, where none is open. Neither waits nor fails. */
export type WarmUp = (family: VoiceFamily) => Effect.Effect<void>

export const WarmUp = Context.Reference<WarmUp>("parley/domain/WarmUp", { defaultValue: () => () => Effect.void })
