/** The service of one process that makes deliveries of events and sends them to customers. `reached` runs at each step between two writes. */
import { Effect, Layer } from "effect"
import * as EventHub from "../../src/actors/events/EventHub.ts"
import * as WebhookWorker from "../../src/actors/events/webhooks/WebhookWorker.ts"
import { WebhookQueue, WebhookSender } from "../../src/domain/events/Webhook.ts"
import * as HttpWebhooks from "../../src/integrations/webhooks/HttpWebhooks.ts"
import { type StoresEnvironment, storesOf } from "./stores.ts"

/** The steps in the order of an event. */
export type Step = "noticed" | "fannedOut" | "claimed" | "answered" | "settled"

type Reached = (step: Step) => Effect.Effect<void>

const watchedQueue = (reached: Reached) =>
  Layer.effect(
    WebhookQueue,
    Effect.map(WebhookQueue, (queue) => ({
      ...queue,
      fanOut: (organizationId, skip, now) =>
        reached("noticed").pipe(
          Effect.andThen(queue.fanOut(organizationId, skip, now)),
          Effect.tap(() => reached("fannedOut"))
        ),
      claim: (organizationId, endpointId, now, leaseMs, most) =>
        Effect.tap(queue.claim(organizationId, endpointId, now, leaseMs, most), (claim) =>
          claim === undefined ? Effect.void : reached("claimed")
        ),
      settle: (claim, delivery, outcome, now) =>
        Effect.tap(queue.settle(claim, delivery, outcome, now), () => reached("settled"))
    }))
  )

const watchedSender = (reached: Reached) =>
  Layer.effect(
    WebhookSender,
    Effect.map(WebhookSender, (sender) => ({
      ...sender,
      post: (url, headers, body) => Effect.tap(sender.post(url, headers, body), () => reached("answered"))
    }))
  )

/** Lives as long as the scope. A sender that is killed needs a short lease; any other needs one that is longer than a request on a slow machine. */
export const startSender = (environment: StoresEnvironment, leaseMs: number, reached: Reached = () => Effect.void) =>
  Layer.build(
    WebhookWorker.layer({ lookEveryMs: 50, leaseMs }).pipe(
      Layer.provide([
        EventHub.layer(),
        watchedQueue(reached),
        watchedSender(reached).pipe(Layer.provide(HttpWebhooks.layer({ allowPrivateNetwork: true })))
      ]),
      Layer.provide(storesOf(environment))
    )
  )
