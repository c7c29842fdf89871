/** `/api/ai-agents`: the organization's text agents. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { TextAgent, TextAgentSettings, textAgentDefaults } from "../../../domain/messaging/agents/TextAgent.ts"
import { NewTextAgent, TextAgentChanges } from "../../../domain/messaging/agents/TextAgentInput.ts"
import { TextAgentVersion } from "../../../domain/messaging/agents/TextAgentVersion.ts"
import { TextAgentAnswer, TextAgentTry } from "../../../domain/messaging/rehearsal/TryTextAgent.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { ifMatch } from "../../middleware/IfMatch.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Conflict, Forbidden, NotFound, TooMany } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { versionEndpoints } from "../ai/agentVersions.ts"

const params = { id: Id }
/** An agent has any number of tools, each with a schema. */
const withTools = bodyLimit(512 * 1024)

const versions = versionEndpoints({
  kept: TextAgent,
  version: TextAgentVersion,
  detail: Schema.Struct({ ...TextAgentVersion.fields, settings: TextAgentSettings }).annotate({
    title: "TextAgentVersionDetail",
    examples: [
      {
        ...exampleOf(TextAgentVersion),
        settings: {
          ...textAgentDefaults,
          name: "Shop assistant",
          systemPrompt: "You answer messages for Maple Books, a bookshop in Boston. Be short and friendly."
        }
      }
    ]
  }),
  failure: [BadRequest, Forbidden, NotFound, Conflict],
  one: "a text agent",
  restored: "and a new version",
  scope: "agents"
})

export class TextAgentsGroup extends HttpApiGroup.make("textAgents")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery,
      success: pageOf(TextAgent),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({ summary: "List text agents, newest first", description: "Scope `agents:read`." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewTextAgent,
      success: TextAgent.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a text agent",
          description:
            "Only `name` is required. `answers` says which conversations it takes; a conversation that is assigned to it (`assignee`) it always answers. " +
            "With `voiceAgentId` it has the system prompt and the tools of that voice agent. Scope `agents:write`."
        })
      )
      .annotateMerge(withTools),
    HttpApiEndpoint.get("get", "/:id", {
      params,
      success: TextAgent,
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(OpenApi.annotations({ summary: "Get a text agent", description: "Scope `agents:read`." })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      headers: ifMatch,
      payload: TextAgentChanges,
      success: TextAgent,
      error: [BadRequest, Forbidden, NotFound, Conflict]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a text agent",
          description:
            "What is not sent keeps its value. It applies from the next turn on. With `If-Match`, the `updatedAt` of the record that was changed, a save by " +
            "somebody else since is 409 and says whose it was. Scope `agents:write`."
        })
      )
      .annotateMerge(withTools),
    ...versions,
    HttpApiEndpoint.post("tryOut", "/:id/try", {
      params,
      payload: TextAgentTry,
      success: TextAgentAnswer,
      error: [BadRequest, Forbidden, NotFound, TooMany]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Ask a text agent without a conversation",
          description:
            "What it would answer to the last `messages` of the contact: by the same filter, model, knowledge and limits as in a conversation. Nothing is stored " +
            "and nothing is sent. Tools really run, except with `runTools: false`; then those without an answer in `toolAnswers` fail. `draft` has changes that " +
            "apply to this answer only. Its tokens count as those of the agent. 30 a minute for an organization. Scope `agents:write`."
        })
      )
      .annotateMerge(withTools),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.textAgent, deleted: true }]
      }),
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a text agent",
        description: "Its conversations become OPEN. Scope `agents:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/ai-agents") {}
