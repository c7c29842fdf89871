/**
 * REST hooks: an automation tool (Zapier, Make, n8n) subscribes an address of its own to one type of events. A hook is a webhook endpoint, with the
 * same deliveries; the tool makes and removes it by itself.
 */
import { Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import { JsonRecord } from "../basics/Json.ts"
import { oneLine } from "../basics/PlainText.ts"
import { type Event, type EventType, eventTypes } from "./Event.ts"
import type { WebhookEndpoint } from "./Webhook.ts"

/** The types that can start an automation: all but those about webhooks themselves. */
export type TriggerType = Exclude<EventType, `webhook.${string}`>

const isTrigger = (type: EventType): type is TriggerType => !type.startsWith("webhook.")

export const triggerTypes: ReadonlyArray<TriggerType> = eventTypes.filter(isTrigger)
export const TriggerType = Schema.Literals(triggerTypes)

export const Hook = Schema.Struct({
  id: Schema.String,
  event: TriggerType,
  /** Where the events are posted to. Whoever knows it may be able to start the automation. */
  targetUrl: Schema.String,
  createdAt: Schema.String
}).annotate({
  title: "Hook",
  examples: [
    {
      id: exampleIds.webhook,
      event: "contact.created",
      targetUrl: "https://hooks.zapier.example/hooks/standard/1/abc",
      createdAt: "2026-11-20T08:13:00.000Z"
    }
  ]
})
export type Hook = typeof Hook.Type

export const NewHook = Schema.Struct({ targetUrl: oneLine(2_000), event: TriggerType }).annotate({
  title: "NewHook",
  examples: [{ targetUrl: "https://hooks.zapier.example/hooks/standard/1/abc", event: "contact.created" }]
})
export type NewHook = typeof NewHook.Type

/** An event as a hook gets it: the body of a webhook. */
export const HookSample = Schema.Struct({
  id: Schema.String,
  type: TriggerType,
  timestamp: Schema.String,
  data: JsonRecord
}).annotate({
  title: "HookSample",
  examples: [
    {
      id: exampleIds.event,
      type: "contact.erased",
      timestamp: "2026-11-21T09:30:00.000Z",
      data: { contact: { id: exampleIds.contact } }
    }
  ]
})

/** The most hooks of one organization. */
export const mostHooks = 200

/** The most samples of one type. */
export const mostSamples = 10

/** An endpoint as a hook; `undefined` when no automation tool made it, or when a person gave it other events since. */
export const hookOf = ({ id, hook, events, url, createdAt }: WebhookEndpoint): Hook | undefined => {
  const event = triggerTypes.find((type) => type === events[0])
  return hook && event !== undefined ? { id, event, targetUrl: url, createdAt } : undefined
}

/** The body of a webhook about this event, as data. */
export const sampleOf = (event: Event) => {
  const { id, type, createdAt, data } = event
  return isTrigger(type) ? [{ id, type, timestamp: createdAt, data }] : []
}
