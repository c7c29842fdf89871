import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  type BroadcastAction,
  type BroadcastNotMovable,
  Broadcasts
} from "../../../domain/messaging/broadcasts/Broadcast.ts"
import {
  type BroadcastNotAllowed,
  type BroadcastNotReady,
  type InvalidBroadcast,
  makeManageBroadcasts
} from "../../../domain/messaging/broadcasts/ManageBroadcasts.ts"
import type { TemplateComponents } from "../../../domain/messaging/templates/TemplateComponents.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { makeNeedChannel } from "./needChannel.ts"

const notFound = () => new NotFound({ error: "There is no such broadcast." })

/** What the refusals of a new broadcast are answered with. */
export const broadcastErrors = {
  BroadcastNotAllowed: ({ message }: BroadcastNotAllowed) => new Forbidden({ error: message }),
  InvalidBroadcast: ({ message }: InvalidBroadcast) => new BadRequest({ error: message })
}

/** What the refusals of an action on a broadcast are answered with. */
export const broadcastActionErrors = {
  BroadcastNotAllowed: broadcastErrors.BroadcastNotAllowed,
  BroadcastNotReady: ({ message }: BroadcastNotReady) => new Conflict({ error: message }),
  BroadcastNotMovable: ({ message }: BroadcastNotMovable) => new Conflict({ error: message })
}

/** Needs Broadcasts, Templates, Organizations and Audit. */
export const layer = group(
  AppApi,
  "broadcasts",
  Effect.fn(function* (handlers) {
    const broadcasts = yield* Broadcasts
    const { preview, create, act } = yield* makeManageBroadcasts

    const needChannel = yield* makeNeedChannel
    const acting = (action: BroadcastAction) =>
      traced(`broadcasts.${action}`)(function* ({ params }: { readonly params: { readonly id: string } }) {
        const { organizationId } = yield* requireScope("messages:send")
        if (action === "start" || action === "resume") yield* needChannel(organizationId)
        const broadcast = yield* act(organizationId, params.id, action).pipe(Effect.catchTags(broadcastActionErrors))
        return broadcast ?? (yield* notFound())
      })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("messages:read")
        const part = yield* partOf("broadcasts", query)
        const filter = query.status === undefined ? {} : { status: query.status }
        return toList(yield* broadcasts.list(organizationId, filter, part), part)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* requireScope("messages:send")
        const { dryRun, scheduledAt, components = [], ...rest } = payload
        const input = {
          ...rest,
          components: components as TemplateComponents,
          ...(scheduledAt === undefined ? {} : { scheduledAt: Date.parse(scheduledAt) })
        }
        if (dryRun === true) {
          const counts = yield* preview(caller.organizationId, input).pipe(Effect.catchTags(broadcastErrors))
          return HttpServerResponse.jsonUnsafe(counts)
        }
        return yield* create(caller.organizationId, input, callerId(caller)).pipe(Effect.catchTags(broadcastErrors))
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("messages:read")
        return (yield* broadcasts.find(organizationId, params.id)) ?? (yield* notFound())
      }),
      recipients: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("messages:read")
        const part = yield* partOf("recipients", query)
        const filter = query.status === undefined ? {} : { status: query.status }
        const recipients = yield* broadcasts.recipients(organizationId, params.id, filter, part)
        return recipients === undefined ? yield* notFound() : toList(recipients, part)
      }),
      start: acting("start"),
      pause: acting("pause"),
      resume: acting("resume"),
      cancel: acting("cancel")
    })
  })
)
