/**
 * The state of a circuit, which decides whether a provider may be asked. Synchronous and without its own clock, because it is used several times in
 * each turn of a call.
 */

export interface BreakerPolicy {
  /** Failures in a row that open the circuit. */
  readonly failures: number
  /** How long it stays open the first time, in milliseconds; 1.5 times as long after each failed probe. */
  readonly openMs: number
  /** Longest opening in milliseconds. */
  readonly longestOpenMs: number
}

/** What a request shows about the provider. `ignored`: nothing. `failed_again`: a repeated attempt failed; it counts only as a failed probe. */
export type Outcome = "success" | "failure" | "failed_again" | "ignored"

export type Transition =
  | { readonly to: "open"; readonly openMs: number; readonly consecutiveOpenings: number }
  | { readonly to: "half_open" }
  | { readonly to: "closed" }

/** With this growth a provider's return is noticed, at the latest, after 1.5 times the length of its outage. */
const growth = 1.5

export class Breaker {
  readonly #policy: BreakerPolicy
  readonly #onTransition: (transition: Transition) => void
  #state: Transition["to"] = "closed"
  /** Counts transitions: requests from an earlier state do not count in this one. */
  #generation = 0
  #failures = 0
  #openings = 0
  #openUntilMs = 0
  #probing = false

  constructor(policy: BreakerPolicy, onTransition: (transition: Transition) => void) {
    this.#policy = policy
    this.#onTransition = onTransition
  }

  /** Returns the number to `record` the request's outcome with; undefined when the request must not be made. */
  admit(nowMs: number): number | undefined {
    if (this.#state === "open" && nowMs >= this.#openUntilMs) this.#enter({ to: "half_open" })
    if (this.#state === "closed") return this.#generation
    if (this.#state === "open" || this.#probing) return undefined
    this.#probing = true
    return this.#generation
  }

  /** Milliseconds until a request may pass; 0 when one may pass now, and while a probe is running. */
  waitMs(nowMs: number): number {
    return this.#state === "open" ? Math.max(0, this.#openUntilMs - nowMs) : 0
  }

  /** Records the outcome of a request. `admission`: the number from `admit`. */
  record(admission: number, outcome: Outcome, nowMs: number): void {
    if (admission !== this.#generation) return
    this.#probing = false
    if (outcome === "success") {
      this.#failures = 0
      if (this.#state === "half_open") {
        this.#openings = 0
        this.#enter({ to: "closed" })
      }
    } else if (this.#isTheLast(outcome)) {
      const { openMs, longestOpenMs } = this.#policy
      const lasts = Math.min(Math.round(openMs * growth ** this.#openings), longestOpenMs)
      this.#openUntilMs = nowMs + lasts
      this.#enter({ to: "open", openMs: lasts, consecutiveOpenings: ++this.#openings })
    }
  }

  /** Whether this failure opens the circuit. */
  #isTheLast(outcome: Outcome): boolean {
    if (outcome === "ignored") return false
    if (this.#state === "half_open") return true
    return outcome === "failure" && ++this.#failures >= this.#policy.failures
  }

  #enter(transition: Transition): void {
    this.#state = transition.to
    this.#generation++
    this.#failures = 0
    this.#onTransition(transition)
  }
}
