/** `/api/voice-agents`: the organization's agents. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { NewVoiceAgent, VoiceAgentChanges } from "../../../domain/voice/agents/AgentInput.ts"
import { AgentView } from "../../../domain/voice/agents/AgentView.ts"
import { OutboundRequest } from "../../../domain/voice/calls/outbound/RequestCall.ts"
import { CallRecord } from "../../../domain/voice/calls/records/CallRecord.ts"
import { HumanLine } from "../../../domain/voice/calls/records/Transfer.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { CallPage, callQuery } from "../../wire/CallQuery.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"

const params = { id: Id }
/** The queue for the agent's human. The human is free when `dialing` is null; `destination` is null when the agent has no human. */
const Queue = Schema.Struct({ ...HumanLine.fields, destination: Schema.NullOr(Schema.String) }).annotate({
  title: "WaitingLine",
  examples: [exampleOf(HumanLine)]
})
const save = [BadRequest, Forbidden, Conflict, ServerError] as const

/** An agent has any number of tools, each with a schema. */
const withTools = bodyLimit(512 * 1024)

export class VoiceAgentsGroup extends HttpApiGroup.make("voiceAgents")
  .add(
    HttpApiEndpoint.get("list", "/", { query: pageQuery, success: pageOf(AgentView), error: Forbidden }).annotateMerge(
      OpenApi.annotations({ summary: "List voice agents", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewVoiceAgent,
      success: AgentView.pipe(HttpApiSchema.status(201)),
      error: save
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a voice agent and sync it to the engine",
          description: "Scope `voice:write`."
        })
      )
      .annotateMerge(withTools),
    HttpApiEndpoint.get("get", "/:id", { params, success: AgentView, error: [Forbidden, NotFound] }).annotateMerge(
      OpenApi.annotations({ summary: "Get a voice agent", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: VoiceAgentChanges,
      success: AgentView,
      error: [...save, NotFound]
    })
      .annotateMerge(
        OpenApi.annotations({ summary: "Change a voice agent and sync it again", description: "Scope `voice:write`." })
      )
      .annotateMerge(withTools),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.agent, deleted: true }]
      }),
      error: [Forbidden, NotFound, Conflict, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a voice agent, here and on the engine",
        description: "Scope `voice:write`."
      })
    ),
    HttpApiEndpoint.get("calls", "/:id/calls", {
      params,
      query: callQuery,
      success: CallPage,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ summary: "List the calls of an agent", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.post("call", "/:id/calls", {
      params,
      payload: OutboundRequest,
      success: CallRecord.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, NotFound, TooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Let the agent call somebody",
        description:
          "Answers at once with the call in `queued`; `GET /api/calls/{id}` tells how it goes on. Scope `voice:write`."
      })
    ),
    HttpApiEndpoint.get("queue", "/:id/queue", { params, success: Queue, error: [Forbidden, NotFound] }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the line of callers who wait for the human",
        description: "Scope `voice:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/voice-agents") {}
