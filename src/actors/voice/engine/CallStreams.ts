/** Where media streams come in: what the provider says of one, and what becomes of it. */
import { Context, type Effect, Schema } from "effect"
import type { Line, LiveCall } from "../call/Line.ts"

/** What the provider says of itself when a stream starts. */
export interface StreamStart {
  readonly streamSid: string
  readonly accountSid: string
  readonly callSid: string
  readonly callId: string
  readonly token: string
  /** `X-Twilio-Signature` of the WebSocket upgrade. */
  readonly upgradeSignature: string
}

/** Why a stream was refused; the line is closed without telling the other side which. */
export class StreamRefused extends Schema.TaggedError<StreamRefused>()("StreamRefused", {
  callId: Schema.String,
  reason: Schema.Literals(["unknown_call", "bad_token", "foreign_call", "bad_signature"])
}) {}

export class CallStreams extends Context.Service<
  CallStreams,
  {
    /** Claims the call a stream belongs to and starts its actor. Synchronous: called from the socket. */
    readonly connect: (start: StreamStart, line: Line) => LiveCall | StreamRefused
    /** Instead of `connect` where several processes share the port: the call may have been reserved by another one. */
    readonly join?: (start: StreamStart, line: Line) => Effect.Effect<LiveCall | StreamRefused>
  }
>()("parley/actors/CallStreams") {}
