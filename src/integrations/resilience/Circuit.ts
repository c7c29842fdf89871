/**
 * A circuit breaker in front of one provider. After some failures in a row its requests are refused at once, so that a caller hears an
 * apology now instead of after a time-out; then one request at a time tries whether the provider is back. Half-broken is not broken: a
 * provider that answers now and then is better than none, which is why only an unbroken row of failures opens the circuit.
 * Each process judges for itself.
 */
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Layer, Metric, Schedule, type Scope, Stream } from "effect"
import { CircuitBreaker } from "effect/persistence"

export interface CircuitPolicy {
  /** Failures in a row that open the circuit. Default 5. */
  readonly failures: number
  /**
   * How long it stays open the first time, in milliseconds; doubles with each failed probe. Default 250: with many calls a blip of the
   * provider is enough to open it, and must not last longer for that.
   */
  readonly openMs: number
  /** Longest opening in milliseconds. Default 15,000. */
  readonly longestOpenMs: number
}

export interface CircuitOptions<E> {
  /** Service and provider, as metrics and logs name them: `text-to-speech/deepgram`. */
  readonly provider: string
  /** One word for the metric of errors. `rejected` means that the request was wrong, not the provider. */
  readonly reasonOf: (error: E) => string
  /** Whether an error speaks against the provider. Default: every reason but `rejected`. */
  readonly blames?: (error: E) => boolean
  /** The port's own error for a request that was not made. */
  readonly refuse: (message: string) => E
  readonly policy?: Partial<CircuitPolicy> | undefined
}

export interface Circuit<E> {
  /** Runs a request (with its time-out and retries inside), or fails at once while the circuit is open. Interruption counts as nothing. */
  readonly guard: <A, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** For long requests: good as soon as `healthy` has run. What goes wrong later is the request's failure, not the circuit's. */
  readonly guardUntil: <A, R>(
    request: (healthy: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

const defaults: CircuitPolicy = { failures: 5, openMs: 250, longestOpenMs: 15_000 }

const states = { Closed: "closed", Open: "open", HalfOpen: "half_open" } as const
type State = keyof typeof states

const circuitState = Metric.gauge("parley_provider_circuit", {
  description: "1 for the state the circuit of a provider is in, 0 for the others"
})
const errorCount = Metric.counter("parley_provider_errors_total", {
  description: "Requests to providers that failed, by reason; circuit_open: not even made",
  incremental: true
})

const showState = (provider: string, current: State) =>
  Effect.forEach(
    Object.entries(states),
    ([name, state]) =>
      Metric.update(Metric.withAttributes(circuitState, { provider, state }), name === current ? 1 : 0),
    { discard: true }
  )

const logTransition = (transition: CircuitBreaker.Transition) => {
  switch (transition.to) {
    case "Open": {
      const { consecutiveOpenings } = transition
      const openMs = Duration.toMillis(transition.retryAfter)
      return Effect.logWarning("provider circuit open, its requests fail at once", { openMs, consecutiveOpenings })
    }
    case "HalfOpen":
      return Effect.logInfo("provider circuit half open, one request tries")
    case "Closed":
      return Effect.logInfo("provider circuit closed, the provider is back")
  }
}

const makeBreaker = Effect.fnUntraced(function* (policy: CircuitPolicy) {
  const store = yield* Layer.build(CircuitBreaker.layerStoreMemory())
  return yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(policy.failures),
    openDuration: Schedule.min([Schedule.exponential(policy.openMs), Schedule.spaced(policy.longestOpenMs)])
  }).pipe(Effect.provide(store))
})

const isRefusal = (error: unknown): error is CircuitBreaker.CircuitBreakerError =>
  error instanceof CircuitBreaker.CircuitBreakerError

/** A circuit that lives as long as the scope; closed at first. */
export const makeCircuit: <E>(options: CircuitOptions<E>) => Effect.Effect<Circuit<E>, never, Scope.Scope> =
  Effect.fnUntraced(function* <E>(options: CircuitOptions<E>) {
    const { provider, reasonOf, refuse } = options
    const policy = { ...defaults, ...options.policy }
    const blames = options.blames ?? ((error: E) => reasonOf(error) !== "rejected")
    const breaker = yield* makeBreaker(policy)
    yield* showState(provider, "Closed")
    yield* Stream.runForEach(breaker.transitions, (transition) =>
      Effect.andThen(showState(provider, transition.to), logTransition(transition))
    ).pipe(Effect.annotateLogs({ provider }), Effect.forkScoped({ startImmediately: true }))

    const count = (reason: string) => Metric.update(Metric.withAttributes(errorCount, { provider, reason }), 1)
    const classify = (exit: Exit.Exit<unknown, E>): CircuitBreaker.Outcome => {
      if (Exit.isSuccess(exit)) return CircuitBreaker.success
      // A defect is a bug of ours, not the provider's.
      const error = Cause.findErrorOption(exit.cause)
      return error._tag === "Some" && blames(error.value) ? CircuitBreaker.failure() : CircuitBreaker.ignored
    }

    const guard: Circuit<E>["guard"] = (request) =>
      breaker
        .execute(
          Effect.tapError(request, (error) => count(reasonOf(error))),
          { key: provider, classify }
        )
        .pipe(
          Effect.catchIf(isRefusal, () =>
            Effect.andThen(
              count("circuit_open"),
              Effect.fail(refuse(`${provider} has failed ${policy.failures} times in a row and is not asked for now`))
            )
          )
        )

    const guardUntil: Circuit<E>["guardUntil"] = <A, R>(
      request: (healthy: Effect.Effect<void>) => Effect.Effect<A, E, R>
    ) =>
      Effect.gen(function* () {
        const proven = yield* Deferred.make<void, E>()
        const healthy = Effect.asVoid(Deferred.succeed(proven, undefined))
        const begin = Effect.gen(function* () {
          const running = yield* request(healthy).pipe(
            Effect.onExit((exit) => Deferred.done(proven, Exit.asVoid(exit))),
            Effect.forkChild
          )
          yield* Deferred.await(proven)
          return running
        })
        return yield* Fiber.join(yield* guard(begin))
      })

    return { guard, guardUntil }
  })
