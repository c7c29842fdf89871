/** `/api/calls`: calls of all agents, one call with its transcript, tool calls and cost, and its recording. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { lines } from "../../../domain/basics/PlainText.ts"
import { CallCost } from "../../../domain/usage/Metering.ts"
import { LiveCall } from "../../../domain/voice/calls/live/LiveCall.ts"
import { CallRecord, ToolCallAudit, Utterance } from "../../../domain/voice/calls/records/CallRecord.ts"
import { CallSummary } from "../../../domain/voice/calls/records/CallSummary.ts"
import { CallPeaks } from "../../../domain/voice/calls/records/RecordingScan.ts"
import { fileAnswers } from "../../docs/FileDocs.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { CallPage, callQuery } from "../../wire/CallQuery.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { whole } from "../../wire/Paging.ts"

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

const control = [BadRequest, Forbidden, NotFound, Conflict] as const

/** The call took the command; what comes of it is told by events. */
const Told = Schema.Struct({ id: Schema.String, told: Schema.Literal(true) }).annotate({
  title: "CallTold",
  examples: [{ id: exampleIds.call, told: true }]
})

/** Where a person listens to a call, and as which listener they may take it over. */
const Listening = Schema.Struct({
  id: Schema.String,
  /** Names the person's socket, for `take-over`. */
  listener: Schema.String,
  /**
   * Where the WebSocket connects, once and within 20 seconds. The address has the token, because a browser's WebSocket can send no header.
   */
  url: Schema.String
}).annotate({
  title: "CallListening",
  examples: [
    {
      id: exampleIds.call,
      listener: exampleIds.listener,
      url: `wss://engine.example.com/listen?organization=${exampleIds.organization}&call=${exampleIds.call}&listener=${exampleIds.listener}&token=1795633261.5f2b0c7d9e41a386`
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
          "`from` and `to` are days of the organization's time zone; `slowerThanMs` finds calls with a turn whose answer began later. `totals` covers all calls that match. Send `asOf` back to get consistent pages " +
          "while new calls arrive. Scope `voice:read`."
      })
    ),
    HttpApiEndpoint.get("live", "/live", {
      success: Schema.Struct({ data: Schema.Array(LiveCall) }),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the calls that are under way",
        description:
          "Newest first, at most 500, each with what goes on in it and what was said last. The passing event `call.updated` tells how `state` goes on. " +
          "Scope `voice:read`."
      })
    ),
    HttpApiEndpoint.post("say", "/:id/say", {
      params: { id: Id },
      payload: Schema.Struct({ text: lines(500) }).annotate({
        title: "WordsForCall",
        examples: [{ text: "I have just looked: your parcel leaves today." }]
      }),
      success: Told,
      error: control
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Let the agent of a call say something",
        description:
          "As it is written, after the sentence that it is saying; an answer that it is thinking of is dropped. 409 when no agent has the call at this " +
          "moment, or a person has taken it over. Audited. Scope `calls:control`, which every role has."
      })
    ),
    HttpApiEndpoint.post("end", "/:id/end", { params: { id: Id }, success: Told, error: control }).annotateMerge(
      OpenApi.annotations({
        summary: "End a call",
        description:
          "The agent says its goodbye and hangs up. 409 when no agent has the call at this moment. Audited. Scope `calls:control`."
      })
    ),
    HttpApiEndpoint.post("transfer", "/:id/transfer", {
      params: { id: Id },
      success: Told,
      error: control
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Hand a call to a human",
        description:
          "As if the caller had asked for one: the agent's `humanDestination` is called, or the caller waits in line. 409 when no agent has the call at " +
          "this moment. Audited. Scope `calls:control`."
      })
    ),
    HttpApiEndpoint.post("listen", "/:id/listen", {
      params: { id: Id },
      success: Listening,
      error: control
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Listen to a call that is under way",
        description:
          "Both sides as the caller hears them, at most 300 ms later, over one WebSocket: mu-law, 8 kHz, in binary messages. At most 20 people listen to the " +
          "calls of one engine; 409 beyond that, and when no agent has the call at this moment. Audited. Scope `calls:control`."
      })
    ),
    HttpApiEndpoint.post("whisper", "/:id/whisper", {
      params: { id: Id },
      payload: Schema.Struct({ text: lines(500) }).annotate({
        title: "WhisperToAgent",
        examples: [{ text: "Offer express delivery: the parcel has not left yet." }]
      }),
      success: Told,
      error: control
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Tell the agent of a call something that the caller does not hear",
        description:
          "The agent heeds it from its next answer on. 409 when no agent has the call at this moment. Audited, without the words. Scope `calls:control`."
      })
    ),
    HttpApiEndpoint.post("takeOver", "/:id/take-over", {
      params: { id: Id },
      payload: Schema.Struct({ listener: Id }).annotate({
        title: "CallTakeOver",
        examples: [{ listener: exampleIds.listener }]
      }),
      success: Told,
      error: control
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Talk with the caller in the agent's place",
        description:
          "The agent falls silent and tells the caller that a colleague joins; then the caller hears the microphone of `listener`, who is connected to the " +
          "address of `listen`. When nothing comes from it for 3 seconds, the agent has the call again. 409 when the listener is not connected, when a " +
          "person has the call already, and when the call is ending. Audited. Scope `calls:control`."
      })
    ),
    HttpApiEndpoint.post("handBack", "/:id/hand-back", {
      params: { id: Id },
      success: Told,
      error: control
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Give a call back to its agent",
        description:
          "The agent tells the caller so and goes on; it knows what both sides said meanwhile. 409 when no person has the call. Audited. Scope `calls:control`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Id },
      success: CallDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a call with its transcript", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.get("peaks", "/:id/peaks", {
      params: { id: Id },
      query: { points: whole(1, 4_000, 1_400) },
      success: CallPeaks,
      error: [BadRequest, Forbidden, NotFound, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "How loud each side of a recording is, and the waits as they are heard",
        description:
          "For a picture of the call with `points` points, and for what the latencies of turns are compared with: `turns` are measured on the recording. " +
          "Scope `voice:read`."
      })
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
