/** Use case: create, change and test outgoing webhooks, and send deliveries again. The audit log records each of these. */
import { Clock, Effect, Schema } from "effect"
import { maskHeaders } from "../basics/CustomHeaders.ts"
import { traced } from "../basics/Traced.ts"
import { Audit, changedFields } from "../people/access/Audit.ts"
import { makePlanRefusal } from "../people/organizations/PlanGate.ts"
import {
  mostEndpoints,
  type NewWebhookEndpoint,
  type WebhookChanges,
  WebhookDeliveries,
  type WebhookEndpoint,
  WebhookEndpoints,
  WebhookSender
} from "./Webhook.ts"
import { keptHeaders, webhookProblem } from "./WebhookRules.ts"
import { newWebhookSecret } from "./WebhookSignature.ts"

/** 400: the request is not a valid webhook or replay. */
export class InvalidWebhook extends Schema.TaggedError<InvalidWebhook>()("InvalidWebhook", {
  message: Schema.String
}) {}
/** 403: the plan does not allow webhooks. */
export class WebhookNotAllowed extends Schema.TaggedError<WebhookNotAllowed>()("WebhookNotAllowed", {
  message: Schema.String
}) {}
/** 404: the organization has no such endpoint, or the endpoint no such delivery. */
export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {
  message: Schema.String
}) {}
/** 409: not possible in the current state. */
export class WebhookConflict extends Schema.TaggedError<WebhookConflict>()("WebhookConflict", {
  message: Schema.String
}) {}

/** How long the previous secret stays valid after a rotation, by default and at most. */
export const defaultSecretOverlapSeconds = 24 * 60 * 60
export const longestSecretOverlapSeconds = 30 * 24 * 60 * 60

/** The most events that one replay sends. */
export const mostReplayed = 10_000

/** An endpoint as it is shown, with masked header values. */
export const shownWebhook = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  headers: maskHeaders(endpoint.headers)
})

const audited = ({ url, description, events, headers, enabled }: WebhookEndpoint) => ({
  url,
  description,
  events,
  headers: maskHeaders(headers),
  enabled
})

const noEndpoint = () => new WebhookNotFound({ message: "There is no such webhook endpoint." })
const off = "This webhook endpoint is switched off. Switch it on first (enabled: true)."

/** Needs Organizations once. The function it gives fails when the organization's plan has no webhooks, or no hooks of automation tools. */
export const makeWebhookGate = (feature: "webhooks" | "automation") =>
  Effect.map(makePlanRefusal, (refusalOf) =>
    Effect.fnUntraced(function* (organizationId: string) {
      const refusal = yield* refusalOf(organizationId, feature)
      if (refusal !== undefined) return yield* new WebhookNotAllowed({ message: refusal })
    })
  )

