import { Effect } from "effect"
import { addDays, startOfDay } from "../../domain/basics/Calendar.ts"
import { ToolAudit } from "../../domain/voice/calls/records/ToolAudit.ts"
import { AppApi } from "../Api.ts"
import { makeOwnOrganization } from "../OwnOrganization.ts"
import { toPage, window } from "../Paging.ts"
import { group } from "../RequestServices.ts"

/** Needs Organizations and ToolAudit. */
export const layer = group(
  AppApi,
  "toolAudit",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const audit = yield* ToolAudit
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { id, timeZone } = yield* ownOrganization("admin")
        const { from, to, page: _page, limit: _limit, ...filter } = query
        const days = {
          ...(from === undefined ? {} : { since: startOfDay(from, timeZone) }),
          ...(to === undefined ? {} : { before: startOfDay(addDays(to, 1), timeZone) })
        }
        const at = window(query)
        return toPage(yield* audit.list(id, { ...filter, ...days }, at.page, at.limit), at)
      })
    })
  })
)
