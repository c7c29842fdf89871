/** Counts the ignored messages of a media stream, by reason. */

export type IgnoredReason =
  | "binary_frame"
  | "malformed_json"
  | "unknown_event"
  | "repeated_start"
  | "malformed_media"
  | "malformed_mark"
  | "malformed_dtmf"
  /** More keys a second than a telephone can send. */
  | "too_many_keys"
  /** A stop that names another stream, or none. */
  | "foreign_stream"
  | "after_stop"

export class IgnoredMedia {
  readonly #counts = new Map<IgnoredReason, number>()

  /** Counts one message. Gives true for the first one with this reason on this stream, so that only this one is logged. */
  count(reason: IgnoredReason): boolean {
    const before = this.#counts.get(reason) ?? 0
    this.#counts.set(reason, before + 1)
    return before === 0
  }

  /** What was counted. */
  get counts(): ReadonlyMap<IgnoredReason, number> {
    return this.#counts
  }
}
