/** The changes that the start and the end of a call make in its record. Events may arrive in any order, so no change moves a call backwards. */
import { settle } from "../../../../domain/voice/calls/records/CallProgress.ts"
import type { CallEvent } from "../../../../domain/voice/engine/CallEvent.ts"
import type { CallRow } from "./CallRows.ts"
import { progressOf } from "./ProgressColumns.ts"

type Of<Type extends CallEvent["type"]> = Extract<CallEvent, { readonly type: Type }>

/** The columns to change, with their new values. */
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

/** The changes of a start. A call that returns from a human starts twice: the first start counts. */
export const startOf = (call: CallRow, event: Of<"call_started">): CallChanges => {
  const at = new Date(event.startedAt)
  return {
    startedAt: call.startedAt !== null && call.startedAt < at ? call.startedAt : at,
    ...(call.status === "queued" || call.status === "ringing" ? { status: "in_progress" } : {})
  }
}

const broken: ReadonlySet<string> = new Set(["error", "provider_failure"])

/** The sum of the known values; null only when neither is known. */
const sum = (before: number | null, more: number | undefined): number | null =>
  more === undefined ? before : (before ?? 0) + more

/** Seconds from the first start to `at`, with one decimal place; 0 when the call has no earlier end or no start. */
const spanned = (call: CallRow, at: Date): number =>
  call.durationSeconds === null || call.startedAt === null
    ? 0
    : Math.round((at.getTime() - call.startedAt.getTime()) / 100) / 10

/**
 * The changes of an end. A call that was transferred and returned ends once per part: the latest end gives reason and time, counts are added up, and
 * the duration spans all parts.
 */
export const endOf = (call: CallRow, event: Of<"call_end">): CallChanges => {
  // An answered call is always completed; `endReason` says how it ended.
  const answered = call.startedAt !== null || event.durationSeconds > 0
  const own = !answered && broken.has(event.endReason) ? "failed" : "completed"
  const at = new Date(event.endedAt)
  // Without `endReason`, `endedAt` is the provider's report of the end, which is not compared with.
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
