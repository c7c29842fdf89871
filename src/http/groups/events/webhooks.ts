/** `/api/webhook-endpoints`: the customer's addresses that receive events. The inbound webhooks of providers are at `/api/webhooks/…`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { EventType } from "../../../domain/events/Event.ts"
import {
  defaultSecretOverlapSeconds,
  longestSecretOverlapSeconds,
  mostReplayed
} from "../../../domain/events/ManageWebhooks.ts"
import {
  DeliveryStatus,
  NewWebhookEndpoint,
  WebhookChanges,
  WebhookDelivery,
  WebhookDeliveryWithBody,
  WebhookEndpoint
} from "../../../domain/events/Webhook.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { isOnly, needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { optionalBody } from "../../wire/OptionalBody.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { ShownOnce } from "../../wire/ShownOnce.ts"

const params = { id: Id }
const deliveryParams = { id: Id, deliveryId: Id }
const error = [BadRequest, Forbidden, NotFound] as const
/** An endpoint with its `secret`, which no later answer shows. */
const WithSecret = Schema.Struct({ ...WebhookEndpoint.fields, secret: Schema.String }).annotate({
  title: "WebhookEndpointWithSecret",
  examples: [{ ...exampleOf(WebhookEndpoint), secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" }]
})

export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery,
      success: pageOf(WebhookEndpoint),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({ summary: "List webhook endpoints, newest first", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewWebhookEndpoint,
      success: WithSecret.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    })
      .annotateMerge(needsFeature("webhooks"))
      .annotate(ShownOnce, ["secret"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a webhook endpoint",
          description:
            "It is told what happens from now on. `events` are types, or `contact.*` for all of a kind; without them all. `secret` (`whsec_…`) is " +
            "shown this once: requests are signed with it in the form of Standard Webhooks. `url` is https on the public internet. Starter plan " +
            "or higher; scope `admin`."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: WebhookEndpoint, error }).annotateMerge(
      OpenApi.annotations({ summary: "Get a webhook endpoint", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: WebhookChanges,
      success: WebhookEndpoint,
      error
    })
      .annotateMerge(needsFeature("webhooks", isOnly("enabled", false)))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a webhook endpoint",
          description:
            "What is not sent keeps its value; a masked header keeps its value too. Switched off, what was on its way is discarded; switched on " +
            "again, it is told what happens from then on. Starter plan or higher, but for `enabled: false` alone; scope `admin`."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.webhook, deleted: true }]
      }),
      error
    }).annotateMerge(
      OpenApi.annotations({ summary: "Delete a webhook endpoint and its log", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
      params,
      payload: Schema.Struct({
        overlapSeconds: Schema.optionalKey(
          Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: longestSecretOverlapSeconds }))
        )
      }).annotate({ examples: [{ overlapSeconds: 3_600 }] }),
      success: WithSecret,
      error
    })
      .annotate(ShownOnce, ["secret"])
      .annotateMerge(needsFeature("webhooks"))
      .annotateMerge(optionalBody)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace the secret",
          description: `For \`overlapSeconds\` (${defaultSecretOverlapSeconds} by default) requests carry both signatures. Scope \`admin\`.`
        })
      ),
    HttpApiEndpoint.post("test", "/:id/test", {
      params,
      success: WebhookDelivery.pipe(HttpApiSchema.status(201)),
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a test event",
        description:
          "An event `webhook.test` to this endpoint alone, whatever events it wants. The delivery says how it went. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("listDeliveries", "/:id/deliveries", {
      params,
      query: {
        ...pageQuery,
        status: Schema.optionalKey(DeliveryStatus),
        eventType: Schema.optionalKey(EventType)
      },
      success: pageOf(WebhookDelivery),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What was sent, newest first",
        description: "Answers are kept for 7 days and deliveries as long as their events. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("getDelivery", "/:id/deliveries/:deliveryId", {
      params: deliveryParams,
      success: WebhookDeliveryWithBody,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a delivery",
        description:
          "With the `body` of its requests; null when its event is not kept any more, or its contact was erased. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("resendDelivery", "/:id/deliveries/:deliveryId/resend", {
      params: deliveryParams,
      success: WebhookDelivery,
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a delivery again",
        description: "With the same `webhook-id`, and all its attempts. 409 while it is on its way. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("replay", "/:id/replay", {
      params,
      payload: Schema.Struct({
        since: Instant,
        until: Schema.optionalKey(Instant),
        failedOnly: Schema.optionalKey(Schema.Boolean)
      }).annotate({ examples: [{ since: "2026-11-21T09:00:00.000Z", failedOnly: true }] }),
      success: Schema.Struct({ queued: Schema.Int, until: Schema.String }).annotate({
        examples: [{ queued: 7, until: "2026-11-21T10:00:00.000Z" }]
      }),
      error: [...error, Conflict]
    })
      .annotateMerge(needsFeature("webhooks"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send again what happened since a time",
          description:
            `At most ${mostReplayed} events, oldest first; \`until\` of the answer says how far it got. \`failedOnly\` leaves out what arrived. ` +
            "Scope `admin`."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/webhook-endpoints") {}
