/** `/api/builtin-tools`: the tools of this service that agents can have. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ShownBuiltinTool } from "../../../domain/ai/tools/BuiltinTools.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { Forbidden } from "../../wire/Errors.ts"

export class BuiltinToolsGroup extends HttpApiGroup.make("builtinTools")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ data: Schema.Array(ShownBuiltinTool) }),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the built-in tools",
        description:
          'What a handler `{ "type": "builtin", "name" }` may name, with a description and the parameters to begin with. `agents`: which kinds of agents ' +
          "can have it. Scope `agents:read`, or scope `voice:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/builtin-tools") {}
