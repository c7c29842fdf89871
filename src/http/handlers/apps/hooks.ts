import { Effect } from "effect"
import { eventScope } from "../../../domain/events/EventFilter.ts"
import { type HookNotFound, makeManageHooks } from "../../../domain/events/ManageHooks.ts"
import type { InvalidWebhook, WebhookConflict, WebhookNotAllowed } from "../../../domain/events/ManageWebhooks.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"

const known = { HookNotFound: ({ message }: HookNotFound) => new NotFound({ error: message }) }
const subscribable = {
  WebhookNotAllowed: ({ message }: WebhookNotAllowed) => new Forbidden({ error: message }),
  InvalidWebhook: ({ message }: InvalidWebhook) => new BadRequest({ error: message }),
  WebhookConflict: ({ message }: WebhookConflict) => new Conflict({ error: message })
}

/** Needs WebhookEndpoints, EventLog, Organizations, Audit and WebhookSender. */
export const layer = group(
  AppApi,
  "hooks",
  Effect.fn(function* (handlers) {
    const manage = yield* makeManageHooks

    return handlers.handleAll({
      subscribe: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* requireScope("integrations:write")
        yield* requireScope(eventScope(payload.event))
        const keyId = "keyId" in caller ? caller.keyId : undefined
        return yield* Effect.catchTags(manage.subscribe(caller.organizationId, keyId, payload), subscribable)
      }),
      get: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("integrations:write")
        return yield* Effect.catchTags(manage.find(organizationId, query.id), known)
      }),
      unsubscribe: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("integrations:write")
        yield* Effect.catchTags(manage.unsubscribe(organizationId, query.id), known)
        return { id: query.id, deleted: true as const }
      }),
      samples: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("integrations:read")
        yield* requireScope(eventScope(params.event))
        return yield* manage.samples(organizationId, params.event)
      })
    })
  })
)
