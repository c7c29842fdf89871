/**
 * Outgoing webhooks: events are sent to endpoints, which are addresses of the customer. A delivery is one event for one endpoint, with its outcome.
 * Each event arrives at least once; the order is not guaranteed (ids of events are in order of time).
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds, exampleOf } from "../basics/Examples.ts"
import type { Page } from "../basics/Listing.ts"
import { oneLine } from "../basics/PlainText.ts"
import { type Event, EventType } from "./Event.ts"
import { EventPattern } from "./EventFilter.ts"

export const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  url: Schema.String,
  description: Schema.String,
  /** Types of events, or `contact.*` for a family; empty: all types. */
  events: Schema.Array(EventPattern),
  /** Headers of each request. Their values are masked wherever they are shown. */
  headers: Schema.Record(Schema.String, Schema.String),
  enabled: Schema.Boolean,
  /** Whether an automation tool made it as a REST hook. */
  hook: Schema.Boolean,
  /** The sentence that says why the service disabled the endpoint. */
  disabledReason: Schema.NullOr(Schema.String),
  /** Since when no delivery has succeeded; null while deliveries succeed. */
  failingSince: Schema.NullOr(Schema.String),
  /** Until then requests also carry a signature with the previous secret. */
  previousSecretUntil: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "WebhookEndpoint",
  examples: [
    {
      id: exampleIds.webhook,
      organizationId: exampleIds.organization,
      url: "https://maplebooks.example/parley",
      description: "Orders",
      events: ["message.*", "contact.created"],
      headers: {},
      enabled: true,
      hook: false,
      disabledReason: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: "2026-11-20T08:13:00.000Z",
      updatedAt: "2026-11-20T08:13:00.000Z"
    }
  ]
})
export type WebhookEndpoint = typeof WebhookEndpoint.Type

const fields = {
  description: Schema.optionalKey(oneLine(200)),
  events: Schema.optionalKey(Schema.Array(EventPattern).check(Schema.isMaxLength(100))),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  enabled: Schema.optionalKey(Schema.Boolean)
}
const Url = oneLine(2_000)

export const NewWebhookEndpoint = Schema.Struct({ url: Url, ...fields }).annotate({
  title: "NewWebhookEndpoint",
  examples: [
    { url: "https://maplebooks.example/parley", description: "Orders", events: ["message.*", "contact.created"] }
  ]
})
export type NewWebhookEndpoint = typeof NewWebhookEndpoint.Type
export const WebhookChanges = Schema.Struct({ url: Schema.optionalKey(Url), ...fields }).annotate({
  title: "WebhookEndpointChanges",
  examples: [{ events: ["message.*"], enabled: true }]
})
export type WebhookChanges = typeof WebhookChanges.Type

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed", "discarded"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const WebhookDelivery = Schema.Struct({
  id: Schema.String,
  endpointId: Schema.String,
  /** `webhook-id` of the request: the event's id, the same in every attempt. */
  eventId: Schema.String,
  eventType: EventType,
  /** `discarded`: dropped before its last attempt, because the endpoint was disabled or the contact was erased. */
  status: DeliveryStatus,
  attempts: Schema.Int,
  nextAttemptAt: Schema.NullOr(Schema.String),
  lastAttemptAt: Schema.NullOr(Schema.String),
  /** The status of the last attempt; null when there was no answer. */
  httpStatus: Schema.NullOr(Schema.Int),
  /** The sentence that says why the last attempt failed. */
  error: Schema.NullOr(Schema.String),
  /** The beginning of the last answer, at most 1 KB; removed after some days. */
  response: Schema.NullOr(Schema.String),
  durationMs: Schema.NullOr(Schema.Int),
  createdAt: Schema.String
}).annotate({
  title: "WebhookDelivery",
  examples: [
    {
      id: exampleIds.delivery,
      endpointId: exampleIds.webhook,
      eventId: exampleIds.event,
      eventType: "message.received",
      status: "delivered",
      attempts: 1,
      nextAttemptAt: null,
      lastAttemptAt: "2026-11-21T09:30:01.000Z",
      httpStatus: 204,
      error: null,
      response: "",
      durationMs: 48,
      createdAt: "2026-11-21T09:30:00.000Z"
    }
  ]
})
export type WebhookDelivery = typeof WebhookDelivery.Type

/** A delivery with the body of its requests; null when the event is not stored any more, or its contact was erased. */
export const WebhookDeliveryWithBody = Schema.Struct({
  ...WebhookDelivery.fields,
  body: Schema.NullOr(Schema.String)
}).annotate({
  title: "WebhookDeliveryWithBody",
  examples: [
    {
      ...exampleOf(WebhookDelivery),
      body: '{"id":"evt_01KAJ2ZF3M2P5S8V1X4Z7B9DKE","type":"message.received","timestamp":"2026-11-21T09:30:00.000Z","data":{}}'
    }
  ]
})
export type WebhookDeliveryWithBody = typeof WebhookDeliveryWithBody.Type

/** The body of a request, `{ id, type, timestamp, data }`, as Standard Webhooks defines it. `id` is for automation tools, which read no headers. */
export const webhookBody = ({ id, type, createdAt, data }: Event): string =>
  JSON.stringify({ id, type, timestamp: createdAt, data })

/** The most endpoints of one organization, without the hooks of automation tools. */
export const mostEndpoints = 20

export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly eventType?: EventType
}

