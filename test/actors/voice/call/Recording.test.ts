import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Recording from "../../../../src/actors/voice/call/Recording.ts"
import { decode, encode } from "../../../../src/audio/frames/Mulaw.ts"
import { Recordings } from "../../../../src/domain/voice/engine/Recordings.ts"
import { agentOf } from "../../../support/agent.ts"

const call = { organizationId: "org_1", agentId: "agt_1", callId: "call_1" }
const loud = 9_000
const frame = { caller: new Int16Array(160).fill(loud), agent: encode(new Int16Array(160).fill(loud)) }
const heard = decode(frame.agent)[0]

/** A call on a clock that stands still until it is set, and both channels of its recording. */
const recorded = (elapsedMs = 0) => {
  const left: Array<number> = []
  const right: Array<number> = []
  const time = { now: 5_000 }
  let closed = 0
  const recordings = Layer.succeed(Recordings, {
    open: () =>
      Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => void closed++)),
        {
          write: (interleaved: Int16Array) => {
            assert.strictEqual(closed, 0)
            for (let i = 0; i < interleaved.length; i += 2) {
              left.push(interleaved[i])
              right.push(interleaved[i + 1])
            }
          }
        }
      ),
    fileElsewhere: () => undefined,
    finish: () => Effect.void,
    delivered: Effect.void
  })
  const recording = Recording.make({ agent: agentOf({ recording: true }), now: () => time.now, elapsedMs })
  if (recording === undefined) throw new Error("there should be a recording")
  return { ...recording, left, right, time, recordings, closed: () => closed }
}

const span = (side: ReadonlyArray<number>, value: number) => [
  side.indexOf(value) / 8,
  (side.lastIndexOf(value) + 1) / 8
]

describe("the recording of a call", () => {
  it("is off unless the agent asks for it", () => {
    assert.isUndefined(Recording.make({ agent: agentOf(), now: () => 0 }))
  })

  for (const elapsedMs of [0, 600_000])
    it.effect(`has both sides at the times when the caller heard them, ${elapsedMs} ms into the call`, () =>
      Effect.gen(function* () {
        const { recorder, store, left, right, time, recordings, closed } = recorded(elapsedMs)
        // The caller's media takes 60 ms to us: at 1,000 ms of our clock we receive audio that was spoken at 940.
        for (let at = 0; at < 3_000; at += 20) {
          time.now = 5_000 + at + 60
          recorder.caller(at === 1_000 ? frame.caller : new Int16Array(160), elapsedMs + at)
        }
        // More audio than the window was recorded before the call's fiber wrote it.
        yield* Effect.gen(function* () {
          yield* store(call, () => false)
          for (let at = 3_000; at < 3_500; at += 20) recorder.agent(frame.agent, elapsedMs + at)
          time.now = 5_000 + 3_200
          recorder.agentStopped(elapsedMs + 3_200)
          time.now = 5_000 + 3_400
        }).pipe(Effect.scoped, Effect.provide(recordings))
        assert.deepStrictEqual(span(left, loud), [1_000, 1_020])
        assert.deepStrictEqual(span(right, heard), [2_940, 3_140])
        assert.strictEqual(left.length / 8, 3_340)
        assert.strictEqual(closed(), 1)
      })
    )
})
