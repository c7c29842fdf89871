/** What a media stream sent that its call had no use for: counted in plain numbers, added to `/metrics` when the stream is over. */
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
  | "after_stop"

export const mediaIgnored = Metric.counter("parley_media_ignored_total", {
  description: "Messages of media streams that were ignored, by reason; counted when their stream closes",
  incremental: true
})

export class IgnoredMedia {
  readonly #counts = new Map<IgnoredReason, number>()

  /** Counts one; true for the first of its kind on this stream, which is the one worth a log line. */
  count(reason: IgnoredReason): boolean {
    const before = this.#counts.get(reason) ?? 0
    this.#counts.set(reason, before + 1)
    return before === 0
  }

  /** Adds what was counted to the metric; `undefined` when nothing was. Once, at the stream's end. */
  publish(): Effect.Effect<void> | undefined {
    if (this.#counts.size === 0) return undefined
    return Effect.forEach(
      this.#counts,
      ([reason, count]) => Metric.update(Metric.withAttributes(mediaIgnored, { reason }), count),
      { discard: true }
    )
  }
}
