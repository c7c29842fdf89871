/** How long the caller has been silent: the timer behind "are you still there?". */
import { Effect } from "effect"

/** Sounds without words postpone the question by at most this long. Milliseconds. */
const graceMs = 4_000
const pollMs = 250

export interface SilenceOptions {
  /** Silence to wait for, from now or from the caller's last words. Milliseconds. */
  readonly patienceMs: number
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** When the last words of the caller came, on the same clock. */
  readonly wordsAt: () => number
  /** Whether the caller is making sounds whose words are not known yet. */
  readonly unfinished: () => boolean
}

/**
 * Returns when the caller has said nothing for `patienceMs`. Only words move the deadline. Sounds postpone it for a limited time, so that a
 * noisy line cannot postpone it for ever.
 */
export const silenceElapsed = Effect.fnUntraced(function* ({ patienceMs, now, wordsAt, unfinished }: SilenceOptions) {
  let deadline = now() + patienceMs
  for (let grace = graceMs; ; ) {
    yield* Effect.sleep(Math.max(pollMs, deadline - now()))
    const spokenUntil = wordsAt() + patienceMs
    if (spokenUntil > now()) deadline = spokenUntil
    else if (unfinished() && grace > 0) grace -= pollMs
    else return
  }
})
