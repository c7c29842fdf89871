/**
 * What an engine says of a call that another has taken over. Utterances from before the take-over still come from its journal (`add_utterance` tells them
 * apart); its end of the call does not count.
 */
import { Effect } from "effect"
import type { CallEvent } from "../../../../domain/voice/engine/CallEvent.ts"

/** Of a row of `calls`: the sequence of the first utterance of each engine that took the call over, by its fence. */
export interface TakeOverColumns {
  readonly takeovers: Readonly<Record<string, number>>
}

/** Whether the event is an end that a replaced engine tells. */
export const isReplaced = ({ type, fence = 0 }: CallEvent, { takeovers }: TakeOverColumns): boolean =>
  type === "call_end" && Object.keys(takeovers).some((later) => Number(later) > fence)

export const tellReplaced = ({ callId, fence = 0 }: CallEvent) =>
  Effect.logWarning("the end of a call was told by an engine that was replaced: it does not count", { callId, fence })
