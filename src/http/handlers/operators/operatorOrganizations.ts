import { Effect } from "effect"
import { makeOperateOrganization } from "../../../domain/operators/OperateOrganization.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"

/** Handles NoSuchOrganization. */
export const noOrganization = () => new NotFound({ error: "There is no organization with this id." })

/** Needs the stores of organizations, their agents and usage, Audit and InstallationLog. */
export const layer = group(
  AppApi,
  "operatorOrganizations",
  Effect.fn(function* (handlers) {
    const { list, get, change } = yield* makeOperateOrganization
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { page: _, limit: __, ...filter } = query
        const at = window(query)
        return toPage(yield* list(filter, at.page, at.limit), at)
      }),
      get: ({ params: { id } }) => get(id).pipe(Effect.catchTag("NoSuchOrganization", noOrganization)),
      change: Effect.fnUntraced(function* ({ params: { id }, payload: { reason, ...changes } }) {
        if (Object.keys(changes).length === 0)
          return yield* new BadRequest({
            error: "Send at least one of plan, stage, flags, terms and aiTokensPerMonth."
          })
        return yield* change(id, changes, reason).pipe(
          Effect.catchTags({
            NoSuchOrganization: noOrganization,
            OrganizationRefused: ({ message }) => new Forbidden({ error: message })
          })
        )
      })
    })
  })
)
