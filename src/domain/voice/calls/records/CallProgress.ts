/**
 * What the telephony provider says of a call, merged with what the service itself knows of it. The provider's callbacks come in any
 * order, repeated, or not at all; the engine's end of the call comes before or after them. Whichever comes last, the status is the same:
 * it is a function of two facts that only ever grow, the furthest the provider has seen the call and how the service saw it end.
 */
import type { CallStatus } from "./CallStatus.ts"

/** A state of the call as the provider tells it; `sequence` is its number of the callback, null when we asked for the state. */
export interface ProviderState {
  readonly status: CallStatus
  readonly sequence: number | null
}

export interface CallProgress {
  readonly status: CallStatus
  /** Does the service itself know how the call ended (the engine's end, or a refusal of ours)? Otherwise a final status is the provider's, or a guess. */
  readonly settled: boolean
  /** The furthest the provider has seen the call; null before its first word. */
  readonly provider: ProviderState | null
}

/** `CallStatus` of the provider, by its names. `initiated` is a callback's event and not yet ringing. */
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

/** Our status for the provider's name; `undefined` for a name nobody knows. */
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

/** Does nothing follow this status? */
export const isFinal = (status: CallStatus): boolean => rank[status] === 3

const further = (known: ProviderState | null, news: ProviderState): ProviderState => {
  if (known === null) return news
  if (rank[news.status] !== rank[known.status]) return rank[news.status] > rank[known.status] ? news : known
  return (news.sequence ?? -1) > (known.sequence ?? -1) ? news : known
}

/**
 * Two ends of one call. A callee who was never reached is the provider's to tell. A connection that the provider saw through may still
 * have failed for us: nobody spoke in it.
 */
const endOf = (own: CallStatus, provider: CallStatus): CallStatus => (provider === "completed" ? own : provider)

/** A state told by the provider. */
export const nextStatus = (current: CallProgress, callback: ProviderState): CallProgress => {
  const provider = further(current.provider, callback)
  if (isFinal(provider.status))
    return { ...current, provider, status: current.settled ? endOf(current.status, provider.status) : provider.status }
  // An unsettled final status was a guess ("it was never placed"), and the provider knows better.
  const moves = isFinal(current.status) ? !current.settled : rank[provider.status] > rank[current.status]
  return { ...current, provider, status: moves ? provider.status : current.status }
}

/** The service saw the call end, as `own`. */
export const settle = (current: CallProgress, own: CallStatus): CallProgress => {
  const told = current.provider?.status
  return { ...current, settled: true, status: told !== undefined && isFinal(told) ? endOf(own, told) : own }
}
