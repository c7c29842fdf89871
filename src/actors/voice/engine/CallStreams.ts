/** The port for incoming media streams: what the provider sends at the start of one, and what the engine makes of it. */
import { Context, type Effect, Schema } from "effect"
import type { Line, LiveCall } from "../sound/Line.ts"

/** What the provider sends when a stream starts. */
export interface StreamStart {
  readonly streamSid: string
  readonly accountSid: string
  readonly callSid: string
  readonly callId: string
  readonly token: string
  /** `X-Twilio-Signature` of the WebSocket upgrade. */
  readonly upgradeSignature: string
}

/** A stream was refused. The line is closed without telling the other side the reason. */
export class StreamRefused extends Schema.TaggedError<StreamRefused>()("StreamRefused", {
  callId: Schema.String,
  reason: Schema.Literals(["unknown_call", "bad_token", "foreign_call", "bad_signature"])
}) {}

export class CallStreams extends Context.Service<
  CallStreams,
  {
    /** Claims the call that the stream belongs to and starts its actor. Synchronous: the socket calls it. */
    readonly connect: (start: StreamStart, line: Line) => LiveCall | StreamRefused
    /** Replaces `connect` where several processes share the port: another process may have reserved the call. */
    readonly join?: (start: StreamStart, line: Line) => Effect.Effect<LiveCall | StreamRefused>
  }
>()("parley/actors/CallStreams") {}
