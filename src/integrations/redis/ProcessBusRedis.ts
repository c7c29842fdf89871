/** Carries the messages of the bus between processes. A message is lost while Redis is out of reach, and when more wait than `most`. */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Option, Queue, Schema } from "effect"
import { Redis } from "effect/persistence"
import { type BusMessage, ProcessBus } from "../../domain/basics/bus/ProcessBus.ts"
import { JsonRecord } from "../../domain/basics/Json.ts"
import { quietly } from "../resilience/Quietly.ts"
import { hearForEver } from "./Hearing.ts"

const channel = "parley:bus"
const most = 2_000

const Sent = Schema.Struct({
  from: Schema.String,
  organizationId: Schema.String,
  type: Schema.String,
  at: Schema.Number,
  data: JsonRecord
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Sent))

export const layer: Layer.Layer<never, never, Redis.Redis> = Layer.effectDiscard(
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const bus = yield* ProcessBus
    const self = randomUUID()
    const waiting = yield* Queue.sliding<BusMessage>(most)
    const attempt = quietly("Other processes are not told what happens now")
    const silence = bus.listen((message) => void Queue.offerUnsafe(waiting, message), { relayed: false })
    yield* Effect.addFinalizer(() => Effect.sync(silence))
    const publish = Effect.flatMap(Queue.take(waiting), (message) =>
      attempt(redis.send("PUBLISH", channel, JSON.stringify({ from: self, ...message })))
    )
    yield* Effect.forkScoped(Effect.forever(publish))
    yield* hearForEver(redis, channel, "What happens in other processes is not heard of", (text) => {
      const sent = decode(text)
      if (Option.isNone(sent) || sent.value.from === self) return
      const { from: _, ...message } = sent.value
      bus.relay(message)
    })
  })
)
