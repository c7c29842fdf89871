/** `/api/tool-calls`: the audit of tools, for the organization's administrators. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ToolAuditEntry } from "../../../domain/voice/calls/records/ToolAudit.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { Forbidden } from "../../wire/Errors.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { Day } from "../../wire/RequestTime.ts"

export class ToolAuditGroup extends HttpApiGroup.make("toolAudit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        agentId: Schema.optionalKey(Schema.String),
        callId: Schema.optionalKey(Schema.String),
        name: Schema.optionalKey(Schema.String),
        outcome: Schema.optionalKey(ToolAuditEntry.fields.outcome),
        from: Schema.optionalKey(Day),
        to: Schema.optionalKey(Day)
      },
      success: pageOf(ToolAuditEntry),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Audit of the tools that agents ran",
        description: "Needs the scope `admin`. `from` and `to` are days of the organization's time zone, both included."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/tool-calls") {}
