/**
 * Outgoing webhooks: addresses of the customer that are told what happens. What is told, and how it went, is a delivery: one per endpoint
 * and event, at least once, in no promised order (ids of events are in order of time).
 */
import { Context, type Effect, Schema } from "effect"
import type { Page } from "../basics/Listing.ts"
import { oneLine } from "../basics/PlainText.ts"
import { type Event, EventType } from "./Event.ts"
import { EventPattern } from "./EventFilter.ts"

export const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  url: Schema.String,
  description: Schema.String,
  /** Types of events, or `contact.*` for a family; none: all there are. */
  events: Schema.Array(EventPattern),
  /** Sent with each request. Values are masked wherever they are shown. */
  headers: Schema.Record(Schema.String, Schema.String),
  enabled: Schema.Boolean,
  /** Why the service switched it off, as a sentence. */
  disabledReason: Schema.NullOr(Schema.String),
  /** Since when no delivery has succeeded; null while they do. */
  failingSince: Schema.NullOr(Schema.String),
  /** Until then requests carry the signature of the secret before, too. */
  previousSecretUntil: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpoint = typeof WebhookEndpoint.Type

const fields = {
  description: Schema.optionalKey(oneLine(200)),
  events: Schema.optionalKey(Schema.Array(EventPattern).check(Schema.isMaxLength(100))),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  enabled: Schema.optionalKey(Schema.Boolean)
}
const Url = oneLine(2_000)

export const NewWebhookEndpoint = Schema.Struct({ url: Url, ...fields })
export type NewWebhookEndpoint = typeof NewWebhookEndpoint.Type
export const WebhookChanges = Schema.Struct({ url: Schema.optionalKey(Url), ...fields })
export type WebhookChanges = typeof WebhookChanges.Type

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed", "discarded"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const WebhookDelivery = Schema.Struct({
  id: Schema.String,
  endpointId: Schema.String,
  /** `webhook-id` of the request: the event's id, the same in every attempt. */
  eventId: Schema.String,
  eventType: EventType,
  /** `discarded`: given up without being tried to the end, because the endpoint was switched off or the contact erased. */
  status: DeliveryStatus,
  attempts: Schema.Int,
  nextAttemptAt: Schema.NullOr(Schema.String),
  lastAttemptAt: Schema.NullOr(Schema.String),
  /** Of the last attempt; null when there was no answer. */
  httpStatus: Schema.NullOr(Schema.Int),
  /** Why the last attempt failed, as a sentence. */
  error: Schema.NullOr(Schema.String),
  /** The beginning of the last answer, at most 1 KB; forgotten after some days. */
  response: Schema.NullOr(Schema.String),
  durationMs: Schema.NullOr(Schema.Int),
  createdAt: Schema.String
})
export type WebhookDelivery = typeof WebhookDelivery.Type

/** What is sent, `{ type, timestamp, data }`, as Standard Webhooks has it. */
export const webhookBody = ({ type, createdAt, data }: Event): string =>
  JSON.stringify({ type, timestamp: createdAt, data })

/** Endpoints of one organization. */
export const mostEndpoints = 20

export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly eventType?: EventType
}

/** Port to the stored endpoints. Records have their headers in plain text here; `secret` is `whsec_…`. Times are Unix milliseconds. */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<WebhookEndpoint>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<WebhookEndpoint | undefined>
    /** `undefined` when the organization has `mostEndpoints`. It is told what happens from now on. */
    readonly create: (
      organizationId: string,
      input: NewWebhookEndpoint,
      secret: string,
      now: number
    ) => Effect.Effect<WebhookEndpoint | undefined>
    /** Switched on again it is told what happens from now on; switched off, what was on its way is discarded. */
    readonly change: (
      organizationId: string,
      id: string,
      changes: WebhookChanges,
      now: number
    ) => Effect.Effect<WebhookEndpoint | undefined>
    readonly remove: (organizationId: string, id: string) => Effect.Effect<void>
    /** The secret so far stays good until `previousUntil`. */
    readonly rotate: (
      organizationId: string,
      id: string,
      secret: string,
      previousUntil: number,
      now: number
    ) => Effect.Effect<WebhookEndpoint | undefined>
  }
