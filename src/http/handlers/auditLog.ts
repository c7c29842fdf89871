import { Effect } from "effect"
import { Audit } from "../../domain/people/access/Audit.ts"
import { AppApi } from "../Api.ts"
import { requireScope } from "../middleware/Authorization.ts"
import { toPage, window } from "../Paging.ts"
import { group } from "../RequestServices.ts"

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
