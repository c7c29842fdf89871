/**
 * Sends due deliveries to customers' servers. Each delivery has its own fiber. Only a few run at a time per endpoint and organization, so that a
 * slow or dead endpoint does not delay others. A failing endpoint gets one delivery at a time. Several processes may run it.
 */
import { Clock, Effect, FiberSet, Layer, Metric, Queue, Random } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  type ClaimedDelivery,
  type WebhookClaim,
  WebhookQueue,
  WebhookSender,
  webhookBody
} from "../../../domain/events/Webhook.ts"
import { signedHeaders } from "../../../domain/events/WebhookSignature.ts"
import { verdict } from "../../../domain/events/WebhookVerdict.ts"
import { fanOutForEver } from "./FanOut.ts"

export interface WebhookWorkerOptions {
  /** How often it looks for what is due, in milliseconds. Default 1,000. */
  readonly lookEveryMs?: number
  /** Milliseconds until another process may take over a delivery of this one. Longer than a request may take. Default 60,000. */
  readonly leaseMs?: number
}

/** The most deliveries at a time, in this process. */
const perEndpoint = { healthy: 4, failing: 1 }
const perOrganization = 16
const perProcess = 256

const count = Metric.counter("parley_webhook_deliveries_total", {
  description: "Attempts to deliver outgoing webhooks, by what came of them",
  incremental: true
})

/** Counts running deliveries by name. */
const makeTally = () => {
  const running = new Map<string, number>()
  const of = (name: string) => running.get(name) ?? 0
  const add = (name: string, change: 1 | -1) => {
    const left = of(name) + change
    if (left === 0) running.delete(name)
    else running.set(name, left)
  }
  return { of, add, names: () => [...running.keys()] }
}

/** Needs EventFeed, WebhookQueue, WebhookSender and Organizations. */
export const layer = (options: WebhookWorkerOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const queue = yield* WebhookQueue
      const sender = yield* WebhookSender
      const { lookEveryMs = 1_000, leaseMs = 60_000 } = options
      const running = yield* FiberSet.make()
      const endpoints = makeTally()
      const organizations = makeTally()
      const signal = yield* Queue.sliding<void>(1)
      const wake = Effect.asVoid(Queue.offer(signal, undefined))

      const attempt = traced("Webhooks.deliver")(function* (claim: WebhookClaim, delivery: ClaimedDelivery) {
        const began = yield* Clock.currentTimeMillis
        const body = webhookBody(delivery.event)
        const signed = signedHeaders(claim.secrets, delivery.event.id, body, began)
        const answer = yield* sender.post(claim.url, { ...claim.headers, ...signed }, body)
        const now = yield* Clock.currentTimeMillis
        const outcome = verdict({
          answer,
          durationMs: now - began,
          attempts: delivery.attempts,
          failingSince: claim.failingSince,
          now,
          random: yield* Random.next
        })
        yield* Metric.update(Metric.withAttributes(count, { outcome: outcome.status }), 1)
        yield* queue.settle(claim, delivery, outcome, now)
      })

      /** A delivery whose outcome cannot be stored is sent again with the same id when the lease ends. */
      const deliver = (claim: WebhookClaim, delivery: ClaimedDelivery) =>
        attempt(claim, delivery).pipe(
          Effect.catchCause((cause) =>
            Effect.logWarning("a webhook delivery could not be noted", { delivery: delivery.id }, cause)
          ),
          Effect.ensuring(
            Effect.sync(() => {
              endpoints.add(claim.endpointId, -1)
              organizations.add(claim.organizationId, -1)
              Queue.offerUnsafe(signal, undefined)
            })
          )
        )

      const claim = Effect.fnUntraced(function* (organizationId: string, endpointId: string, left: number) {
        const busy = endpoints.of(endpointId)
        const room = Math.min(left, perOrganization - organizations.of(organizationId))
        const most = {
          healthy: Math.min(room, perEndpoint.healthy - busy),
          failing: Math.min(room, perEndpoint.failing - busy)
        }
        if (most.healthy <= 0) return
        const taken = yield* queue.claim(organizationId, endpointId, yield* Clock.currentTimeMillis, leaseMs, most)
        if (taken === undefined) return
        for (const delivery of taken.deliveries) {
          endpoints.add(endpointId, 1)
          organizations.add(organizationId, 1)
          yield* FiberSet.run(running, deliver(taken, delivery))
        }
      })

      /** An error of one endpoint does not affect the others. */
      const claimOrComplain = (organizationId: string, endpointId: string, left: number) =>
        Effect.catchCause(claim(organizationId, endpointId, left), (cause) =>
          Effect.logError("deliveries of a webhook endpoint could not be taken", { organizationId, endpointId }, cause)
        )

      const look = Effect.gen(function* () {
        const full = endpoints.names().filter((id) => endpoints.of(id) >= perEndpoint.healthy)
        for (const due of yield* queue.due(yield* Clock.currentTimeMillis, full, 500)) {
          const left = perProcess - (yield* FiberSet.size(running))
          if (left <= 0) return
          yield* claimOrComplain(due.organizationId, due.endpointId, left)
        }
      })

      yield* Effect.forkScoped(fanOutForEver(wake))
      const rhythm = { every: lookEveryMs, wake: Queue.take(signal) }
      yield* periodically("webhooks could not look for what is due", rhythm, look)
    })
  )
