/** Subscribes to a channel of Redis, also when the server is not there yet. */
import { Deferred, Effect, Queue } from "effect"
import type { Redis } from "effect/persistence"
import { quietly } from "../resilience/Quietly.ts"

/**
 * Calls `hear` for each message until the scope closes. It retries until the server is there, and stays subscribed when the connection comes
 * back. Messages in between are lost. It returns after the first subscription. `trouble` is the log message of a failure.
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