>()("parley/domain/WebhookEndpoints") {}

/** Port to the log of deliveries, for people. */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Newest first. */
    readonly list: (
      organizationId: string,
      endpointId: string,
      filter: DeliveryFilter,
      page: number,
      limit: number
    ) => Effect.Effect<Page<WebhookDelivery>>
    readonly find: (
      organizationId: string,
      endpointId: string,
      id: string
    ) => Effect.Effect<WebhookDelivery | undefined>
    /** Sends a delivery again, with all its attempts; `undefined` when it is on its way, or its event is not kept any more. */
    readonly resend: (
      organizationId: string,
      endpointId: string,
      id: string,
      now: number
    ) => Effect.Effect<WebhookDelivery | undefined>
    /**
     * Sends again what happened in a time, at most `most` events, oldest first: all that the endpoint wants, or only what did not arrive.
     * What is on its way already is left as it is. `until` says how far it got.
     */
    readonly replay: (
      organizationId: string,
      endpointId: string,
      time: { readonly since: number; readonly until: number; readonly failedOnly: boolean },
      most: number,
      now: number
    ) => Effect.Effect<{ readonly queued: number; readonly until: number }>
    /** Records an event `webhook.test`, and delivers it to this endpoint alone. */
    readonly test: (organizationId: string, endpointId: string, now: number) => Effect.Effect<WebhookDelivery>
  }
>()("parley/domain/WebhookDeliveries") {}

export interface ClaimedDelivery {
  readonly id: string
  readonly event: Event
  /** This attempt included. */
  readonly attempts: number
}

/** An endpoint with deliveries that are this process's until the lease ends. */
export interface WebhookClaim {
  readonly organizationId: string
  readonly endpointId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The newest first; two during a rotation. */
  readonly secrets: ReadonlyArray<string>
  readonly failingSince: number | null
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
}

/** What came of an attempt. */
export interface WebhookOutcome {
  readonly status: DeliveryStatus
  /** Of a pending one. */
  readonly dueAt: number | undefined
  readonly httpStatus: number | null
  readonly error: string | null
  readonly response: string | null
  readonly durationMs: number
  /** The endpoint is switched off, for this reason. */
  readonly disable: string | undefined
}

/** Port for the workers. They may be many: what one claims the others leave alone, until it has died. Times are Unix milliseconds. */
export class WebhookQueue extends Context.Service<
  WebhookQueue,
  {
    /** Which of these organizations, or of all, have endpoints that are behind the log. */
    readonly behind: (organizations: ReadonlyArray<string> | undefined) => Effect.Effect<ReadonlyArray<string>>
    /** Makes deliveries of the next events, once for each endpoint; with `skip` none. True: there may be more. */
    readonly fanOut: (organizationId: string, skip: boolean, now: number) => Effect.Effect<boolean>
    /** Endpoints with something due, longest first, without these. */
    readonly due: (
      now: number,
      without: ReadonlyArray<string>,
      most: number
    ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: string; readonly endpointId: string }>>
    /** As many due deliveries as `most` says for the endpoint: a failing one may have fewer. */
    readonly claim: (
      organizationId: string,
      endpointId: string,
      now: number,
      leaseMs: number,
      most: { readonly healthy: number; readonly failing: number }
    ) => Effect.Effect<WebhookClaim | undefined>
    readonly settle: (
      claim: Pick<WebhookClaim, "organizationId" | "endpointId">,
      delivery: ClaimedDelivery,
      outcome: WebhookOutcome,
      now: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/WebhookQueue") {}

/** What a customer's server said, or why it said nothing. */
export type WebhookAnswer =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** Of `Retry-After`, in milliseconds. */
      readonly retryAfterMs: number | undefined
      readonly body: string
    }
  | { readonly _tag: "Unanswered"; readonly error: string }

/** Port to the customers' servers: one request, no redirects, only the public internet, and an answer within a time. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    readonly post: (
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string
    ) => Effect.Effect<WebhookAnswer>
    /** Why requests cannot be sent to this URL, as the end of a sentence about it; `undefined` when they can. */
    readonly refusal: (url: string) => string | undefined
  }
>()("parley/domain/WebhookSender") {}
