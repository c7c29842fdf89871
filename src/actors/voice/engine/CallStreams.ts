/** The port for incoming media streams. */
import { Context, type Effect } from "effect"
import type { Line, LiveCall } from "../sound/Line.ts"
import type { StreamRefused, StreamStart } from "../sound/StreamRefused.ts"

export class CallStreams extends Context.Service<
  CallStreams,
  {
    /** Claims the call that the stream belongs to and starts its actor. Synchronous: the socket calls it. */
    readonly connect: (start: StreamStart, line: Line) => LiveCall | StreamRefused
    /** Replaces `connect` where several processes share the port: another process may have reserved the call. */
    readonly join?: (start: StreamStart, line: Line) => Effect.Effect<LiveCall | StreamRefused>
  }
>()("parley/actors/CallStreams") {}
