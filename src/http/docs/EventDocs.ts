/** The parts of `/openapi.json` about events: their data in the live feed, and each type as a webhook. They derive from the definitions of events. */
import { Schema } from "effect"
import { exampleIds } from "../../domain/basics/Examples.ts"
import { type EventType, eventTypes } from "../../domain/events/Event.ts"
import { eventData } from "../../domain/events/EventData.ts"
import { eventScope } from "../../domain/events/EventFilter.ts"
import { passingData, passingTypes } from "../../domain/events/PassingEvent.ts"

const whatHappened: Readonly<Record<EventType, string>> = {
  "contact.created": "A contact was made",
  "contact.updated": "A contact was changed",
  "contact.archived": "A contact was archived",
  "contact.restored": "A contact was brought back from the archive",
  "contact.merged": "Another contact was merged into this one",
  "contact.erased": "A contact was forgotten for good",
  "contact.opted_in": "A contact agreed to messages",
  "contact.opted_out": "A contact does not want messages any more",
  "conversation.created": "A conversation began",
  "conversation.assigned": "A conversation has another assignee, or none any more",
  "conversation.labeled": "A conversation has other labels",
  "conversation.noted": "Somebody wrote a note in a conversation",
  "conversation.updated": "A conversation was read or snoozed, or its due times have changed",
  "conversation.resolved": "A conversation was resolved",
  "conversation.reopened": "A resolved conversation was opened again",
  "conversation.sla_breached": "A conversation waited longer than it should",
  "message.received": "A contact wrote",
  "message.queued": "A message was taken for sending",
  "message.status": "A message was sent, delivered, read, or failed",
  "message.updated": "What a message holds has changed",
  "ai.allowance_used": "The AI tokens of this month are used: text agents hand over instead of answering",
  "voice.allowance_used": "The voice minutes of this month are used: what follows is charged by the minute",
  "voice_agent.updated": "A voice agent was made, changed or deleted",
  "call.started": "An agent took a call",
  "call.ended": "A call is over, and all of its end is known",
  "call.recorded": "A part of a call's recording is stored",
  "call.summarized": "A call was summed up, and what its agent is told to find was found",
  "broadcast.completed": "A broadcast is through",
  "template.updated": "The channel changed a template",
  "order.created": "An order was placed",
  "order.updated": "An order was changed",
  "order.paid": "An order was paid",
  "cart.abandoned": "A customer left a cart in a store",
  "payment.created": "A payment link was made",
  "payment.completed": "A payment link was paid; once for each",
  "payment.failed": "An attempt to pay a link failed; it can be tried again",
  "payment.expired": "A payment link ended without a payment",
  "payment.canceled": "A payment link was canceled",
  "payment.refunded": "A payment was given back, in whole or in part",
  "payment.disputed": "A payer objects to a payment, or that was decided",
  "connection.failed": "An integration refuses our credentials; the sentence says what to do",
  "connection.recovered": "An integration takes our credentials again",
  "provider.failed": "A provider of the service does not answer: speech, models, telephony or the messaging channel",
  "provider.recovered": "A provider of the service answers again",
  "webhook.disabled": "A webhook endpoint was switched off by the service",
  "webhook.test": "Somebody tries a webhook endpoint"
}

/** `contact.opted_in` as part of a component's name: `ContactOptedIn`. */
const nameOf = (type: EventType): string =>
  type
    .split(/[._]/)
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("")

const at = Schema.String.annotate({ examples: ["2026-11-21T09:30:00.000Z"] })
const eventId = Schema.String.annotate({ examples: [exampleIds.event] })

const feedEvent = Schema.Union(
  eventTypes.map((type) =>
    Schema.Struct({ id: eventId, type: Schema.Literal(type), createdAt: at, data: eventData[type] })
  )
).annotate({ identifier: "Event" })

const webhookName = (type: EventType): string => `${nameOf(type)}Webhook`

const webhookBodies = eventTypes.map((type) =>
  Schema.Struct({ id: eventId, type: Schema.Literal(type), timestamp: at, data: eventData[type] }).annotate({
    identifier: webhookName(type)
  })
)

const passingEvent = Schema.Union(
  passingTypes.map((type) => Schema.Struct({ type: Schema.Literal(type), createdAt: at, data: passingData[type] }))
).annotate({ identifier: "PassingEvent" })

/** Schemas to be added to the components of the OpenAPI document. */
export const eventSchemas = [feedEvent, passingEvent, ...webhookBodies]

const referTo = (kind: "schemas" | "parameters", name: string) => ({ $ref: `#/components/${kind}/${name}` })

const streamedExample = {
  id: exampleIds.event,
  event: "contact.erased",
  data: JSON.stringify({
    id: exampleIds.event,
    type: "contact.erased",
    createdAt: "2026-11-21T09:30:00.000Z",
    data: { contact: { id: exampleIds.contact } }
  })
}

/** The schema of one event of the stream: its `data` is one line of JSON. The events `gap` and `end` concern the stream itself; passing events have no id. */
export const streamedEvent = {
  anyOf: [
    {
      type: "object",
      required: ["id", "event", "data"],
      examples: [streamedExample],
      properties: {
        id: { type: "string" },
        event: { type: "string", enum: [...eventTypes] },
        data: { type: "string", contentMediaType: "application/json", contentSchema: referTo("schemas", "Event") }
      }
    },
    {
      type: "object",
      required: ["event", "data"],
      properties: {
        event: { type: "string", enum: ["gap", "end", ...passingTypes] },
        data: {
          type: "string",
          contentMediaType: "application/json",
          contentSchema: {
            anyOf: [
              { type: "object", required: ["message"], properties: { message: { type: "string" } } },
              referTo("schemas", "PassingEvent")
            ]
          }
        }
      }
    }
  ]
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const parameters = {
  WebhookId: header("webhook-id", "The event's id, the same in every attempt: drop what you have seen."),
  WebhookTimestamp: header("webhook-timestamp", "When this attempt was signed, in Unix seconds."),
  WebhookSignature: header(
    "webhook-signature",
    "`v1,` and the Base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`; two, with a space between, while the secret is rotated."
  )
}

const webhook = (type: EventType) => ({
  post: {
    operationId: `webhook.${type}`,
    tags: ["webhooks"],
    summary: whatHappened[type],
    description: `Also in the live feed, for whoever has the scope \`${eventScope(type)}\`.`,
    security: [],
    parameters: Object.keys(parameters).map((name) => referTo("parameters", name)),
    requestBody: {
      required: true,
      content: { "application/json": { schema: referTo("schemas", webhookName(type)) } }
    },
    responses: {
      "2XX": { description: "Taken. The body of the answer is not used." },
      "410": { description: "Nobody wants these any more: the endpoint is switched off." },
      default: { description: "With any other answer, or none within 15 seconds, the event is sent again." }
    }
  }
})

/** Adds the webhooks to an OpenAPI document. */
export const withWebhooks = <
  Document extends { readonly tags: unknown; readonly components?: { readonly parameters?: object } }
>(
  document: Document
) => ({
  ...document,
  webhooks: Object.fromEntries(eventTypes.map((type) => [type, webhook(type)])),
  components: { ...document.components, parameters: { ...document.components?.parameters, ...parameters } }
})
