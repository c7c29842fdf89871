/** Hearing what is published on a channel of Redis, also when the server is not there yet. */
import { Deferred, Effect, Queue } from "effect"
import type { Redis } from "effect/persistence"
import { quietly } from "../resilience/Quietly.ts"

/**
 * Hears for as long as the scope: it is tried until the server is there, and stays subscribed when the connection comes back. What is said
 * meanwhile is lost. Returns when it was tried once; `trouble` says in the log what does not work while it does not.
 */
export const hearForEver = Effect.fnUntraced(function* (
  redis: Redis.Redis["Service"],
  channel: string,
  trouble: string,
  hear: (message: string) => void
) {
  const tried = yield* Deferred.make<void>()
  const attempt = quietly(trouble)
  const listen = Effect.gen(function* () {
    const words = yield* redis.subscribe(channel)
    yield* Deferred.succeed(tried, undefined)
    while (true) hear((yield* Queue.take(words)).message)
  })
  const again = Effect.andThen(attempt(Effect.scoped(listen)), Effect.sleep("2 seconds"))
  yield* Effect.forkScoped(Effect.forever(again))
  yield* Deferred.await(tried)
})
