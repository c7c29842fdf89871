/**
 * Carries the wake-ups of the event log between processes. It publishes those of this process, several as one, and relays those of the others. A
 * lost wake-up costs a second, because readers also look by themselves.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Queue } from "effect"
import { Redis } from "effect/persistence"
import { EventWakeUp } from "../../domain/events/EventWakeUp.ts"
import { quietly } from "../resilience/Quietly.ts"
import { hearForEver } from "./Hearing.ts"

const channel = "parley:events"
/** Wake-ups this close together are published as one. */
const together = "10 millis"

export const layer: Layer.Layer<never, never, Redis.Redis> = Layer.effectDiscard(
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const wakeUp = yield* EventWakeUp
    const self = randomUUID()
    const wakeUps = yield* Queue.sliding<void>(1)
    const attempt = quietly("Other processes are not told of new events")
    const silence = wakeUp.listen(() => void Queue.offerUnsafe(wakeUps, undefined), { relayed: false })
    yield* Effect.addFinalizer(() => Effect.sync(silence))

    const publish = attempt(redis.send("PUBLISH", channel, self))
    const publishAll = Queue.take(wakeUps).pipe(
      Effect.andThen(publish),
      Effect.andThen(Effect.sleep(together)),
      Effect.forever
    )
    yield* Effect.forkScoped(publishAll)
    yield* hearForEver(redis, channel, "New events of other processes are not heard of", (sender) => {
      if (sender !== self) wakeUp.relay()
    })
  })
)
