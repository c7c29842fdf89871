import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { RecordingScan } from "../../../../../src/domain/voice/calls/records/RecordingScan.ts"

const perMs = 8

interface Sound {
  readonly side: "caller" | "agent"
  readonly fromMs: number
  readonly toMs: number
  readonly loudness: number
}

/** The samples of a recording with a tone on one side or the other. */
const recording = (ms: number, ...sounds: ReadonlyArray<Sound>): Buffer => {
  const data = Buffer.alloc(ms * perMs * 4)
  for (const { side, fromMs, toMs, loudness } of sounds)
    for (let at = fromMs * perMs; at < toMs * perMs; at++)
      data.writeInt16LE(
        Math.round(loudness * Math.sin((at * 2 * Math.PI * 440) / 8_000)),
        at * 4 + (side === "agent" ? 2 : 0)
      )
  return data
}

const scanned = (data: Buffer, pieces: ReadonlyArray<number> = []) => {
  const scan = new RecordingScan(data.length)
  let at = 0
  for (const size of pieces) {
    scan.push(data.subarray(at, at + size))
    at = Math.min(data.length, at + size)
  }
  scan.push(data.subarray(at))
  return scan
}

const conversation = recording(
  6_000,
  { side: "agent", fromMs: 0, toMs: 1_000, loudness: 12_000 },
  { side: "caller", fromMs: 1_500, toMs: 3_000, loudness: 6_000 },
  { side: "agent", fromMs: 3_740, toMs: 5_000, loudness: 12_000 }
)

describe("the scan of a recording", () => {
  it("shows each side where it is heard, and silence where it is not", () => {
    const { caller, agent } = scanned(conversation).peaks(6)
    assert.deepStrictEqual(
      caller.map((peak) => peak > 0),
      [false, true, true, false, false, false]
    )
    assert.deepStrictEqual(
      agent.map((peak) => peak > 0),
      [true, false, false, true, true, false]
    )
    assert.isAtMost(Math.abs(agent[0] - (12_000 >> 7)), 1)
  })

  it("measures the wait as it is heard, whatever the transcript's times say within half a second", () => {
    const turns = (shift: number) =>
      scanned(conversation).turns([
        { role: "agent", startMs: 0, endMs: 1_000 },
        { role: "caller", startMs: 1_500 + shift, endMs: 3_000 + shift },
        { role: "agent", startMs: 3_740 + shift, endMs: 5_000 + shift }
      ])
    for (const shift of [-200, 0, 120, 400]) {
      const [turn, ...more] = turns(shift)
      assert.deepStrictEqual(more, [])
      assert.isAtMost(Math.abs(turn.callerEndMs - 3_000), 10)
      assert.isAtMost(Math.abs(turn.agentStartMs - 3_740), 10)
      assert.strictEqual(turn.measuredMs, turn.agentStartMs - turn.callerEndMs)
    }
  })

  it("does not take the noise of a line for the caller's voice", () => {
    const noisy = recording(
      4_000,
      { side: "caller", fromMs: 0, toMs: 4_000, loudness: 300 },
      { side: "caller", fromMs: 500, toMs: 1_500, loudness: 9_000 },
      { side: "agent", fromMs: 2_300, toMs: 3_500, loudness: 9_000 }
    )
    const [turn] = scanned(noisy).turns([
      { role: "caller", startMs: 500, endMs: 1_500 },
      { role: "agent", startMs: 2_300, endMs: 3_500 }
    ])
    assert.isAtMost(Math.abs(turn.callerEndMs - 1_500), 10)
  })

  it("says nothing of a wait that cannot be measured: nobody spoke, or the utterances lie", () => {
    const silent = scanned(Buffer.alloc(32_000))
    const said = [
      { role: "caller" as const, startMs: 0, endMs: 400 },
      { role: "agent" as const, startMs: 500, endMs: 900 }
    ]
    assert.deepStrictEqual(silent.turns(said), [])
    assert.deepStrictEqual(silent.peaks(3), { caller: [0, 0, 0], agent: [0, 0, 0] })
    assert.deepStrictEqual(
      scanned(conversation).turns([{ role: "agent", startMs: 90_000, endMs: 91_000 }, said[0], said[1]]),
      []
    )
    assert.deepStrictEqual(scanned(Buffer.alloc(0)).peaks(2), { caller: [0, 0], agent: [0, 0] })
  })

  it("is the same in whatever pieces the recording comes, also within a sample", () => {
    const short = conversation.subarray(0, 4_000)
    const whole = scanned(short).peaks(7)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }), (pieces) => {
        assert.deepStrictEqual(scanned(short, pieces).peaks(7), whole)
      })
    )
  })
})
