/** `/api/mcp-servers`: external MCP servers, whose tools agents may call. Set up in the dashboard; no answer shows a secret. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApprovedMcpTools, GivenMcpServer, ShownMcpServer } from "../../../domain/ai/tools/McpServer.ts"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

export class McpServersGroup extends HttpApiGroup.make("mcpServers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ data: Schema.Array(ShownMcpServer) }),
      error: [Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the external MCP servers, newest first",
        description: "All of them: an organization may have 20. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: GivenMcpServer,
      success: ShownMcpServer.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    })
      .annotateMerge(needsFeature("integrations"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add an external MCP server",
          description:
            "It is asked at once what it offers: `health` says how that went. Agents have none of its tools before they are approved. `url` is on the " +
            "public internet and speaks Streamable HTTP, or the older event stream. `timeoutMs` (8000 by default) is for each tool call. With `auth.type` " +
            "`oauth` a person authorizes it (`POST …/authorize`); `clientId` and `clientSecret` are for authorization servers that register nobody by " +
            "themselves. Pro plan or higher; scope `admin`."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: ShownMcpServer, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Get an MCP server with its tools",
        description:
          "Of each tool what the model is told, its state, and what changed since it was approved. Scope `admin`."
      })
    ),
    HttpApiEndpoint.put("change", "/:id", {
      params,
      payload: GivenMcpServer,
      success: ShownMcpServer,
      error: [...error, Conflict]
    })
      .annotateMerge(needsFeature("integrations"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an MCP server",
          description:
            "Without `auth` it stays; a secret that is left out stays, too, while the address is the same. At another address nothing is " +
            "approved. With another address, client or kind of `auth` an authorization ends. Scope `admin`."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.mcpServer, deleted: true }]
      }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove an MCP server",
        description:
          "Agents lose its tools at once, also in calls that are under way. Its authorization is revoked. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("test", "/:id/test", { params, success: ShownMcpServer, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask an MCP server again what it offers",
        description: "Connects anew, in at most ten seconds. `health` says how that went. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("authorize", "/:id/authorize", {
      params,
      success: Schema.Struct({ url: Schema.String }).annotate({
        title: "McpServerAuthorization",
        examples: [{ url: "https://login.parcels.example/authorize?response_type=code&client_id=…&state=…" }]
      }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Begin to authorize an MCP server by OAuth",
        description:
          "Open `url` in a window: its authorization server asks the person, who comes back to a page of this service. Ten minutes, once, for the " +
          "person who began it. Asks also for scopes that the server has wanted since (`authorization.wanted`). Needs a session. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("approve", "/:id/approve", {
      params,
      payload: ApprovedMcpTools,
      success: ShownMcpServer,
      error: [...error, Conflict]
    })
      .annotateMerge(needsFeature("integrations"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Approve tools of an MCP server",
          description:
            "All that agents may have, each with the `hash` that was read; what is left out is no longer approved. 409 when a tool has changed " +
            "meanwhile. A tool that changes later is not offered to new calls until it is approved again; calls under way go on. Scope `admin`."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/mcp-servers") {}
