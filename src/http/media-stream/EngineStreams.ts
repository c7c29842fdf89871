/** The media socket of a process with an engine: its streams become calls of the engine, and it writes to the engine's log and metrics. */
import { Effect } from "effect"
import { CallStreams } from "../../actors/voice/engine/CallStreams.ts"
import { countIgnored } from "./IgnoredMetric.ts"
import type { MediaStreamHost } from "./MediaStream.ts"

export const hostOf = (
  { connect, join }: CallStreams["Service"],
  run: (effect: Effect.Effect<void>) => void
): Pick<MediaStreamHost, "streams" | "warn" | "ignored"> => ({
  streams: {
    connect,
    ...(join === undefined
      ? {}
      : { join: (start, line, joined) => run(Effect.map(join(start, line), (call) => joined(call))) })
  },
  warn: (sentence, fields) => run(Effect.logWarning(sentence, fields)),
  ignored: (counts) => run(countIgnored(counts))
})

export const make = Effect.gen(function* () {
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  return hostOf(yield* CallStreams, (effect) => {
    runFork(effect)
  })
})
