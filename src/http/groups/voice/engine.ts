/** The app's requests to an engine. Organization and agent are in the path, so the signature covers them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
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
      success: Schema.Struct({ agentId: Schema.String, version: Schema.String }).annotate({
        examples: [{ agentId: exampleIds.agent, version: exampleOf(AgentConfig).version }]
      }),
      error: [BadRequest, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Take the configuration of an agent",
        description: "The same version again changes nothing. 500 names a field that its provider does not support."
      })
    ),
    HttpApiEndpoint.delete("deleteAgent", "/:orgId/agents/:agentId", {
      params,
      success: Schema.Struct({ agentId: Schema.String, deleted: Schema.Literal(true) }).annotate({
        examples: [{ agentId: exampleIds.agent, deleted: true }]
      })
    }).annotateMerge(OpenApi.annotations({ summary: "Forget an agent" })),
    HttpApiEndpoint.post("placeCall", "/:orgId/calls", {
      params: { orgId: Schema.String },
      payload: CallSetup,
      success: CallPlacement,
      error: [NotFound, TooMany, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Reserve a slot for a call",
        description:
          "The answer says where the telephony provider connects the call's media stream. 429 when no slot is free. 500 names a field of a tested " +
          "agent that its provider does not support."
      })
    )
  )
  .middleware(Decoding)
  .middleware(EngineSigned)
  // An agent (`POST /api/voice-agents` takes 512 KB) and what is added to it, or all that was said in a call.
  .annotateEndpointsMerge(bodyLimit(1024 * 1024))
  .prefix("/engine/organizations") {}
