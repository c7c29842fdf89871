/**
 * The delivery as a process of its own, with the database and channel named in the environment. At the step FREEZE_AT it prints "frozen" and
 * does nothing more, so that a test can kill it between that step and the next.
 */
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import * as DeliveryWorker from "../../src/actors/messaging/delivery/DeliveryWorker.ts"
import { Messages } from "../../src/domain/messaging/conversations/Message.ts"
import { MediaFiles } from "../../src/domain/messaging/media/Media.ts"
import { MediaConversion } from "../../src/domain/messaging/media/MediaConversion.ts"
import { Outbox } from "../../src/domain/messaging/sending/Outbox.ts"
import * as CloudApiLayers from "../../src/integrations/channel/CloudApiLayers.ts"
import * as OutboxQueue from "../../src/integrations/postgres/messaging/conversations/OutboxQueue.ts"
import { environmentOf, freezing, storesOf } from "./stores.ts"

export type Step = "claimed" | "begun" | "answered" | "stored"

const { CHANNEL_URL = "", PATIENCE_MS = "1500" } = process.env

const freezeAt = freezing<Step>(process.env)

/** Wraps the real stores to freeze before or after their steps. */
const frozenOutbox = Layer.effect(
  Outbox,
  Effect.map(Outbox, ({ begin }) => ({
    begin: (claim, now, patienceMs) =>
      freezeAt("claimed").pipe(
        Effect.andThen(begin(claim, now, patienceMs)),
        Effect.tap(() => freezeAt("begun"))
      )
  }))
)
const frozenMessages = Layer.effect(
  Messages,
  Effect.map(Messages, (messages) => ({
    ...messages,
    report: (organizationId, which, report) =>
      freezeAt("answered").pipe(
        Effect.andThen(messages.report(organizationId, which, report)),
        Effect.tap(() => freezeAt("stored"))
      )
  }))
)

const delivery = DeliveryWorker.layer({
  firstRetryMs: 50,
  longestRetryMs: 200,
  patienceMs: Number(PATIENCE_MS),
  handoverMs: 10_000
}).pipe(
  Layer.provide([
    frozenOutbox,
    frozenMessages,
    OutboxQueue.layer({ lookEvery: "50 millis", leaseMs: 1_500 }),
    RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory)),
    CloudApiLayers.layer({ baseUrl: CHANNEL_URL, version: "v23.0", timeoutMs: 10_000 }).pipe(
      Layer.provide([Layer.mock(MediaFiles, {}), Layer.mock(MediaConversion, {})])
    )
  ]),
  Layer.provide(storesOf(environmentOf(process.env)))
)

const run = Effect.gen(function* () {
  yield* Layer.build(delivery)
  console.log("running")
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
