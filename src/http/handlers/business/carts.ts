import { Clock, Effect } from "effect"
import { isoTime } from "../../../domain/basics/IsoTime.ts"
import { Carts } from "../../../domain/business/carts/Cart.ts"
import { makeAllowModules } from "../../../domain/business/records/ManageRecords.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { forbidden } from "./moduleHandlers.ts"

const summaryMs = 30 * 86_400_000

/** Needs Carts and Organizations. */
export const layer = group(
  AppApi,
  "carts",
  Effect.fn(function* (handlers) {
    const carts = yield* Carts
    const allowModules = yield* makeAllowModules
    const allowed = Effect.fnUntraced(function* () {
      const { organizationId } = yield* requireScope("modules:read")
      yield* allowModules(organizationId).pipe(Effect.catchTags(forbidden))
      return organizationId
    })
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const organizationId = yield* allowed()
        const part = yield* partOf("carts", query)
        return toList(yield* carts.list(organizationId, query.state, part), part)
      }),
      summary: Effect.fnUntraced(function* () {
        const organizationId = yield* allowed()
        const since = (yield* Clock.currentTimeMillis) - summaryMs
        return { since: isoTime(since), totals: yield* carts.totals(organizationId, since) }
      })
    })
  })
)
