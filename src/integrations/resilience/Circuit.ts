/**
 * A circuit breaker in front of one provider. After some failures in a row it refuses requests at once, so that a caller hears an apology now instead
 * of after a time-out. Then one request at a time tests whether the provider is back. Only failures in a row open the circuit, because a provider
 * that answers now and then is better than none. Each process decides for itself.
 */
import { Cause, Clock, Effect, Exit, Metric } from "effect"
import { ProviderHealth } from "../../domain/events/ProviderHealth.ts"
import { Breaker, type BreakerPolicy, type Outcome, type Transition } from "./Breaker.ts"

export type CircuitPolicy = BreakerPolicy

export interface CircuitOptions<E> {
  /** Service and provider, as metrics and logs name them: `text-to-speech/deepgram`. */
  readonly provider: string
  /** One word for the metric of errors. `rejected` means that the request was wrong, not the provider. */
  readonly reasonOf: (error: E) => string
  /** Whether an error counts against the provider. Default: every reason but `rejected`. */
  readonly blames?: (error: E) => boolean
  /** The port's own error for a request that was not made. */
  readonly refuse: (message: string) => E
  readonly policy?: Partial<CircuitPolicy> | undefined
}

export interface Circuit<E> {
  /**
   * Runs a request (with its time-out inside), or fails at once while the circuit is open. An interruption does not count, nor does the failure of a
   * repeated request (`again`).
   */
  readonly guard: <A, R>(request: Effect.Effect<A, E, R>, again?: boolean) => Effect.Effect<A, E, R>
  /** For long requests: the request counts as a success once `healthy` was called. Later failures do not count against the provider. */
  readonly guardUntil: <A, R>(
    request: (healthy: () => void) => Effect.Effect<A, E, R>,
    again?: boolean
  ) => Effect.Effect<A, E, R>
  /** Milliseconds until the circuit may let a request through. */
  readonly waitMs: () => number
}

/** The first opening is short: with many calls a short failure of the provider opens the circuit, and must not last longer because of that. */
const defaults: CircuitPolicy = { failures: 5, openMs: 250, longestOpenMs: 15_000 }

const states: ReadonlyArray<Transition["to"]> = ["closed", "open", "half_open"]

const circuitState = Metric.gauge("parley_provider_circuit", {
  description: "1 for the state the circuit of a provider is in, 0 for the others"
})
const errorCount = Metric.counter("parley_provider_errors_total", {
  description: "Requests to providers that failed, by reason; circuit_open: not even made",
  incremental: true
})

const showState = (provider: string, current: Transition["to"]) =>
  Effect.forEach(
    states,
    (state) => Metric.update(Metric.withAttributes(circuitState, { provider, state }), state === current ? 1 : 0),
    { discard: true }
  )

const logTransition = (transition: Transition) => {
  switch (transition.to) {
    case "open": {
      const { openMs, consecutiveOpenings } = transition
      return Effect.logWarning("provider circuit open, its requests fail at once", { openMs, consecutiveOpenings })
    }
    case "half_open":
      return Effect.logInfo("provider circuit half open, one request tries")
    case "closed":
      return Effect.logInfo("provider circuit closed, the provider is back")
  }
}

/** Makes a circuit. It starts closed. */
export const makeCircuit: <E>(options: CircuitOptions<E>) => Effect.Effect<Circuit<E>> = Effect.fnUntraced(function* <
  E
>(options: CircuitOptions<E>) {
  const { provider, reasonOf, refuse } = options
  const policy: BreakerPolicy = { ...defaults, ...options.policy }
  const blames = options.blames ?? ((error: E) => reasonOf(error) !== "rejected")
  /** Transitions that were not logged yet. */
  const news: Array<Transition> = []
  const clock = yield* Clock.Clock
  const health = yield* ProviderHealth
  health.uses(provider)
  const breaker = new Breaker(policy, (transition) => {
    news.push(transition)
    const now = clock.currentTimeMillisUnsafe()
    if (transition.to === "open") health.failed(provider, now)
    if (transition.to === "closed") health.works(provider, now)
  })
  yield* showState(provider, "closed")

  const tell = Effect.suspend(() =>
    Effect.forEach(
      news.splice(0),
      (transition) => Effect.andThen(showState(provider, transition.to), logTransition(transition)),
      { discard: true }
    )
  ).pipe(Effect.annotateLogs({ provider }))
  const count = (reason: string) => Metric.update(Metric.withAttributes(errorCount, { provider, reason }), 1)
  const refused = Effect.suspend(() =>
    Effect.andThen(
      count("circuit_open"),
      Effect.fail(refuse(`${provider} has failed ${policy.failures} times in a row and is not asked for now`))
    )
  )
  /** What an exit means for the circuit. A defect is our bug and does not count against the provider. */
  const judge = (
    exit: Exit.Exit<unknown, E>,
    again: boolean
  ): { readonly outcome: Outcome; readonly reason?: string } => {
    if (Exit.isSuccess(exit)) return { outcome: "success" }
    const error = Cause.findErrorOption(exit.cause)
    if (error._tag === "None") return { outcome: "ignored" }
    const failure = again ? "failed_again" : "failure"
    return { outcome: blames(error.value) ? failure : "ignored", reason: reasonOf(error.value) }
  }

  const guardUntil: Circuit<E>["guardUntil"] = (request, again = false) =>
    Effect.uninterruptibleMask((restore) => {
      const record = (admission: number, outcome: Outcome) =>
        breaker.record(admission, outcome, clock.currentTimeMillisUnsafe())
      const toldNews = () => (news.length === 0 ? Effect.void : tell)
      const admission = breaker.admit(clock.currentTimeMillisUnsafe())
      if (admission === undefined) return refused
      let proven = false
      const healthy = () => {
        if (proven) return
        proven = true
        record(admission, "success")
      }
      const guarded = Effect.onExit(restore(request(healthy)), (exit) => {
        if (proven) return toldNews()
        const { outcome, reason } = judge(exit, again)
        record(admission, outcome)
        return reason === undefined ? toldNews() : Effect.andThen(count(reason), toldNews())
      })
      return news.length === 0 ? guarded : Effect.andThen(tell, guarded)
    })

  const guard: Circuit<E>["guard"] = (request, again) => guardUntil(() => request, again)

  return { guard, guardUntil, waitMs: () => breaker.waitMs(clock.currentTimeMillisUnsafe()) }
})
