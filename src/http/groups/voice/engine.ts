/** The app's requests to an engine. Organization and agent are in the path, so the signature covers them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { CallPlacement, CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { EngineSigned } from "../../middleware/EngineSigned.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"

const params = { orgId: Schema.String, agentId: Schema.String }

export class EngineGroup extends HttpApiGroup.make("engine")
  .add(
    HttpApiEndpoint.put("putAgent", "/:orgId/agents/:agentId", {
      params,
      payload: AgentConfig,
      success: Schema.Struct({ agentId: Schema.String, version: Schema.String }),
      error: [BadRequest, ServerError]
    }),
    HttpApiEndpoint.delete("deleteAgent", "/:orgId/agents/:agentId", {
      params,
      success: Schema.Struct({ agentId: Schema.String, deleted: Schema.Literal(true) })
    }),
    HttpApiEndpoint.post("placeCall", "/:orgId/calls", {
      params: { orgId: Schema.String },
      payload: CallSetup,
      success: CallPlacement,
      error: [NotFound, TooMany]
    })
  )
  .middleware(Decoding)
  .middleware(EngineSigned)
  // An agent (`POST /api/voice-agents` takes 512 KB) and what is added to it, or all that was said in a call.
  .annotateEndpointsMerge(bodyLimit(1024 * 1024))
  .prefix("/engine/organizations") {}
