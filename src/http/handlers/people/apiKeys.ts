import { Effect } from "effect"
import { type ApiKeyNotFound, ApiKeys } from "../../../domain/people/access/ApiKey.ts"
import {
  type ApiKeyEnded,
  defaultOverlapSeconds,
  type InvalidApiKey,
  makeManageApiKeys,
  type ScopesNotGrantable
} from "../../../domain/people/access/ManageApiKeys.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"

const missing = () => new NotFound({ error: "There is no such API key." })
const notFound = (_: ApiKeyNotFound) => missing()
const invalid = ({ message }: InvalidApiKey) => new BadRequest({ error: message })
const notGrantable = ({ missing }: ScopesNotGrantable) =>
  new Forbidden({ error: `A key cannot have more than its maker, who lacks ${missing.join(", ")}.` })
const ended = ({ message }: ApiKeyEnded) => new Conflict({ error: message })

/** Needs ApiKeys and Audit. */
export const layer = group(
  AppApi,
  "apiKeys",
  Effect.fn(function* (handlers) {
    const keys = yield* ApiKeys
    const manage = yield* makeManageApiKeys

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("admin")
        const at = window(query)
        return toPage(yield* keys.list(organizationId, at.page, at.limit), at)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* requireScope("admin")
        return yield* manage.create(caller, { ...payload, expiresAt: payload.expiresAt ?? null }).pipe(
          Effect.catchTags({
            InvalidApiKey: invalid,
            ScopesNotGrantable: notGrantable
          })
        )
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        const key = yield* keys.find(organizationId, params.id)
        return key ?? (yield* missing())
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({ error: "Send at least one of name and expiresAt." })
        return yield* manage
          .change(organizationId, params.id, payload)
          .pipe(Effect.catchTags({ ApiKeyNotFound: missing, ApiKeyEnded: ended, InvalidApiKey: invalid }))
      }),
      rotate: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* requireScope("admin")
        const { overlapSeconds = defaultOverlapSeconds } = payload
        const { successor, replaced } = yield* manage.rotate(caller, params.id, { ...payload, overlapSeconds }).pipe(
          Effect.catchTags({
            ApiKeyNotFound: notFound,
            ApiKeyEnded: ended,
            InvalidApiKey: invalid,
            ScopesNotGrantable: notGrantable
          })
        )
        return { ...successor, replaced }
      }),
      revoke: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        yield* manage.revoke(organizationId, params.id).pipe(Effect.mapError(notFound))
        return { id: params.id, revoked: true as const }
      })
    })
  })
)
