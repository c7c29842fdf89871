/** `/api/integrations/describe` and `/app`: what automation tools can do with the interface, as data and as an app for each. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { JsonRecord } from "../../../domain/basics/Json.ts"
import { automationTools } from "../../docs/apps/AutomationApps.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, ServerError } from "../../wire/Errors.ts"

const Described = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  auth: JsonRecord,
  /** What starts an automation: how to subscribe, the JSON Schema of what is posted, and a sample. */
  triggers: Schema.Array(JsonRecord),
  /** What an automation can do: the request, the JSON Schemas of its body and of its answer. */
  actions: Schema.Array(JsonRecord),
  searches: Schema.Array(JsonRecord),
  /** Lists that fill the choices of fields: templates, agents, quick replies. */
  choices: Schema.Array(JsonRecord),
  /** The schemas that the others refer to. */
  components: JsonRecord
}).annotate({
  title: "AutomationDescription",
  examples: [
    {
      name: "Parley",
      version: "0.1.0",
      auth: { type: "bearer", header: "Authorization", test: { method: "GET", path: "/api/messaging-api/status" } },
      triggers: [{ key: "contact.created", label: "A contact was made", scope: "contacts:read" }],
      actions: [{ key: "messages.send", method: "POST", path: "/api/messaging-api/send", scope: "messages:send" }],
      searches: [{ key: "contacts.list", method: "GET", path: "/api/messaging-api/contacts", scope: "contacts:read" }],
      choices: [],
      components: { schemas: {} }
    }
  ]
})

export class AutomationGroup extends HttpApiGroup.make("automation")
  .add(
    HttpApiEndpoint.get("describe", "/describe", { success: Described, error: Forbidden }).annotateMerge(
      OpenApi.annotations({
        summary: "Triggers, actions and searches for automation tools",
        description:
          "For those who build an app for Zapier, Make or n8n. A trigger is subscribed to as an outgoing webhook. Scope `integrations:read`."
      })
    ),
    HttpApiEndpoint.get("app", "/app", {
      query: { tool: Schema.Literals(automationTools) },
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
      error: [BadRequest, Forbidden, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The app for an automation tool",
        description:
          "A ZIP of the files that `parley describe` writes: an app for Zapier, n8n or Make, whose forms begin with the address of this service. Its README.md says " +
          "how it is published. Scope `integrations:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/integrations") {}
