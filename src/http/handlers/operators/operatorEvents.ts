import { Effect } from "effect"
import { InstallationLog } from "../../../domain/operators/InstallationLog.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { toPage, window } from "../../wire/Paging.ts"

/** Needs InstallationLog. */
export const layer = group(
  AppApi,
  "operatorEvents",
  Effect.fn(function* (handlers) {
    const log = yield* InstallationLog
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { page: _, limit: __, ...filter } = query
        const at = window(query)
        return toPage(yield* log.list(filter, at.page, at.limit), at)
      })
    })
  })
)
