/** `/api/voice-agents`: the organization's agents. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { NewVoiceAgent, VoiceAgentChanges } from "../../domain/AgentInput.ts"
import { AgentView } from "../../domain/AgentView.ts"
import { CallRecord } from "../../domain/CallRecord.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../Errors.ts"
import { Authorization } from "../middleware/Authorization.ts"
import { Decoding } from "../middleware/Decoding.ts"
import { pageOf, pageQuery } from "../Paging.ts"

const params = { id: Schema.String }
const save = [BadRequest, Forbidden, Conflict, ServerError] as const

export class VoiceAgentsGroup extends HttpApiGroup.make("voiceAgents")
  .add(
    HttpApiEndpoint.get("list", "/", { query: pageQuery, success: pageOf(AgentView), error: Forbidden }),
    HttpApiEndpoint.post("create", "/", {
      payload: NewVoiceAgent,
      success: AgentView.pipe(HttpApiSchema.status(201)),
      error: save
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: AgentView, error: [Forbidden, NotFound] }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: VoiceAgentChanges,
      success: AgentView,
      error: [...save, NotFound]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
      error: [Forbidden, NotFound, ServerError]
    }),
    HttpApiEndpoint.get("calls", "/:id/calls", {
      params,
      query: pageQuery,
      success: pageOf(CallRecord),
      error: [Forbidden, NotFound]
    })
  )
  .middleware(Authorization)
  .middleware(Decoding)
  .prefix("/api/voice-agents") {}
