import { Effect } from "effect"
import { type ChatConflict, makeManageChat } from "../../../domain/apps/chat/ManageChat.ts"
import type {
  ConnectionNotFound,
  IntegrationNotAllowed,
  InvalidConnection,
  ProviderUnreachable
} from "../../../domain/apps/connecting/ConnectionErrors.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"

const connected = {
  ConnectionNotFound: ({ message }: ConnectionNotFound) => new NotFound({ error: message }),
  IntegrationNotAllowed: ({ message }: IntegrationNotAllowed) => new Forbidden({ error: message })
}
const asked = {
  ...connected,
  InvalidConnection: ({ message }: InvalidConnection) => new BadRequest({ error: message }),
  ProviderUnreachable: ({ message }: ProviderUnreachable) =>
    new ServerError({ error: `${message} Please try again in a moment.` })
}

/** Needs AppConnections, AppAdapters, ChatMappings, TextAgents, Organizations, Audit, Exclusive, HttpClient and RateLimiter. */
export const layer = group(
  AppApi,
  "slack",
  Effect.fn(function* (handlers) {
    const manage = yield* makeManageChat("slack")

    return handlers.handleAll({
      channels: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("admin")
        return { data: yield* Effect.catchTags(manage.channels(organizationId, query.search ?? ""), asked) }
      }),
      mappings: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("admin")
        return { data: yield* Effect.catchTags(manage.list(organizationId), connected) }
      }),
      replaceMappings: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("admin")
        const taken = { ChatConflict: ({ message }: ChatConflict) => new Conflict({ error: message }) }
        return { data: yield* Effect.catchTags(manage.replace(organizationId, payload), { ...asked, ...taken }) }
      })
    })
  })
)
