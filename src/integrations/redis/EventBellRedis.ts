/**
 * Carries the bell of the event log between processes. Rings of this one are published, a few together; those of the others are heard as
 * echoes. A word that is lost costs a second: readers look by themselves.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Queue } from "effect"
import { Redis } from "effect/persistence"
import { EventBell } from "../../domain/events/EventBell.ts"
import { quietly } from "../resilience/Quietly.ts"
import { hearForEver } from "./Hearing.ts"

const channel = "parley:events"
/** Rings this close together are one word. */
const together = "10 millis"

export const layer: Layer.Layer<never, never, Redis.Redis> = Layer.effectDiscard(
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const bell = yield* EventBell
    const self = randomUUID()
    const rung = yield* Queue.sliding<void>(1)
    const attempt = quietly("Other processes are not told of new events")
    const silence = bell.listen(() => void Queue.offerUnsafe(rung, undefined), { echoes: false })
    yield* Effect.addFinalizer(() => Effect.sync(silence))

    const publish = attempt(redis.send("PUBLISH", channel, self))
    const relay = Queue.take(rung).pipe(Effect.andThen(publish), Effect.andThen(Effect.sleep(together)), Effect.forever)
    yield* Effect.forkScoped(relay)
    yield* hearForEver(redis, channel, "New events of other processes are not heard of", (ringer) => {
      if (ringer !== self) bell.echo()
    })
  })
)
