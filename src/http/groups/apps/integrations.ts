/** `/api/integrations`: what can be connected, and the organization's connections. Set up in the dashboard; no answer shows a credential. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AppSettings, Integration } from "../../../domain/apps/AppConnection.ts"
import { ShownArrival } from "../../../domain/apps/ArrivalQueue.ts"
import { RemoteField } from "../../../domain/apps/RemoteFields.ts"
import { SyncLogEntry, SyncProblem } from "../../../domain/apps/SyncRecords.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"

const params = { provider: Id }
const error = [BadRequest, Forbidden, NotFound] as const

const GivenIntegration = Schema.Struct({
  credentials: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  settings: Schema.optionalKey(AppSettings)
}).annotate({
  title: "GivenIntegration",
  examples: [
    {
      credentials: { signingSecret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" },
      settings: { url: "https://maplebooks.example/crm", mapping: { name: "full_name" } }
    }
  ]
})

const Tried = Schema.Struct({ ok: Schema.Boolean, problem: Schema.NullOr(Schema.String) }).annotate({
  title: "IntegrationTest",
  examples: [{ ok: true, problem: null }]
})

const Queued = Schema.Struct({ queued: Schema.Int }).annotate({ title: "ReplayedProblems", examples: [{ queued: 3 }] })

export class IntegrationsGroup extends HttpApiGroup.make("integrations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ data: Schema.Array(Integration) }),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What can be connected, and what is",
        description: "`refusal` says why the plan does not allow one. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("get", "/:provider", { params, success: Integration, error }).annotateMerge(
      OpenApi.annotations({ summary: "One integration", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.put("connect", "/:provider", {
      params,
      payload: GivenIntegration,
      success: Integration,
      error: [...error, ServerError]
    })
      .annotateMerge(needsFeature("integrations"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Connect an integration, or change its connection",
          description:
            "`fields` of the integration name what it needs. The credentials are tried first: 400 says what the provider refuses. Credentials that are " +
            "left out keep their value, for the same address only. It is told what happens from now on. Pro plan or higher; scope `admin`."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:provider", {
      params,
      success: Schema.Struct({ disconnected: Schema.Literal(true) }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Disconnect an integration",
        description: "What was sent stays there; what waits is dropped, with the log. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("authorize", "/:provider/authorize", {
      params,
      success: Schema.Struct({ url: Schema.String }).annotate({
        title: "IntegrationAuthorization",
        examples: [{ url: "https://app.hubspot.com/oauth/authorize?client_id=…&state=…" }]
      }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Begin to authorize an integration",
        description:
          "Open `url` in a window: the provider asks the person, who comes back to `/api/integrations/oauth/callback`. Ten minutes, once, for " +
          "the person who began it. Needs a session. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("test", "/:provider/test", { params, success: Tried, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Try a connection",
        description:
          "`problem` says what is wrong. A connection that failed goes on when it works again. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("enable", "/:provider/enable", { params, success: Integration, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Switch a connection on",
        description: "It is told what happens from then on, and what still waits. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("disable", "/:provider/disable", { params, success: Integration, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Switch a connection off",
        description: "What waits is kept. What happens meanwhile is not sent; a back-fill brings it. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("startBackfill", "/:provider/backfill/start", {
      params,
      success: Integration,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send the contacts there are",
        description:
          "`backfill` of the connection says how far it got. What happens now goes before. After a stop it goes on where it stopped. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("stopBackfill", "/:provider/backfill/stop", {
      params,
      success: Integration,
      error
    }).annotateMerge(
      OpenApi.annotations({ summary: "Stop sending the contacts there are", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.get("verification", "/:provider/verification", {
      params,
      success: Schema.Struct({ token: Schema.NullOr(Schema.String) }).annotate({
        title: "IntegrationVerification",
        examples: [{ token: "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl" }]
      }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What to paste back at the provider",
        description:
          "Notion sends a token to `webhookUrl` when a subscription is made there, and asks for it. Null when nothing came yet. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("fields", "/:provider/fields", {
      params,
      success: Schema.Struct({ data: Schema.Array(RemoteField) }),
      error: [...error, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The fields of contacts there",
        description:
          "By the provider's own schema, kept for ten minutes; `settings.mapping` can name those that are writable. Empty for a service without a " +
          "schema. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("problems", "/:provider/problems", {
      params,
      query: pageQuery,
      success: pageOf(SyncProblem),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Changes that were given up, newest first",
        description: "Those that the provider refused, and those that it did not take for a day. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("replayAll", "/:provider/problems/replay", { params, success: Queued, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Send all given-up changes again",
        description: "As the contacts are now. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("replay", "/:provider/problems/:problemId/replay", {
      params: { ...params, problemId: Id },
      success: Queued,
      error
    }).annotateMerge(OpenApi.annotations({ summary: "Send a given-up change again", description: "Scope `admin`." })),
    HttpApiEndpoint.post("sync", "/:provider/sync", { params, success: Integration, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Take over what changed there",
        description:
          "Pulls the records that changed since the last complete pull; `pulls` of the connection says how far it got. 400 when nothing is pulled " +
          "from this integration. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("arrivals", "/:provider/arrivals", {
      params,
      query: { ...pageQuery, problems: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      success: pageOf(ShownArrival),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Webhooks that arrived, newest first",
        description:
          "With `problems=true` only those that were given up. Their content is not shown, and is dropped once they are read. Kept for 30 days. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("replayArrivals", "/:provider/arrivals/replay", {
      params,
      success: Queued,
      error
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read all given-up webhooks again", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.post("replayArrival", "/:provider/arrivals/:arrivalId/replay", {
      params: { ...params, arrivalId: Id },
      success: Queued,
      error
    }).annotateMerge(OpenApi.annotations({ summary: "Read a given-up webhook again", description: "Scope `admin`." })),
    HttpApiEndpoint.get("log", "/:provider/log", {
      params,
      query: pageQuery,
      success: pageOf(SyncLogEntry),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What was sent and answered, newest first",
        description: "Secrets are masked. Kept for 7 days. Scope `admin`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/integrations") {}
