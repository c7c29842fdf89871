/** The provider's end of a media stream, as a call sees it. Both are no-ops once closed. */
export interface Line {
  /** Sends a text frame; its bytes may be reused afterwards. */
  readonly send: (message: string | Uint8Array) => void
  readonly close: () => void
}

/** What a live call takes from the socket. All synchronous: audio never waits for a fiber. */
export interface LiveCall {
  readonly callId: string
  /** mu-law payload of one media message and its `media.timestamp` in milliseconds. `payload` may be reused afterwards. */
  readonly media: (payload: Uint8Array, timestampMs: number) => void
  readonly mark: (name: string) => void
  /** One key pressed: `0`–`9`, `*`, `#`, `A`–`D`. */
  readonly dtmf: (digit: string) => void
  /** The provider's `stop`, or the socket is gone. Idempotent. */
  readonly closed: () => void
}
