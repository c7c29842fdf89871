/**
 * The delivery as a process of its own, against the database and channel named in the environment. At the step FREEZE_AT it says "frozen" and
 * does nothing more: then it can be killed between that step and the next.
 */
import { Effect, Layer, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import * as DeliveryWorker from "../../src/actors/delivery/Worker.ts"
import { MediaFiles } from "../../src/domain/Media.ts"
import { MediaConversion } from "../../src/domain/MediaConversion.ts"
import { Messages } from "../../src/domain/Message.ts"
import { Outbox } from "../../src/domain/Outbox.ts"
import * as CloudApiLayers from "../../src/integrations/channel/CloudApiLayers.ts"
import * as Database from "../../src/integrations/postgres/Database.ts"
import * as OutboxQueue from "../../src/integrations/postgres/OutboxQueue.ts"
import * as Repositories from "../../src/integrations/postgres/Repositories.ts"
import * as KeyRing from "../../src/integrations/secrets/KeyRing.ts"

export type Step = "claimed" | "begun" | "answered" | "stored"

const { DATABASE_URL = "", ENCRYPTION_KEYS = "", CHANNEL_URL = "", FREEZE_AT, PATIENCE_MS = "1500" } = process.env

const freezeAt = (step: Step) =>
  FREEZE_AT === step
    ? Effect.andThen(
        Effect.sync(() => console.log("frozen")),
        Effect.never
      )
    : Effect.void

/** Around the real ones. */
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

const stores = Repositories.layer.pipe(
  Layer.provideMerge(
    Layer.merge(
      Database.layer({ url: Redacted.make(DATABASE_URL), maxConnections: 5 }),
      KeyRing.layer({ ring: Redacted.make(ENCRYPTION_KEYS) })
    )
  )
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
  Layer.provide(stores)
)

const run = Effect.gen(function* () {
  yield* Layer.build(delivery)
  console.log("running")
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
