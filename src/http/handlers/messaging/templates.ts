import { Effect } from "effect"
import { makeSyncTemplates, type TemplatesNotListed } from "../../../domain/messaging/templates/SyncTemplates.ts"
import { Templates } from "../../../domain/messaging/templates/Templates.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, NotFound, ServerError } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"

const notListed = ({ message, refused }: TemplatesNotListed) =>
  refused
    ? new Conflict({ error: message })
    : new ServerError({ error: `The channel did not list its templates: ${message}` })

/** Needs Templates and MessagingChannel. */
export const layer = group(
  AppApi,
  "templates",
  Effect.fn(function* (handlers) {
    const templates = yield* Templates
    const sync = yield* makeSyncTemplates
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("messages:read")
        const part = yield* partOf("templates", query)
        const { page: _, limit: __, cursor: ___, ...filter } = query
        return toList(yield* templates.list(organizationId, filter, part), part)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("messages:read")
        const found = yield* templates.find(organizationId, params.id)
        return found ?? (yield* new NotFound({ error: "There is no such template." }))
      }),
      sync: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("messages:send")
        return yield* Effect.mapError(sync(organizationId), notListed)
      })
    })
  })
)
