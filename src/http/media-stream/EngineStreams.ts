/** The media socket of a process with an engine: its streams become calls of the engine, and it writes to the engine's log and metrics. */
import { Clock, Effect } from "effect"
import { CallListeners } from "../../actors/voice/engine/CallListeners.ts"
import { CallStreams } from "../../actors/voice/engine/CallStreams.ts"
import { isInvited } from "../../actors/voice/engine/ListenerTokens.ts"
import * as StreamTokens from "../../actors/voice/engine/StreamTokens.ts"
import { countIgnored } from "./IgnoredMetric.ts"
import type { Listening } from "./ListenSocket.ts"
import type { MediaStreamHost } from "./MediaStream.ts"

type Run = (effect: Effect.Effect<void>) => void

export const hostOf = (
  { connect, join }: CallStreams["Service"],
  run: Run
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

const listeningOf = ({ join }: CallListeners["Service"], tokens: StreamTokens.StreamTokens, run: Run): Listening => ({
  isInvited: (invitation, token) => isInvited(tokens, invitation, token),
  join: (invitation, line, joined) => run(Effect.map(join(invitation, line), (call) => joined(call)))
})

/** `secret`: ENGINE_WS_SECRET, with which the tokens of listeners are signed. */
export const make = (secret: string) =>
  Effect.gen(function* () {
    const runFork = Effect.runForkWith(yield* Effect.context<never>())
    const run: Run = (effect) => {
      runFork(effect)
    }
    const clock = yield* Clock.Clock
    const tokens = StreamTokens.make(secret, () => clock.currentTimeMillisUnsafe())
    return {
      ...hostOf(yield* CallStreams, run),
      listening: listeningOf(yield* CallListeners, tokens, run)
    }
  })