/** Needs the stores, Organizations, Audit and WebhookSender once; the functions it gives need nothing. */
export const makeManageWebhooks = Effect.gen(function* () {
  const endpoints = yield* WebhookEndpoints
  const deliveries = yield* WebhookDeliveries
  const audit = yield* Audit
  const sender = yield* WebhookSender
  const allowed = yield* makeWebhookGate("webhooks")

  const existing = Effect.fnUntraced(function* (organizationId: string, id: string) {
    const endpoint = yield* endpoints.find(organizationId, id)
    return endpoint ?? (yield* noEndpoint())
  })

  /** The endpoint, when it is enabled and the plan allows webhooks. */
  const active = Effect.fnUntraced(function* (organizationId: string, id: string) {
    yield* allowed(organizationId)
    const endpoint = yield* existing(organizationId, id)
    return endpoint.enabled ? endpoint : yield* new WebhookConflict({ message: off })
  })

  const kept = <A>(changed: A | undefined) =>
    changed === undefined ? Effect.fail(noEndpoint()) : Effect.succeed(changed)

  /** Creates an endpoint; gives it with its secret, which is shown only this once. */
  const create = traced("ManageWebhooks.create")(function* (organizationId: string, input: NewWebhookEndpoint) {
    yield* allowed(organizationId)
    const problem = webhookProblem(input, sender.refusal)
    if (problem !== undefined) return yield* new InvalidWebhook({ message: problem })
    const secret = newWebhookSecret()
    const now = yield* Clock.currentTimeMillis
    const made = Effect.flatMap(endpoints.create(organizationId, input, secret, now), (endpoint) =>
      endpoint === undefined
        ? new WebhookConflict({ message: `An organization may have ${mostEndpoints} webhook endpoints.` })
        : Effect.succeed(endpoint)
    )
    const endpoint = yield* audit.recorded(organizationId, made, (endpoint) => ({
      action: "webhook.created",
      subjectId: endpoint.id,
      after: audited(endpoint)
    }))
    return { ...shownWebhook(endpoint), secret }
  })

  const update = traced("ManageWebhooks.update")(function* (
    organizationId: string,
    id: string,
    changes: WebhookChanges
  ) {
    // Disabling is always possible, also after a change to a plan without webhooks.
    const onlyOff = changes.enabled === false && Object.keys(changes).length === 1
    if (!onlyOff) yield* allowed(organizationId)
    const before = yield* existing(organizationId, id)
    const problem = webhookProblem(changes, sender.refusal)
    if (problem !== undefined) return yield* new InvalidWebhook({ message: problem })
    const held = keptHeaders(before, changes)
    if ("problem" in held) return yield* new InvalidWebhook({ message: held.problem })
    const now = yield* Clock.currentTimeMillis
    const change = Effect.flatMap(endpoints.change(organizationId, id, { ...changes, ...held }, now), kept)
    const after = yield* audit.recorded(organizationId, change, (after) => ({
      action: "webhook.updated",
      subjectId: id,
      ...changedFields(audited(before), audited(after))
    }))
    return shownWebhook(after)
  })

  const remove = traced("ManageWebhooks.remove")(function* (organizationId: string, id: string) {
    const before = yield* existing(organizationId, id)
    yield* audit.recorded(organizationId, endpoints.remove(organizationId, id), () => ({
      action: "webhook.deleted",
      subjectId: id,
      before: audited(before)
    }))
  })

  const rotate = traced("ManageWebhooks.rotate")(function* (
    organizationId: string,
    id: string,
    overlapSeconds: number
  ) {
    yield* allowed(organizationId)
    yield* existing(organizationId, id)
    const now = yield* Clock.currentTimeMillis
    const secret = newWebhookSecret()
    const until = now + overlapSeconds * 1_000
    const change = Effect.flatMap(endpoints.rotate(organizationId, id, secret, until, now), kept)
    const endpoint = yield* audit.recorded(organizationId, change, ({ previousSecretUntil }) => ({
      action: "webhook.secret_rotated",
      subjectId: id,
      after: { previousSecretUntil }
    }))
    return { ...shownWebhook(endpoint), secret }
  })

  const test = traced("ManageWebhooks.test")(function* (organizationId: string, id: string) {
    yield* active(organizationId, id)
    const now = yield* Clock.currentTimeMillis
    return yield* audit.recorded(organizationId, deliveries.test(organizationId, id, now), (delivery) => ({
      action: "webhook.tested",
      subjectId: id,
      after: { deliveryId: delivery.id }
    }))
  })

  const resend = traced("ManageWebhooks.resend")(function* (organizationId: string, id: string, deliveryId: string) {
    yield* active(organizationId, id)
    const delivery = yield* deliveries.find(organizationId, id, deliveryId)
    if (delivery === undefined) return yield* new WebhookNotFound({ message: "There is no such delivery." })
    const now = yield* Clock.currentTimeMillis
    const again = Effect.flatMap(deliveries.resend(organizationId, id, deliveryId, now), (sent) =>
      sent === undefined
        ? new WebhookConflict({ message: "This delivery is under way at this moment, or what it told of was erased." })
        : Effect.succeed(sent)
    )
    return yield* audit.recorded(organizationId, again, () => ({
      action: "webhook.resent",
      subjectId: id,
      after: { deliveryId }
    }))
  })

  const replay = traced("ManageWebhooks.replay")(function* (
    organizationId: string,
    id: string,
    asked: { readonly since: string; readonly until?: string; readonly failedOnly?: boolean }
  ) {
    yield* active(organizationId, id)
    const now = yield* Clock.currentTimeMillis
    const since = Date.parse(asked.since)
    const until = asked.until === undefined ? now : Math.min(now, Date.parse(asked.until))
    if (since >= until)
      return yield* new InvalidWebhook({ message: "since is invalid: it must be before until, and in the past." })
    const time = { since, until, failedOnly: asked.failedOnly ?? false }
    const sent = deliveries.replay(organizationId, id, time, mostReplayed, now)
    const done = yield* audit.recorded(organizationId, sent, ({ queued }) => ({
      action: "webhook.replayed",
      subjectId: id,
      after: { since: asked.since, until: new Date(until).toISOString(), failedOnly: time.failedOnly, queued }
    }))
    return { queued: done.queued, until: new Date(done.until).toISOString() }
  })

  return { existing, create, update, remove, rotate, test, resend, replay }
})
