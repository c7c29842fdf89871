/** The engine's requests to the app: running a tool, and delivering an event of a call. The engine signs them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallEvent } from "../../../domain/voice/engine/CallEvent.ts"
import { CallNoticesFound, CallNoticesWanted } from "../../../domain/voice/engine/CallNotice.ts"
import { KnowledgeFound, KnowledgeLookup } from "../../../domain/voice/engine/KnowledgeLookup.ts"
import { ToolCallRequest, ToolCallResponse } from "../../../domain/voice/engine/ToolCallRequest.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { EngineSigned } from "../../middleware/EngineSigned.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"

export const Applied = Schema.Struct({ applied: Schema.Literal(true) })

export class CallbacksGroup extends HttpApiGroup.make("callbacks")
  .add(
    HttpApiEndpoint.post("toolCall", "/tool-call", {
      payload: ToolCallRequest,
      success: ToolCallResponse
    }).annotateMerge(OpenApi.annotations({ summary: "Run a tool of a call" })),
    HttpApiEndpoint.post("knowledge", "/knowledge", {
      payload: KnowledgeLookup,
      success: KnowledgeFound
    }).annotateMerge(OpenApi.annotations({ summary: "Look up what knowledge bases say" })),
    HttpApiEndpoint.post("notices", "/notices", {
      payload: CallNoticesWanted,
      success: CallNoticesFound
    }).annotateMerge(OpenApi.annotations({ summary: "Say what has happened outside of a call" })),
    HttpApiEndpoint.post("webhook", "/webhook", { payload: CallEvent, success: Applied }).annotateMerge(
      OpenApi.annotations({ summary: "Take an event of a call" })
    )
  )
  .middleware(Decoding)
  .middleware(EngineSigned)
  // What a model writes for a tool, or what was said.
  .annotateEndpointsMerge(bodyLimit(1024 * 1024))
  .prefix("/api/voice-agents") {}
