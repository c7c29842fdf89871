/** The recording of a call, compared with the audio that the simulated telephone network sent and received. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { decode } from "../../src/audio/frames/Mulaw.ts"
import { decodeWav } from "../../src/domain/basics/Wav.ts"
import { speakingOver } from "../support/callers.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { hours: "What are your opening hours?", stop: "Stop, please." }
const script = [
  {
    when: /hours/i,
    reply:
      "We are open from Monday to Friday, from nine in the morning until six in the evening. On Saturday until two."
  },
  { when: /stop/i, reply: "Of course." }
]

/** Whether each step of 10 ms is loud. */
const activity = (samples: Int16Array) =>
  Array.from({ length: Math.floor(samples.length / 80) }, (_, step) =>
    samples.subarray(step * 80, step * 80 + 80).some((sample) => Math.abs(sample) > 400)
  )

/** Cuts in the middle of each silence of half a second or more, so that every piece is one utterance. */
const pieces = (loud: ReadonlyArray<boolean>) => {
  const cuts = [0]
  let silentSince = 0
  loud.forEach((now, step) => {
    if (!now) return
    if (silentSince > 0 && step - silentSince >= 50) cuts.push(Math.round((silentSince + step) / 2))
    silentSince = step + 1
  })
  return cuts.map((from, index) => [from, cuts[index + 1] ?? loud.length] as const)
}

/**
 * By how many ms each recorded utterance must be moved to match the known one (a telephone whose audio was late plays the
 * rest of an utterance later), and the share of all 10 ms steps in which the two then differ.
 */
const compare = (recorded: Int16Array, known: Int16Array) => {
  const [ours, theirs] = [activity(recorded), activity(known)]
  const found = pieces(ours).map(([from, until]) => {
    let best = { lagMs: 0, differs: Number.POSITIVE_INFINITY }
    for (let lag = -50; lag <= 100; lag++) {
      let differs = 0
      for (let step = from; step < until; step++) if (ours[step] !== (theirs[step + lag] ?? false)) differs++
      if (differs < best.differs) best = { lagMs: lag * 10, differs }
    }
    return best
  })
  const lags = found.map(({ lagMs }) => lagMs)
  return {
    earliestMs: Math.min(...lags),
    latestMs: Math.max(...lags),
    differs: found.reduce((sum, { differs }) => sum + differs, 0) / ours.length
  }
}

const recordingOf = Effect.fnUntraced(function* (parley: Parley) {
  const { call } = yield* parley.stored
  const url = `${parley.baseUrl}/api/calls/${call.id}/recording`
  const ask = Effect.promise(() => fetch(url, { headers: { authorization: `Bearer ${parley.tenant.key}` } }))
  const response = yield* ask.pipe(
    Effect.filterOrFail((answer) => answer.status === 200),
    Effect.retry({ times: 100, schedule: Schedule.spaced("100 millis") })
  )
  return decodeWav(new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))).channels
})

describe("a recorded call", () => {
  it.live(
    "has the caller on the left and the agent as heard on the right, in step, even where the agent was interrupted",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script, agent: { recording: true } })
        const result = yield* parley.call(speakingOver(parley.samples("hours"), parley.samples("stop")))
        const [left, right] = yield* recordingOf(parley)
        const callerSide = compare(left, decode(result.said))
        const agentSide = compare(right, decode(result.heard))
        const figures = JSON.stringify({ callerSide, agentSide, seconds: left.length / 8_000 })
        assert.isBelow(callerSide.differs, 0.01, figures)
        assert.isBelow(agentSide.differs, 0.03, figures)
        const apart = Math.max(agentSide.latestMs - callerSide.earliestMs, callerSide.latestMs - agentSide.earliestMs)
        assert.isAtMost(apart, 60, figures)
        assert.approximately(left.length / 8, result.durationMs, 500, figures)
      }).pipe(Effect.scoped)
  )

  it.live("is recorded only when the agent's settings ask for it", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { call } = yield* parley.stored
      yield* Effect.sleep("1 second")
      assert.isNull(call.recording)
      const response = yield* Effect.promise(() =>
        fetch(`${parley.baseUrl}/api/calls/${call.id}/recording`, {
          headers: { authorization: `Bearer ${parley.tenant.key}` }
        })
      )
      assert.strictEqual(response.status, 404)
    }).pipe(Effect.scoped)
  )
})
