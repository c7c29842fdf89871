/** Counts the ignored messages of a media stream in plain numbers and adds them to `/metrics` when the stream ends. */
import { Effect, Metric } from "effect"

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

export const mediaIgnored = Metric.counter("parley_media_ignored_total", {
  description: "Messages of media streams that were ignored, by reason; counted when their stream closes",
  incremental: true
})

export class IgnoredMedia {
  readonly #counts = new Map<IgnoredReason, number>()

  /** Counts one message. Gives true for the first one with this reason on this stream, so that only this one is logged. */
  count(reason: IgnoredReason): boolean {
    const before = this.#counts.get(reason) ?? 0
    this.#counts.set(reason, before + 1)
    return before === 0
  }

  /** Gives the effect that adds the counts to the metric, or `undefined` when nothing was counted. Call it once, at the end of the stream. */
  publish(): Effect.Effect<void> | undefined {
    if (this.#counts.size === 0) return undefined
    return Effect.forEach(
      this.#counts,
      ([reason, count]) => Metric.update(Metric.withAttributes(mediaIgnored, { reason }), count),
      { discard: true }
    )
  }
}
