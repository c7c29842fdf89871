/** How long the caller has been silent: the timer behind "are you still there?". */
import { Effect } from "effect"

/** A caller who makes sounds without words does not postpone the question for longer than this. Milliseconds. */
const graceMs = 4_000
const pollMs = 250

export interface SilenceOptions {
  /** Silence to wait for, from now or from the caller's last words. Milliseconds. */
  readonly patienceMs: number
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** When words of the caller last came, on the same clock. */
  readonly wordsAt: () => number
  /** Whether the caller is making sounds whose words are not known yet. */
  readonly unfinished: () => boolean
}

/**
 * Returns when the caller has said nothing for long enough. Only words move the deadline; sounds put it off for a while, so that a
 * noisy line does not postpone it for ever.
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
