/** What happened on a call, as the caller's end of the line saw it. Times are milliseconds since the call was answered. */
export type LineEvent =
  | { readonly type: "answered"; readonly atMs: number }
  | { readonly type: "streamStarted"; readonly atMs: number; readonly streamSid: string }
  | {
      readonly type: "streamStopped"
      readonly atMs: number
      readonly streamSid: string
      readonly by: "line" | "engine"
    }
  | { readonly type: "agentSpeechStarted"; readonly atMs: number }
  | { readonly type: "agentSpeechEnded"; readonly atMs: number }
  | { readonly type: "callerSpeechStarted"; readonly atMs: number }
  | { readonly type: "callerSpeechEnded"; readonly atMs: number }
  | { readonly type: "mark"; readonly atMs: number; readonly name: string }
  | { readonly type: "markEchoed"; readonly atMs: number; readonly name: string }
  | { readonly type: "clear"; readonly atMs: number; readonly droppedMs: number }
  | { readonly type: "dtmf"; readonly atMs: number; readonly digit: string }
  | { readonly type: "spoken"; readonly atMs: number; readonly text: string }
  | { readonly type: "played"; readonly atMs: number; readonly url: string }
  | { readonly type: "recordingStarted"; readonly atMs: number }
  | { readonly type: "recordingEnded"; readonly atMs: number; readonly recordingSid: string | null }
  | { readonly type: "dialed"; readonly atMs: number; readonly to: string }
  | { readonly type: "dialEnded"; readonly atMs: number; readonly status: DialStatus }
  | { readonly type: "enqueued"; readonly atMs: number; readonly queue: string }
  | { readonly type: "leftQueue"; readonly atMs: number; readonly result: QueueResult }
  | { readonly type: "ended"; readonly atMs: number; readonly by: EndedBy }

/** The provider's `DialCallStatus`. */
export type DialStatus = "completed" | "busy" | "no-answer" | "failed" | "canceled"

/** The provider's `QueueResult`. */
export type QueueResult = "hangup" | "leave" | "redirected" | "queue-full"

/**
 * `caller` hung up; `stream`: the engine closed the socket and no verb followed; `rest`: Status=completed; `twiml`: hang-up or
 * the document's end; `reject`; `queue`: the caller gave up waiting for a human; `error`: webhook, TwiML or stream failed;
 * `limit`: the call was longer than `maxMs`.
 */
export type EndedBy = "caller" | "stream" | "rest" | "twiml" | "reject" | "queue" | "error" | "limit"
