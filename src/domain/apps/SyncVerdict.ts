/** Decides what follows from an attempt to tell an integration of a change. Pure. */
import { longestRetryAfterMs } from "../basics/RetryAfter.ts"
import type { AppFailure } from "./AppAdapter.ts"

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Pauses between attempts, in milliseconds: nine attempts over a little more than a day. */
export const syncDelaysMs: ReadonlyArray<number> = [
  10 * second,
  minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  8 * hour,
  9 * hour
]
const jitter = 0.2
/** Refused credentials are tried again after this time. */
export const probeEveryMs = 5 * minute
/** After so long of refusals a person has to connect again. */
export const reconnectAfterMs = 4 * day

export interface SyncAttempt {
  /** Undefined: the provider took it. */
  readonly failure: Pick<AppFailure, "action" | "message" | "retryAfterMs" | "final"> | undefined
  /** Failed attempts before this one. */
  readonly failures: number
  /** Since when the credentials are refused, Unix milliseconds. */
  readonly failingSince: number | null
  readonly now: number
  /** A random number from 0 to 1. */
  readonly random: number
}

/** What becomes of the change, and what is now known of the connection. Times are Unix milliseconds. */
export interface SyncOutcome {
  readonly task: "done" | "again" | "dead"
  readonly error: string | null
  readonly dueAt: number | null
  /** Whether this attempt counts as a failure of the change. */
  readonly counts: boolean
  /** `works`, or what is wrong with the credentials; undefined: nothing is known of them. */
  readonly credentials: "works" | "failing" | "reconnect" | undefined
  /** Nothing is sent over the connection before this time. */
  readonly resumeAt: number | null
}

export const syncVerdict = ({ failure, failures, failingSince, now, random }: SyncAttempt): SyncOutcome => {
  if (failure === undefined)
    return { task: "done", error: null, dueAt: null, counts: false, credentials: "works", resumeAt: null }
  const { message: error, retryAfterMs = 0 } = failure
  switch (failure.action) {
    case "give_up":
      return { task: "dead", error, dueAt: null, counts: true, credentials: undefined, resumeAt: null }
    case "wait": {
      const until = now + Math.min(Math.max(retryAfterMs, second), longestRetryAfterMs)
      return { task: "again", error, dueAt: now, counts: false, credentials: undefined, resumeAt: until }
    }
    case "reconnect": {
      const lost = failure.final === true || (failingSince !== null && now - failingSince >= reconnectAfterMs)
      return {
        ...{ task: "again", error, dueAt: now, counts: false },
        ...{ credentials: lost ? "reconnect" : "failing", resumeAt: lost ? null : now + probeEveryMs }
      }
    }
    case "retry": {
      const pause = syncDelaysMs[failures]
      const shared = { error, counts: true, credentials: undefined, resumeAt: null }
      if (pause === undefined) return { ...shared, task: "dead", dueAt: null }
      const longer = Math.max(pause * (1 + jitter * random), Math.min(retryAfterMs, longestRetryAfterMs))
      return { ...shared, task: "again", dueAt: Math.round(now + longer) }
    }
  }
}
