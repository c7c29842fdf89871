import { Effect } from "effect"
import { addDays, startOfDay } from "../../../domain/basics/Calendar.ts"
import { ToolAudit } from "../../../domain/voice/calls/records/ToolAudit.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"
import { toPage, window } from "../../wire/Paging.ts"

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
