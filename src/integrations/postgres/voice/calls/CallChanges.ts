/** What the start and the end of a call change in its record. Events come in any order, so nothing moves backwards. */
import { settle } from "../../../../domain/voice/calls/records/CallProgress.ts"
import type { CallEvent } from "../../../../domain/voice/engine/CallEvent.ts"
import type { CallRow } from "./CallRows.ts"
import { progressOf } from "./ProgressColumns.ts"

type Of<Type extends CallEvent["type"]> = Extract<CallEvent, { readonly type: Type }>

/** Columns and what they become. */
export type CallChanges = Partial<
  Pick<
    CallRow,
    | "status"
    | "endReason"
    | "startedAt"
    | "endedAt"
    | "durationSeconds"
    | "interruptions"
    | "falseInterruptions"
    | "toolCallCount"
    | "callerTalkMs"
    | "agentTalkMs"
    | "turns"
  >
>

/** A call that comes back from a human starts twice: the first time counts. */
export const startOf = (call: CallRow, event: Of<"call_started">): CallChanges => {
  const at = new Date(event.startedAt)
  return {
    startedAt: call.startedAt !== null && call.startedAt < at ? call.startedAt : at,
    ...(call.status === "queued" || call.status === "ringing" ? { status: "in_progress" } : {})
  }
}

const broken: ReadonlySet<string> = new Set(["error", "provider_failure"])

/** Null only when neither is known. */
const sum = (before: number | null, more: number | undefined): number | null =>
  more === undefined ? before : (before ?? 0) + more

/** From the first start to the latest end, one place. */
const spanned = (call: CallRow, at: Date): number =>
  call.durationSeconds === null || call.startedAt === null
    ? 0
    : Math.round((at.getTime() - call.startedAt.getTime()) / 100) / 10

/**
 * A call that was transferred and came back ends once per part: the latest end says how and when, the parts are added up, and the
 * duration spans them all.
 */
export const endOf = (call: CallRow, event: Of<"call_end">): CallChanges => {
  // An answered call is completed however it ended; `endReason` says how.
  const answered = call.startedAt !== null || event.durationSeconds > 0
  const own = !answered && broken.has(event.endReason) ? "failed" : "completed"
  const at = new Date(event.endedAt)
  // The provider may have told the end before, which is no end of ours to compare with.
  const latest = call.endReason === null || call.endedAt === null || call.endedAt <= at
  return {
    ...(latest
      ? {
          status: settle(progressOf(call), own).status,
          endReason: event.endReason,
          endedAt: call.endedAt !== null && call.endedAt > at ? call.endedAt : at
        }
      : {}),
    durationSeconds: Math.max(call.durationSeconds ?? 0, event.durationSeconds, spanned(call, at)),
    interruptions: call.interruptions + event.interruptions,
    falseInterruptions: call.falseInterruptions + (event.falseInterruptions ?? 0),
    callerTalkMs: sum(call.callerTalkMs, event.callerTalkMs),
    agentTalkMs: sum(call.agentTalkMs, event.agentTalkMs),
    toolCallCount: call.toolCallCount + event.toolCalls,
    turns: [...call.turns, ...event.turns]
  }
}
