import { Effect } from "effect"
import {
  type ConnectionNotFound,
  type IntegrationNotAllowed,
  type InvalidConnection,
  makeManageConnections,
  type ProviderUnreachable
} from "../../../domain/apps/ManageConnections.ts"
import { SyncRecords } from "../../../domain/apps/SyncRecords.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"

const known = { ConnectionNotFound: ({ message }: ConnectionNotFound) => new NotFound({ error: message }) }
const allowed = {
  ...known,
  IntegrationNotAllowed: ({ message }: IntegrationNotAllowed) => new Forbidden({ error: message })
}
const connected = {
  ...allowed,
  InvalidConnection: ({ message }: InvalidConnection) => new BadRequest({ error: message }),
  ProviderUnreachable: ({ message }: ProviderUnreachable) =>
    new ServerError({ error: `${message} Please try again in a moment.` })
}

/** Needs AppConnections, SyncRecords, AppAdapters, HttpClient, RateLimiter, Organizations and Audit. */
export const layer = group(
  AppApi,
  "integrations",
  Effect.fn(function* (handlers) {
    const manage = yield* makeManageConnections
    const records = yield* SyncRecords

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("admin")
        return { data: yield* manage.list(organizationId) }
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.get(organizationId, params.provider), known)
      }),
      connect: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.connect(organizationId, params.provider, payload), connected)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        yield* Effect.catchTags(manage.remove(organizationId, params.provider), known)
        return { disconnected: true as const }
      }),
      test: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.test(organizationId, params.provider), allowed)
      }),
      enable: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.setEnabled(organizationId, params.provider, true), allowed)
      }),
      disable: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.setEnabled(organizationId, params.provider, false), allowed)
      }),
      startBackfill: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.setBackfill(organizationId, params.provider, true), allowed)
      }),
      stopBackfill: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.setBackfill(organizationId, params.provider, false), allowed)
      }),
      problems: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("admin")
        const { id } = yield* Effect.catchTags(manage.stored(organizationId, params.provider), known)
        const at = window(query)
        return toPage(yield* records.problems(organizationId, id, at.page, at.limit), at)
      }),
      replayAll: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const queued = yield* Effect.catchTags(manage.replay(organizationId, params.provider, undefined), allowed)
        return { queued }
      }),
      replay: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const { provider, problemId } = params
        return { queued: yield* Effect.catchTags(manage.replay(organizationId, provider, problemId), allowed) }
      }),
      log: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("admin")
        const { id } = yield* Effect.catchTags(manage.stored(organizationId, params.provider), known)
        const at = window(query)
        return toPage(yield* records.log(organizationId, id, at.page, at.limit), at)
      })
    })
  })
)
