import { Effect } from "effect"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { toPage, window } from "../../wire/Paging.ts"

/** Needs Audit. */
export const layer = group(
  AppApi,
  "auditLog",
  Effect.fn(function* (handlers) {
    const audit = yield* Audit
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("admin")
        const { page: _, limit: __, from, to, ...filter } = query
        const period = {
          ...(from === undefined ? {} : { from: new Date(from) }),
          ...(to === undefined ? {} : { to: new Date(to) })
        }
        const at = window(query)
        return toPage(yield* audit.list(organizationId, { ...filter, ...period }, at.page, at.limit), at)
      })
    })
  })
)
