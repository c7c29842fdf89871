/** The provider's end of a media stream, as a call sees it. Both functions do nothing once the line is closed. */
export interface Line {
  /** Sends a WebSocket text frame. The caller may reuse its bytes afterwards. */
  readonly send: (message: string | Uint8Array) => void
  readonly close: () => void
}

/** What the socket tells a live call. Every function is synchronous: audio never waits for a fiber. */
export interface LiveCall {
  readonly callId: string
  /** The mu-law payload of one media message, and its `media.timestamp` in milliseconds. The caller may reuse `payload` afterwards. */
  readonly media: (payload: Uint8Array, timestampMs: number) => void
  /** The provider has played the audio before the mark of this name. */
  readonly mark: (name: string) => void
  /** The caller pressed one key: `0`–`9`, `*`, `#`, `A`–`D`. */
  readonly dtmf: (digit: string) => void
  /** The provider sent `stop`, or the socket closed. Idempotent. */
  readonly closed: () => void
}