/** Port of the stored endpoints. Headers are in plain text here; `secret` is `whsec_…`. Times are Unix milliseconds. */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<WebhookEndpoint>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<WebhookEndpoint | undefined>
    /** Creates an endpoint, which gets events from now on; `undefined` when the organization has `mostEndpoints` already. */
    readonly create: (
      organizationId: string,
      input: NewWebhookEndpoint,
      secret: string,
      now: number
    ) => Effect.Effect<WebhookEndpoint | undefined>
    /** Changes an endpoint. An endpoint that is enabled again gets events from now on; disabling discards its pending deliveries. */
    readonly change: (
      organizationId: string,
      id: string,
      changes: WebhookChanges,
      now: number
    ) => Effect.Effect<WebhookEndpoint | undefined>
    readonly remove: (organizationId: string, id: string) => Effect.Effect<void>
    /**
     * Creates a hook, which gets events from now on; `undefined` when the organization has `mostHooks` already. A hook for this URL and event that is
     * there stays, with its place in the log; it gets the new secret and key. One that is switched off is switched on, from now on.
     */
    readonly subscribe: (
      organizationId: string,
      hook: { readonly url: string; readonly event: EventType; readonly keyId: string | null },
      secret: string,
      now: number
    ) => Effect.Effect<WebhookEndpoint | undefined>
    /** Sets a new secret. The previous one stays valid until `previousUntil`. */
    readonly rotate: (
      organizationId: string,
      id: string,
      secret: string,
      previousUntil: number,
      now: number
    ) => Effect.Effect<WebhookEndpoint | undefined>
  }
>()("parley/domain/WebhookEndpoints") {}

/** Port of the deliveries for people who look at them. */
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
    ) => Effect.Effect<WebhookDeliveryWithBody | undefined>
    /**
     * Queues a delivery again, at once and with all attempts, also one that waits for its retry; `undefined` when it is under way, or its event is not
     * stored any more.
     */
    readonly resend: (
      organizationId: string,
      endpointId: string,
      id: string,
      now: number
    ) => Effect.Effect<WebhookDelivery | undefined>
    /**
     * Queues the events of a period again, at most `most`, oldest first: all that the endpoint wants, or only those that did not arrive. Pending
     * deliveries stay as they are. The returned `until` says how far the replay got.
     */
    readonly replay: (
      organizationId: string,
      endpointId: string,
      time: { readonly since: number; readonly until: number; readonly failedOnly: boolean },
      most: number,
      now: number
    ) => Effect.Effect<{ readonly queued: number; readonly until: number }>
    /** Records an event `webhook.test`, and queues its delivery to this endpoint only. */
    readonly test: (organizationId: string, endpointId: string, now: number) => Effect.Effect<WebhookDelivery>
  }
>()("parley/domain/WebhookDeliveries") {}

export interface ClaimedDelivery {
  readonly id: string
  readonly event: Event
  /** The number of attempts, including this one. */
  readonly attempts: number
}

/** An endpoint with deliveries that this process has claimed until the lease ends. */
export interface WebhookClaim {
  readonly organizationId: string
  readonly endpointId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The newest first; two while a previous secret is still valid. */
  readonly secrets: ReadonlyArray<string>
  readonly failingSince: number | null
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
}

/** The outcome of an attempt. */
export interface WebhookOutcome {
  readonly status: DeliveryStatus
  /** When the next attempt is due, for a pending delivery; Unix milliseconds. */
  readonly dueAt: number | undefined
  readonly httpStatus: number | null
  readonly error: string | null
  readonly response: string | null
  readonly durationMs: number
  /** The reason to disable the endpoint, if any. */
  readonly disable: string | undefined
}

/**
 * Port of the queue for the workers. Many may run: a claim keeps its deliveries from other workers until its lease ends. Times are Unix milliseconds.
 */
export class WebhookQueue extends Context.Service<
  WebhookQueue,
  {
    /** Those of these organizations (`undefined`: of all) that have events for which no deliveries were made yet. */
    readonly behind: (organizations: ReadonlyArray<string> | undefined) => Effect.Effect<ReadonlyArray<string>>
    /** Makes deliveries of the next events, once for each endpoint; with `skip` it passes the events without deliveries. True: there may be more. */
    readonly fanOut: (organizationId: string, skip: boolean, now: number) => Effect.Effect<boolean>
    /** Endpoints with due deliveries, the longest due first, except those in `without`. */
    readonly due: (
      now: number,
      without: ReadonlyArray<string>,
      most: number
    ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: string; readonly endpointId: string }>>
    /** Claims due deliveries of an endpoint for `leaseMs`, at most `most.healthy`, or `most.failing` for a failing endpoint. Removes a hook whose key is dead. */
    readonly claim: (
      organizationId: string,
      endpointId: string,
      now: number,
      leaseMs: number,
      most: { readonly healthy: number; readonly failing: number }
    ) => Effect.Effect<WebhookClaim | undefined>
    /** Stores the outcome of an attempt and, when `outcome.disable` is set, disables the endpoint; a hook is removed. */
    readonly settle: (
      claim: Pick<WebhookClaim, "organizationId" | "endpointId">,
      delivery: ClaimedDelivery,
      outcome: WebhookOutcome,
      now: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/WebhookQueue") {}

/** The answer of a customer's server, or why there was none. */
export type WebhookAnswer =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** The wait that `Retry-After` asks for, in milliseconds. */
      readonly retryAfterMs: number | undefined
      readonly body: string
    }
  | { readonly _tag: "Unanswered"; readonly error: string }

/** Port to the customers' servers. It sends one request, follows no redirects, reaches only the public internet, and limits the time of an answer. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Sends one POST request. A failure is an answer, `Unanswered`, with a sentence in `error`. */
    readonly post: (
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string
    ) => Effect.Effect<WebhookAnswer>
    /** Why requests cannot be sent to this URL, as the end of a sentence about it; `undefined` when they can. */
    readonly refusal: (url: string) => string | undefined
  }
>()("parley/domain/WebhookSender") {}
