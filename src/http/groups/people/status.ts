/** `/api/messaging-api/status`: whether the organization's messaging channel is connected. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ConnectionStatus } from "../../../domain/messaging/channel/ConnectionStatus.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { Forbidden } from "../../wire/Errors.ts"

export class StatusGroup extends HttpApiGroup.make("status")
  .add(
    HttpApiEndpoint.get("get", "/", { success: ConnectionStatus, error: Forbidden }).annotateMerge(
      OpenApi.annotations({
        summary: "Connection status of the messaging channel",
        description: "Without a connection `connected` is false and everything else null. Scope `status:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/status") {}
