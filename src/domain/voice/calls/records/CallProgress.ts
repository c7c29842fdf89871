/**
 * Merges what the telephony provider says about a call with what the service itself knows. The provider's callbacks come in any order,
 * repeated, or not at all. The engine's end of the call comes before or after them. The status does not depend on their order. It follows
 * from two facts: the furthest state that the provider reported, and how the service saw the call end.
 */
import type { CallStatus } from "./CallStatus.ts"

/** A state of the call as the provider reports it. `sequence` is the provider's number of the callback, null when we asked for the state. */
export interface ProviderState {
  readonly status: CallStatus
  readonly sequence: number | null
}

export interface CallProgress {
  readonly status: CallStatus
  /**
   * Whether the service itself knows how the call ended (from the engine, or because the service refused it). Otherwise a final status comes
   * from the provider, or is a guess.
   */
  readonly settled: boolean
  /** The furthest state that the provider has reported; null before its first report. */
  readonly provider: ProviderState | null
}

/** The `CallStatus` for each of the provider's names. `initiated` is the event of a callback; the call is not ringing yet. */
const names: Readonly<Record<string, CallStatus>> = {
  queued: "queued",
  initiated: "queued",
  ringing: "ringing",
  "in-progress": "in_progress",
  answered: "in_progress",
  completed: "completed",
  busy: "busy",
  "no-answer": "no_answer",
  failed: "failed",
  canceled: "canceled"
}

/** Our status for the provider's name; `undefined` for an unknown name. */
export const statusNamed = (name: string): CallStatus | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined

const rank: Readonly<Record<CallStatus, number>> = {
  queued: 0,
  ringing: 1,
  in_progress: 2,
  completed: 3,
  busy: 3,
  no_answer: 3,
  failed: 3,
  canceled: 3
}

/** Whether the call is over with this status. */
export const isFinal = (status: CallStatus): boolean => rank[status] === 3

const further = (known: ProviderState | null, news: ProviderState): ProviderState => {
  if (known === null) return news
  if (rank[news.status] !== rank[known.status]) return rank[news.status] > rank[known.status] ? news : known
  return (news.sequence ?? -1) > (known.sequence ?? -1) ? news : known
}

/**
 * The status of a call whose end both sides report. The provider decides whether the callee was reached. If it completed the connection, our
 * status counts, because the call may have failed on our side without anybody speaking.
 */
const endOf = (own: CallStatus, provider: CallStatus): CallStatus => (provider === "completed" ? own : provider)

/** The progress after the provider reported a state. */
export const nextStatus = (current: CallProgress, callback: ProviderState): CallProgress => {
  const provider = further(current.provider, callback)
  if (isFinal(provider.status))
    return { ...current, provider, status: current.settled ? endOf(current.status, provider.status) : provider.status }
  // An unsettled final status was a guess ("it was never placed"); the provider's report replaces it.
  const moves = isFinal(current.status) ? !current.settled : rank[provider.status] > rank[current.status]
  return { ...current, provider, status: moves ? provider.status : current.status }
}

/** The progress after the service saw the call end with status `own`. */
export const settle = (current: CallProgress, own: CallStatus): CallProgress => {
  const told = current.provider?.status
  return { ...current, settled: true, status: told !== undefined && isFinal(told) ? endOf(own, told) : own }
}
