/** `/api/voice-agents`: the organization's agents. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { voiceRefusal } from "../../../domain/people/organizations/Organization.ts"
import { NewVoiceAgent, VoiceAgentChanges } from "../../../domain/voice/agents/AgentInput.ts"
import { AgentVersion } from "../../../domain/voice/agents/AgentVersion.ts"
import { AgentView } from "../../../domain/voice/agents/AgentView.ts"
import { ToolTry, ToolTryRequest } from "../../../domain/voice/agents/TryTool.ts"
import { VoiceAgentSettings, voiceAgentDefaults } from "../../../domain/voice/agents/VoiceAgent.ts"
import { TestCall, TestCallRequest } from "../../../domain/voice/calls/live/PlaceTestCall.ts"
import { OutboundRequest } from "../../../domain/voice/calls/outbound/RequestCall.ts"
import { CallRecord } from "../../../domain/voice/calls/records/CallRecord.ts"
import { HumanLine } from "../../../domain/voice/calls/records/Transfer.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { ifMatch } from "../../middleware/IfMatch.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { CallPage, callQuery } from "../../wire/CallQuery.ts"
import { needsPlan } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { versionEndpoints } from "../ai/agentVersions.ts"

const params = { id: Id }
/** The queue for the agent's human. The human is free when `dialing` is null; `destination` is null when the agent has no human. */
const Queue = Schema.Struct({ ...HumanLine.fields, destination: Schema.NullOr(Schema.String) }).annotate({
  title: "WaitingLine",
  examples: [exampleOf(HumanLine)]
})
const save = [BadRequest, Forbidden, Conflict, ServerError] as const

/** An agent has any number of tools, each with a schema. */
const withTools = bodyLimit(512 * 1024)

const versions = versionEndpoints({
  kept: AgentView,
  version: AgentVersion,
  detail: Schema.Struct({ ...AgentVersion.fields, settings: VoiceAgentSettings }).annotate({
    title: "VoiceAgentVersionDetail",
    examples: [
      {
        ...exampleOf(AgentVersion),
        settings: {
          ...voiceAgentDefaults,
          name: "Front desk",
          welcomeMessage: "Maple Books, how can I help you?",
          voiceFamily: "english",
          voiceId: "aura-2-thalia-en",
          systemPrompt: "You answer calls for Maple Books, a bookshop in Boston. Be short and friendly."
        }
      }
    ]
  }),
  failure: [...save, NotFound],
  one: "a voice agent",
  restored: "synced to the engine, and a new version",
  scope: "voice"
})

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
      .annotateMerge(needsPlan(voiceRefusal))
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
      headers: ifMatch,
      payload: VoiceAgentChanges,
      success: AgentView,
      error: [...save, NotFound]
    })
      .annotateMerge(needsPlan(voiceRefusal))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a voice agent and sync it again",
          description:
            "With `If-Match`, the `updatedAt` of the record that was changed, a save by somebody else since is 409 and says whose it was. Scope `voice:write`."
        })
      )
      .annotateMerge(withTools),
    ...versions,
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
    })
      .annotateMerge(needsPlan(voiceRefusal))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Let the agent call somebody",
          description:
            "Answers at once with the call in `queued`; `GET /api/calls/{id}` tells how it goes on. Scope `voice:write`."
        })
      ),
    HttpApiEndpoint.post("testCall", "/:id/test-calls", {
      params,
      payload: TestCallRequest,
      success: TestCall.pipe(HttpApiSchema.status(201)),
      error: [...save, NotFound, TooMany]
    })
      .annotateMerge(needsPlan(voiceRefusal))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Talk to the agent without a telephone",
          description:
            "Connect a WebSocket to `url` within 20 seconds and speak the media-stream protocol of the telephony provider (`connected`, `start`, then " +
            "20 ms of mu-law a message). `draft` has changes that apply to this call only; nothing is saved. The call counts against the calls at once, " +
            "but is not billed and has no contact. Scope `voice:write`."
        })
      )
      .annotateMerge(withTools),
    HttpApiEndpoint.post("tryTool", "/:id/tools/:name/try", {
      params: { id: Id, name: Id },
      payload: ToolTryRequest,
      success: ToolTry,
      error: [...save, NotFound, TooMany]
    })
      .annotateMerge(needsPlan(voiceRefusal))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Run a tool of the agent once",
          description:
            "The tool really runs, as in a call but without one. `draft` has changes that apply to this try only; nothing is saved. Arguments that do not " +
            "fit, and a tool that fails, are answers. 30 a minute for an organization. Audited. Scope `voice:write`."
        })
      )
      .annotateMerge(withTools),
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
