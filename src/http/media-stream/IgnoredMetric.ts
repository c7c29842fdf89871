/** The ignored messages of media streams on `/metrics`. */
import { Effect, Metric } from "effect"
import type { IgnoredReason } from "./IgnoredMedia.ts"

export const mediaIgnored = Metric.counter("parley_media_ignored_total", {
  description: "Messages of media streams that were ignored, by reason; counted when their stream closes",
  incremental: true
})

/** Adds what one stream counted. */
export const countIgnored = (counts: ReadonlyMap<IgnoredReason, number>): Effect.Effect<void> =>
  Effect.forEach(counts, ([reason, count]) => Metric.update(Metric.withAttributes(mediaIgnored, { reason }), count), {
    discard: true
  })
