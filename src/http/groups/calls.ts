/** `/api/calls/{id}`: one call with all that is kept of it. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CallRecord, ToolCallAudit, Utterance } from "../../domain/CallRecord.ts"
import { Forbidden, NotFound } from "../Errors.ts"
import { Authorization } from "../middleware/Authorization.ts"
import { Decoding } from "../middleware/Decoding.ts"

export const CallDetail = Schema.Struct({
  ...CallRecord.fields,
  utterances: Schema.Array(Utterance),
  toolCalls: Schema.Array(ToolCallAudit)
})

export class CallsGroup extends HttpApiGroup.make("calls")
  .add(
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Schema.String },
      success: CallDetail,
      error: [Forbidden, NotFound]
    })
  )
  .middleware(Authorization)
  .middleware(Decoding)
  .prefix("/api/calls") {}
