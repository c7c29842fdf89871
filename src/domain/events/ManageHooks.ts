/** Use case: an automation tool subscribes to events, unsubscribes, and asks for samples. The audit log records the subscriptions. */
import { Clock, Effect, Schema } from "effect"
import { traced } from "../basics/Traced.ts"
import { Audit } from "../people/access/Audit.ts"
import { EventLog } from "./EventFeed.ts"
import { hookOf, mostHooks, mostSamples, type NewHook, sampleOf, type TriggerType } from "./Hook.ts"
import { InvalidWebhook, makeWebhookGate, WebhookConflict } from "./ManageWebhooks.ts"
import { WebhookEndpoints, WebhookSender } from "./Webhook.ts"
import { webhookProblem } from "./WebhookRules.ts"
import { newWebhookSecret } from "./WebhookSignature.ts"

/** 404: the organization has no such hook. An automation tool takes that for unsubscribed. */
export class HookNotFound extends Schema.TaggedError<HookNotFound>()("HookNotFound", { message: Schema.String }) {}

/** Needs WebhookEndpoints, EventLog, Organizations, Audit and WebhookSender once; the functions it gives need nothing. */
export const makeManageHooks = Effect.gen(function* () {
  const endpoints = yield* WebhookEndpoints
  const log = yield* EventLog
  const audit = yield* Audit
  const sender = yield* WebhookSender
  const allowed = yield* makeWebhookGate("automation")

  const find = Effect.fnUntraced(function* (organizationId: string, id: string) {
    const endpoint = yield* endpoints.find(organizationId, id)
    const hook = endpoint === undefined ? undefined : hookOf(endpoint)
    return hook ?? (yield* new HookNotFound({ message: "There is no such hook." }))
  })

  /**
   * Subscribes an address to a type of events, from now on; gives the hook with its secret, which is shown only this once. The same address and type
   * again keep the hook and its place, with a new secret. `keyId` is the key that subscribes, `undefined` for a person: the hook ends with the key.
   */
  const subscribe = traced("ManageHooks.subscribe")(function* (
    organizationId: string,
    keyId: string | undefined,
    { targetUrl, event }: NewHook
  ) {
    yield* allowed(organizationId)
    const problem = webhookProblem({ url: targetUrl }, sender.refusal)
    if (problem !== undefined) return yield* new InvalidWebhook({ message: problem.replace(/^url /, "targetUrl ") })
    const secret = newWebhookSecret()
    const now = yield* Clock.currentTimeMillis
    const hook = { url: targetUrl, event, keyId: keyId ?? null }
    const made = Effect.flatMap(endpoints.subscribe(organizationId, hook, secret, now), (endpoint) =>
      endpoint === undefined
        ? new WebhookConflict({ message: `An organization may have ${mostHooks} hooks of automation tools.` })
        : Effect.succeed(endpoint)
    )
    const { id, createdAt } = yield* audit.recorded(organizationId, made, ({ id }) => ({
      action: "webhook.subscribed",
      subjectId: id,
      after: { url: targetUrl, events: [event] }
    }))
    return { id, event, targetUrl, createdAt, secret }
  })

  const unsubscribe = traced("ManageHooks.unsubscribe")(function* (organizationId: string, id: string) {
    const { event, targetUrl } = yield* find(organizationId, id)
    yield* audit.recorded(organizationId, endpoints.remove(organizationId, id), () => ({
      action: "webhook.unsubscribed",
      subjectId: id,
      before: { url: targetUrl, events: [event] }
    }))
  })

  /** The newest events of a type, newest first, as a hook gets them. */
  const samples = traced("ManageHooks.samples")(function* (organizationId: string, event: TriggerType) {
    return (yield* log.newest(organizationId, event, mostSamples)).flatMap(sampleOf)
  })

  return { find, subscribe, unsubscribe, samples }
})
