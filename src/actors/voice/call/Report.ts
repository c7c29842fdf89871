/**
 * Tells, over the bus between processes, what goes on in a call at this moment: its activity always, words and turns while somebody watches. Nothing
 * waits for it, and the journal does not depend on it.
 */
import { Clock, Context, Effect } from "effect"
import { type BusMessage, ProcessBus } from "../../../domain/basics/bus/ProcessBus.ts"
import type { CallActivity, PassingType } from "../../../domain/events/PassingEvent.ts"
import type { CallInput, CallState } from "../../../domain/voice/dialogue/Call.ts"
import type { CallEvent, TurnLatency } from "../../../domain/voice/engine/CallEvent.ts"

/** Says whether somebody watches a call at this time (Unix milliseconds). Nobody does, unless the engine provides it. */
export const WatchedCalls = Context.Reference<(callId: string, now: number) => boolean>("parley/actors/WatchedCalls", {
  defaultValue: () => () => false
})

/** What goes on after an input. */
const activityAfter = (state: CallState, input: CallInput): CallActivity => {
  if (state.phase === "ended") return "over"
  if (state.phase === "closing") return "closing"
  if (state.person === "talking") return "human"
  if (state.thinking) return "thinking"
  if (state.speaking) return "agent"
  return input._tag === "BargedIn" && input.meant ? "caller" : "silence"
}

/** What is told of one call. */
export const makeReport = Effect.fnUntraced(function* ({
  organizationId,
  agentId,
  callId
}: Pick<CallEvent, "organizationId" | "agentId" | "callId">) {
  const bus = yield* ProcessBus
  const isWatched = yield* WatchedCalls
  const clock = yield* Clock.Clock
  let told: CallActivity | undefined
  let turn = -1
  let turnsTold = 0

  const tell = (type: PassingType, at: number, data: BusMessage["data"]) =>
    bus.publish({ organizationId, type, at, data })

  const activity = (state: CallActivity): void => {
    if (state === told) return
    told = state
    const at = clock.currentTimeMillisUnsafe()
    tell("call.updated", at, { call: { id: callId, agentId, state, since: new Date(at).toISOString() } })
  }

  return {
    activity,
    /** The activity after an input. An answer that is already heard, and a tool that runs, belong to the turn that is being thought about. */
    after: (state: CallState, input: CallInput): void => {
      const next = activityAfter(state, input)
      const sameTurn = state.turn === turn
      turn = state.turn
      if (next === "thinking" && sameTurn && (told === "agent" || told === "tool")) return
      activity(next)
    },
    words: (role: "caller" | "agent", text: string, final: boolean, startMs: number, by?: "person"): void => {
      const at = clock.currentTimeMillisUnsafe()
      if (isWatched(callId, at))
        tell("call.words", at, {
          call: { id: callId },
          role,
          ...(by === undefined ? {} : { by }),
          text,
          final,
          startMs: Math.max(0, Math.round(startMs))
        })
    },
    /** Tells the turns that were finished since the last time. */
    turns: (all: ReadonlyArray<TurnLatency>): void => {
      const at = clock.currentTimeMillisUnsafe()
      for (const latency of all.slice(turnsTold))
        if (isWatched(callId, at)) tell("call.turn", at, { call: { id: callId }, turn: { ...latency } })
      turnsTold = all.length
    }
  }
})
export type Report = Effect.Success<ReturnType<typeof makeReport>>
