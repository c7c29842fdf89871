import { Effect } from "effect"
import {
  defaultSecretOverlapSeconds,
  makeManageWebhooks,
  shownWebhook,
  type WebhookRefused
} from "../../domain/ManageWebhooks.ts"
import { WebhookDeliveries, WebhookEndpoints } from "../../domain/Webhook.ts"
import { AppApi } from "../Api.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../Errors.ts"
import { requireScope } from "../middleware/Authorization.ts"
import { toPage, window } from "../Paging.ts"
import { group } from "../RequestServices.ts"

/** Statuses of a refusal; a route that cannot meet one has no such answer. */
const told = ({ reason, message: error }: WebhookRefused) => {
  switch (reason) {
    case "invalid":
      return new BadRequest({ error })
    case "not_allowed":
      return new Forbidden({ error })
    default:
      return new NotFound({ error })
  }
}
const toldConflict = (refusal: WebhookRefused) =>
  refusal.reason === "conflict" ? new Conflict({ error: refusal.message }) : told(refusal)

/** Needs WebhookEndpoints, WebhookDeliveries, Organizations, Audit and WebhookSender. */
export const layer = group(
  AppApi,
  "webhooks",
  Effect.fn(function* (handlers) {
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* WebhookDeliveries
    const manage = yield* makeManageWebhooks

    /** The endpoint named in the path, of the caller's organization. */
    const existing = (organizationId: string, id: string) => Effect.mapError(manage.existing(organizationId, id), told)

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("admin")
        const at = window(query)
        const found = yield* endpoints.list(organizationId, at.page, at.limit)
        return toPage({ ...found, data: found.data.map(shownWebhook) }, at)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.mapError(manage.create(organizationId, payload), (refusal) =>
          refusal.reason === "invalid"
            ? new BadRequest({ error: refusal.message })
            : refusal.reason === "conflict"
              ? new Conflict({ error: refusal.message })
              : new Forbidden({ error: refusal.message })
        )
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return shownWebhook(yield* existing(organizationId, params.id))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.mapError(manage.update(organizationId, params.id, payload), told)
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        yield* Effect.mapError(manage.remove(organizationId, params.id), told)
        return { id: params.id, deleted: true as const }
      }),
      rotateSecret: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        const { overlapSeconds = defaultSecretOverlapSeconds } = payload
        return yield* Effect.mapError(manage.rotate(organizationId, params.id, overlapSeconds), told)
      }),
      test: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.mapError(manage.test(organizationId, params.id), toldConflict)
      }),
      deliveries: Effect.fnUntraced(function* ({ params, query }) {
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
      delivery: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const found = yield* deliveries.find(organizationId, params.id, params.deliveryId)
        return found ?? (yield* new NotFound({ error: "There is no such delivery." }))
      }),
      resend: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.mapError(manage.resend(organizationId, params.id, params.deliveryId), toldConflict)
      }),
      replay: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.mapError(manage.replay(organizationId, params.id, payload), toldConflict)
      })
    })
  })
)
