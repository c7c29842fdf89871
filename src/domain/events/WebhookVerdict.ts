/** What an attempt at a delivery means: it arrived, it is tried again and when, it is given up, the endpoint is switched off. Pure. */
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
/** Added to a pause at most, as a part of it: what failed together is not tried together. */
const jitter = 0.2
/** An endpoint that has taken nothing for so long is switched off. */
export const disableAfterMs = 5 * day

export interface Attempt {
  readonly answer: WebhookAnswer
  readonly durationMs: number
  /** This one included. */
  readonly attempts: number
  /** Since when the endpoint takes nothing; null: its last delivery arrived. Unix milliseconds. */
  readonly failingSince: number | null
  readonly now: number
  /** From 0 to 1. */
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
