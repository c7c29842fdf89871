import { Effect } from "effect"
import { ChannelConnections } from "../../../domain/messaging/channel/ConnectionStatus.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"

/** Needs ChannelConnections. */
export const layer = group(
  AppApi,
  "status",
  Effect.fn(function* (handlers) {
    const connections = yield* ChannelConnections
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("status:read")
        return yield* connections.status(organizationId)
      })
    })
  })
)
