/**
 * Sends due deliveries to customers' servers, a few at a time per endpoint and organization. A failing endpoint gets one delivery at a time. Several
 * processes may run it. Events become deliveries for the organizations that have endpoints (`FollowLog`); an event is one delivery per endpoint.
 */
import { Clock, Effect, Layer, Metric, Random } from "effect"
import { startFairWork } from "../../../domain/basics/FairWork.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { followLog } from "../../../domain/events/FollowLog.ts"
import {
  type ClaimedDelivery,
  type WebhookClaim,
  WebhookQueue,
  WebhookSender,
  webhookBody
} from "../../../domain/events/Webhook.ts"
import { signedHeaders } from "../../../domain/events/WebhookSignature.ts"
import { verdict } from "../../../domain/events/WebhookVerdict.ts"
import { Organizations, planRefusal } from "../../../domain/people/organizations/Organization.ts"

export interface WebhookWorkerOptions {
  /** How often it looks for what is due, in milliseconds. Default 1,000. */
  readonly lookEveryMs?: number
  /** Milliseconds until another process may take over a delivery of this one. Longer than a request may take. Default 60,000. */
  readonly leaseMs?: number
}

/** The most deliveries at a time, in this process. */
const most = { perLane: 4, perOrganization: 16, perProcess: 256 }
const perFailingEndpoint = 1

const count = Metric.counter("parley_webhook_deliveries_total", {
  description: "Attempts to deliver outgoing webhooks, by what came of them",
  incremental: true
})

/** Needs EventFeed, WebhookQueue, WebhookSender and Organizations. */
export const layer = (options: WebhookWorkerOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const queue = yield* WebhookQueue
      const sender = yield* WebhookSender
      const organizations = yield* Organizations
      const { lookEveryMs = 1_000, leaseMs = 60_000 } = options

      const deliver = traced("Webhooks.deliver")(function* (claim: WebhookClaim, delivery: ClaimedDelivery) {
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

      const wake = yield* startFairWork({
        ...{ what: "deliveries of a webhook endpoint", most, lookEveryMs },
        due: (now, full, lanes) =>
          Effect.map(queue.due(now, full, lanes), (found) =>
            found.map(({ organizationId, endpointId }) => ({ organizationId, lane: endpointId }))
          ),
        claim: Effect.fnUntraced(function* ({ organizationId, lane }, now, { most: healthy, busy }) {
          const room = { healthy, failing: Math.min(healthy, perFailingEndpoint - busy) }
          const taken = yield* queue.claim(organizationId, lane, now, leaseMs, room)
          return taken === undefined ? [] : taken.deliveries.map((delivery) => deliver(taken, delivery))
        })
      })

      yield* Effect.forkScoped(
        followLog({
          what: "webhooks",
          behind: queue.behind,
          read: Effect.fnUntraced(function* (organizationId, now) {
            const organization = yield* organizations.find(organizationId)
            // On a plan without webhooks events are skipped, not kept for later.
            const skip = organization === undefined || planRefusal("webhooks", organization) !== undefined
            return yield* queue.fanOut(organizationId, skip, now)
          }),
          made: wake
        })
      )
    })
  )
