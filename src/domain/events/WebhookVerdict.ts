/** Decides what follows from an attempt at a delivery: it arrived, it is retried and when, it has failed, or the endpoint is disabled. Pure. */
import { longestRetryAfterMs } from "../basics/RetryAfter.ts"
import type { WebhookAnswer, WebhookOutcome } from "./Webhook.ts"

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Pauses between attempts, in milliseconds: eight attempts over a little more than a day. */
export const retryDelaysMs: ReadonlyArray<number> = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour
]
/** The largest random share that is added to a pause, so that deliveries that failed together are not retried together. */
const jitter = 0.2
/** An endpoint that has accepted nothing for this long is disabled. Milliseconds. */
export const disableAfterMs = 5 * day

export interface Attempt {
  readonly answer: WebhookAnswer
  readonly durationMs: number
  /** The number of attempts, including this one. */
  readonly attempts: number
  /** Since when the endpoint accepts nothing, Unix milliseconds; null: its last delivery arrived. */
  readonly failingSince: number | null
  readonly now: number
  /** A random number from 0 to 1. */
  readonly random: number
}

const gone = "The endpoint answered 410 (Gone)."
const dead = "The endpoint took nothing for 5 days."

const errorOf = (answer: WebhookAnswer): string => {
  if (answer._tag === "Unanswered") return answer.error
  const { status } = answer
  if (status >= 300 && status < 400) return `The endpoint answered ${status}: redirects are not followed.`
  return `The endpoint answered ${status}.`
}

/** Milliseconds until the next attempt; `undefined` when there is none. */
const pauseOf = ({ answer, attempts, random }: Attempt): number | undefined => {
  const scheduled = retryDelaysMs[attempts - 1]
  if (scheduled === undefined) return undefined
  const asked = answer._tag === "Answered" ? (answer.retryAfterMs ?? 0) : 0
  return Math.round(Math.max(scheduled * (1 + jitter * random), Math.min(asked, longestRetryAfterMs)))
}

/** The outcome of an attempt. Any status of 2xx means that it arrived; 410 disables the endpoint at once. */
export const verdict = (attempt: Attempt): WebhookOutcome => {
  const { answer, durationMs, failingSince, now } = attempt
  const seen =
    answer._tag === "Answered"
      ? { httpStatus: answer.status, response: answer.body }
      : { httpStatus: null, response: null }
  const shared = { ...seen, durationMs, dueAt: undefined, disable: undefined }
  if (answer._tag === "Answered" && answer.status >= 200 && answer.status < 300)
    return { ...shared, status: "delivered", error: null }
  const failed = { ...shared, error: errorOf(answer) }
  if (answer._tag === "Answered" && answer.status === 410) return { ...failed, status: "failed", disable: gone }
  if (failingSince !== null && now - failingSince >= disableAfterMs)
    return { ...failed, status: "failed", disable: dead }
  const pause = pauseOf(attempt)
  return pause === undefined ? { ...failed, status: "failed" } : { ...failed, status: "pending", dueAt: now + pause }
}
