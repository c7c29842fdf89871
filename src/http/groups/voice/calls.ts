/** `/api/calls`: calls of all agents, one call with its transcript, tool calls and cost, and its recording. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleOf } from "../../../domain/basics/Examples.ts"
import { CallCost } from "../../../domain/usage/Metering.ts"
import { CallRecord, ToolCallAudit, Utterance } from "../../../domain/voice/calls/records/CallRecord.ts"
import { CallSummary } from "../../../domain/voice/calls/records/CallSummary.ts"
import { fileAnswers } from "../../docs/FileDocs.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { CallPage, callQuery } from "../../wire/CallQuery.ts"
import { BadRequest, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

export const CallDetail = Schema.Struct({
  ...CallRecord.fields,
  /** Null while the call goes on. */
  summary: Schema.NullOr(CallSummary),
  utterances: Schema.Array(Utterance),
  toolCalls: Schema.Array(ToolCallAudit),
  /** Null when the call is not counted: it has not ended, or it lasted less than a second. */
  cost: Schema.NullOr(CallCost)
}).annotate({
  title: "CallDetail",
  examples: [
    {
      ...exampleOf(CallRecord),
      summary: exampleOf(CallSummary),
      utterances: [exampleOf(Utterance)],
      toolCalls: [exampleOf(ToolCallAudit)],
      cost: exampleOf(CallCost)
    }
  ]
})

export class CallsGroup extends HttpApiGroup.make("calls")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...callQuery,
        agentId: Schema.optionalKey(Id),
        contactId: Schema.optionalKey(Id),
        conversationId: Schema.optionalKey(Id)
      },
      success: CallPage,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List calls of all agents, newest first",
        description:
          "`from` and `to` are days of the organization's time zone. `totals` covers all calls that match. Send `asOf` back to get consistent pages " +
          "while new calls arrive. Scope `voice:read`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Id },
      success: CallDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a call with its transcript", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.get("recording", "/:id/recording", {
      params: { id: Id },
      success: HttpApiSchema.StreamUint8Array({ contentType: "audio/wav" }),
      error: [Forbidden, NotFound, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The recording of a call",
        description:
          "Stereo WAV, the caller left, the agent as heard right. Takes `Range` (one range: 206, or 416 beyond the end), `If-Range` and " +
          "`If-None-Match` (304). Also answers HEAD. Scope `voice:read`.",
        transform: fileAnswers(["audio/wav"])
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/calls") {}
