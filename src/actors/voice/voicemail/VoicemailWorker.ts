/**
 * Processes voicemails that are due: one fiber per message, a few at a time. Several processes may run it. A process claims a message; if the
 * process dies, another claims it when the lease ends.
 */
import { Clock, Effect, FiberSet, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { Voicemails } from "../../../domain/voice/calls/inbound/Voicemail.ts"
import { makeProcessVoicemail } from "./ProcessVoicemail.ts"

const lookEvery = "1 second"
const most = 8
/** Longer than any step takes, including the transcription of the longest message. */
const leaseMs = 5 * 60_000

/** Needs what `makeProcessVoicemail` needs, and SpeechToText. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const voicemails = yield* Voicemails
    const process = yield* makeProcessVoicemail
    const running = yield* FiberSet.make()
    const look = Effect.gen(function* () {
      const free = most - (yield* FiberSet.size(running))
      if (free <= 0) return
      const due = yield* voicemails.claim(yield* Clock.currentTimeMillis, leaseMs, free)
      yield* Effect.forEach(due, (message) => FiberSet.run(running, process(message)), { discard: true })
    })
    yield* periodically("the worker of voicemails could not look", { first: lookEvery, every: lookEvery }, look)
  })
)
