import { Effect } from "effect"
import {
  defaultSecretOverlapSeconds,
  type InvalidWebhook,
  makeManageWebhooks,
  shownWebhook,
  type WebhookConflict,
  type WebhookNotAllowed,
  type WebhookNotFound
} from "../../../domain/events/ManageWebhooks.ts"
import { WebhookDeliveries, WebhookEndpoints } from "../../../domain/events/Webhook.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"

const known = { WebhookNotFound: ({ message }: WebhookNotFound) => new NotFound({ error: message }) }
const allowed = { WebhookNotAllowed: ({ message }: WebhookNotAllowed) => new Forbidden({ error: message }) }
const valid = { InvalidWebhook: ({ message }: InvalidWebhook) => new BadRequest({ error: message }) }
const free = { WebhookConflict: ({ message }: WebhookConflict) => new Conflict({ error: message }) }
/** The errors of actions that send from an endpoint. */
const active = { ...known, ...allowed, ...free }

/** Needs WebhookEndpoints, WebhookDeliveries, Organizations, Audit and WebhookSender. */
export const layer = group(
  AppApi,
  "webhooks",
  Effect.fn(function* (handlers) {
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* WebhookDeliveries
    const manage = yield* makeManageWebhooks

    /** The endpoint in the path, when it belongs to the caller's organization. */
    const existing = (organizationId: string, id: string) =>
      Effect.catchTags(manage.existing(organizationId, id), known)

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("admin")
        const at = window(query)
        const found = yield* endpoints.list(organizationId, at.page, at.limit)
        return toPage({ ...found, data: found.data.map(shownWebhook) }, at)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.create(organizationId, payload), { ...valid, ...allowed, ...free })
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return shownWebhook(yield* existing(organizationId, params.id))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.update(organizationId, params.id, payload), {
          ...valid,
          ...allowed,
          ...known
        })
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        yield* Effect.catchTags(manage.remove(organizationId, params.id), known)
        return { id: params.id, deleted: true as const }
      }),
      rotateSecret: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        const { overlapSeconds = defaultSecretOverlapSeconds } = payload
        return yield* Effect.catchTags(manage.rotate(organizationId, params.id, overlapSeconds), {
          ...allowed,
          ...known
        })
      }),
      test: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.test(organizationId, params.id), active)
      }),
      listDeliveries: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("admin")
        yield* existing(organizationId, params.id)
        const at = window(query)
        const { status, eventType } = query
        const filter = {
          ...(status === undefined ? {} : { status }),
          ...(eventType === undefined ? {} : { eventType })
        }
        return toPage(yield* deliveries.list(organizationId, params.id, filter, at.page, at.limit), at)
      }),
      getDelivery: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const found = yield* deliveries.find(organizationId, params.id, params.deliveryId)
        return found ?? (yield* new NotFound({ error: "There is no such delivery." }))
      }),
      resendDelivery: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.resend(organizationId, params.id, params.deliveryId), active)
      }),
      replay: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.replay(organizationId, params.id, payload), { ...active, ...valid })
      })
    })
  })
)
