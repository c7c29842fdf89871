/** A stream of bytes between the two ends of a link. */
export interface Pipe {
  /** Takes a batch. False: it takes no more until `drained`. */
  readonly write: (batch: Uint8Array) => boolean
  /** Ends the pipe; `closed` follows. */
  readonly close: () => void
}

/** What hears of a pipe. */
export interface PipeListener {
  readonly receive: (bytes: Uint8Array) => void
  readonly drained: () => void
  readonly closed: () => void
}

/** A link whose other end has taken nothing for so long stalls. Milliseconds. */
export const stallsAfterMs = 1_500
/** Then it is given up. */
export const closedAfterMs = 30_000
