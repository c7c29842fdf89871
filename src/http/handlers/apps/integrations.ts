import { Effect } from "effect"
import { ArrivalQueue } from "../../../domain/apps/ArrivalQueue.ts"
import type {
  ConnectionNotFound,
  IntegrationNotAllowed,
  InvalidConnection,
  ProviderUnreachable
} from "../../../domain/apps/connecting/ConnectionErrors.ts"
import { makeManageConnections } from "../../../domain/apps/connecting/ManageConnections.ts"
import { SyncRecords } from "../../../domain/apps/SyncRecords.ts"
import { AppApi } from "../../groups/Api.ts"
import { requirePerson, requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"
import { toPage, window } from "../../wire/Paging.ts"
import { connectPaths } from "../../wire/pages/ConnectPaths.ts"

const known = { ConnectionNotFound: ({ message }: ConnectionNotFound) => new NotFound({ error: message }) }
const planned = {
  IntegrationNotAllowed: ({ message }: IntegrationNotAllowed) => new Forbidden({ error: message })
}
const invalid = { InvalidConnection: ({ message }: InvalidConnection) => new BadRequest({ error: message }) }
const asked = {
  ...planned,
  ...invalid,
  ProviderUnreachable: ({ message }: ProviderUnreachable) =>
    new ServerError({ error: `${message} Please try again in a moment.` })
}
const allowed = { ...known, ...planned }
const connected = { ...known, ...asked }

const forPeople = "An API key cannot authorize an integration: a person has to agree at the provider. Please sign in."

/** Needs AppConnections, SyncRecords, ArrivalQueue, PullQueue, AppAdapters, HttpClient, RateLimiter, Exclusive, Organizations, OwnAddress and Audit. */
export const layer = group(
  AppApi,
  "integrations",
  Effect.fn(function* (handlers) {
    const { publicBaseUrl } = yield* OwnAddress
    const manage = yield* makeManageConnections(publicBaseUrl)
    const records = yield* SyncRecords
    const arrivals = yield* ArrivalQueue
    const redirectUri = `${publicBaseUrl}${connectPaths.callback}`

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
      authorize: Effect.fnUntraced(function* ({ params }) {
        yield* requireScope("admin")
        const { organizationId, userId } = yield* requirePerson(forPeople)
        const url = manage.authorize(organizationId, params.provider, userId, redirectUri)
        return { url: yield* Effect.catchTags(url, { ...allowed, ...invalid }) }
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
      verification: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.verification(organizationId, params.provider), known)
      }),
      fields: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return { data: yield* Effect.catchTags(manage.remoteFields(organizationId, params.provider), connected) }
      }),
      problems: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("admin")
        const { id } = yield* Effect.catchTags(manage.stored(organizationId, params.provider), known)
        const at = window(query)
        return toPage(yield* records.problems(organizationId, id, at.page, at.limit), at)
      }),
      replayAll: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const queued = yield* Effect.catchTags(
          manage.replay(organizationId, params.provider, "changes", undefined),
          allowed
        )
        return { queued }
      }),
      replay: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const { provider, problemId } = params
        return {
          queued: yield* Effect.catchTags(manage.replay(organizationId, provider, "changes", problemId), allowed)
        }
      }),
      sync: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.sync(organizationId, params.provider), { ...allowed, ...invalid })
      }),
      arrivals: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("admin")
        const { id } = yield* Effect.catchTags(manage.stored(organizationId, params.provider), known)
        const at = window(query)
        const found = arrivals.list(organizationId, id, query.problems === "true", at.page, at.limit)
        return toPage(yield* found, at)
      }),
      replayArrivals: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const again = manage.replay(organizationId, params.provider, "arrivals", undefined)
        return { queued: yield* Effect.catchTags(again, allowed) }
      }),
      replayArrival: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const { provider, arrivalId } = params
        return {
          queued: yield* Effect.catchTags(manage.replay(organizationId, provider, "arrivals", arrivalId), allowed)
        }
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
