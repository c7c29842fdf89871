import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decode, encode } from "../../../src/audio/frames/Mulaw.ts"
import { StereoRecorder } from "../../../src/audio/recording/StereoRecorder.ts"

/** A recorder and what has left it so far, side by side. */
const recording = (options = {}) => {
  const left: Array<number> = []
  const right: Array<number> = []
  let largest = 0
  const recorder = new StereoRecorder((interleaved) => {
    largest = Math.max(largest, interleaved.length / 2)
    for (let i = 0; i < interleaved.length; i += 2) {
      left.push(interleaved[i])
      right.push(interleaved[i + 1])
    }
  }, options)
  return { recorder, left, right, largest: () => largest }
}

const caller = (value: number) => new Int16Array(160).fill(value)
const agentByte = (value: number) => encode(Int16Array.of(value))[0]
const agent = (value: number) => new Uint8Array(160).fill(agentByte(value))
/** What the agent's side holds of a frame made with `agent(value)`. */
const heard = (value: number) => decode(Uint8Array.of(agentByte(value)))[0]
/** Where a value is, in milliseconds: from its first sample to the end of its last. */
const span = (side: ReadonlyArray<number>, value: number) => [
  side.indexOf(value) / 8,
  (side.lastIndexOf(value) + 1) / 8
]

describe("StereoRecorder", () => {
  it("places each side by media time, not by arrival", () => {
    const { recorder, left, right } = recording()
    recorder.agent(agent(700), 10_300)
    recorder.caller(caller(5), 9_990)
    recorder.end(11_000)
    expect([left.length, right.length]).toEqual([10_320 * 8, 10_320 * 8])
    expect(span(left, 5)).toEqual([9_990, 10_010])
    expect(span(right, heard(700))).toEqual([10_300, 10_320])
  })

  it("holds a caller's frames of the last two seconds in any order, each of them once and in its place", () => {
    const arrivals = fc.array(fc.tuple(fc.nat(1_500), fc.integer({ min: 1, max: 32_767 })), { maxLength: 200 })
    fc.assert(
      fc.property(arrivals, (delays) => {
        const { recorder, left, right } = recording()
        // Frame n is due at 20 n and comes up to 1.5 s late: frames overtake each other and come in bursts.
        const order = delays.map(([late, value], n) => ({ n, value, at: n * 20 + late })).sort((a, b) => a.at - b.at)
        for (const { n, value } of order) recorder.caller(caller(value), n * 20)
        recorder.end(delays.length * 20)
        const expected = delays.flatMap(([, value]) => [...caller(value)])
        expect(left).toEqual(expected)
        expect(right.every((sample) => sample === 0)).toBe(true)
      }),
      { numRuns: 50 }
    )
  })

  it("keeps both sides equally long and in step whatever is thrown at it, in blocks of half a second", () => {
    const anyTime = fc.double({ min: -5_000, max: 19_980, noNaN: true })
    const time = fc.oneof(
      anyTime,
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e15)
    )
    const step = fc.tuple(fc.constantFrom("caller", "agent", "stop"), time, fc.integer({ min: 100, max: 30_000 }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { recorder, left, right, largest } = recording()
        for (const [what, at, value] of steps) {
          if (what === "caller") recorder.caller(caller(value), at)
          else if (what === "agent") recorder.agent(agent(value), at)
          else recorder.agentStopped(at)
        }
        recorder.end(20_000)
        expect(left.length).toBe(right.length)
        expect(left.length).toBeLessThanOrEqual(20_000 * 8)
        expect(largest()).toBeLessThanOrEqual(500 * 8)
      }),
      { numRuns: 100 }
    )
  })

  it("drops what comes after its place has been handed out, and shifts nothing for it", () => {
    const { recorder, left } = recording()
    recorder.caller(caller(1), 0)
    recorder.caller(caller(2), 10_000)
    recorder.caller(caller(3), 1_000)
    recorder.caller(caller(4), 10_020)
    recorder.end(10_040)
    expect(left.includes(3)).toBe(false)
    expect([span(left, 1), span(left, 2), span(left, 4)]).toEqual([
      [0, 20],
      [10_000, 10_020],
      [10_020, 10_040]
    ])
  })

  it("fills a stall with silence", () => {
    const { recorder, left } = recording()
    recorder.caller(caller(9), 0)
    recorder.caller(caller(9), 5_000)
    recorder.end(5_020)
    expect(left.indexOf(0)).toBe(160)
    expect(left.indexOf(9, 160)).toBe(5_000 * 8)
  })

  it("silences what the agent had sent ahead and the caller never heard, and nothing else", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), (after) => {
        const { recorder, left, right } = recording()
        for (let at = 0; at < 2_000; at += 20) recorder.caller(caller(3), at)
        for (let at = 2_000; at < 2_500; at += 20) recorder.agent(agent(900), at)
        recorder.agentStopped(2_000 + after)
        recorder.caller(caller(3), 2_000)
        recorder.agent(agent(5_000), 3_000)
        recorder.end(3_020)
        expect(right.filter((sample) => sample === heard(900)).length).toBe(after * 8)
        if (after > 0) expect(span(right, heard(900))).toEqual([2_000, 2_000 + after])
        expect(span(right, heard(5_000))).toEqual([3_000, 3_020])
        expect(span(left, 3)).toEqual([0, 2_020])
      })
    )
  })

  it("joins the agent's frames without clicks although their times are estimates, and does not drift from them", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 50, maxLength: 150 }), (jitter) => {
        const { recorder, right } = recording()
        jitter.forEach((error, n) => {
          recorder.agent(agent(1_000), 1_000 + n * 20 + error)
        })
        recorder.end(60_000)
        const spoken = right.slice(right.indexOf(heard(1_000)))
        expect(spoken).toEqual(new Array(jitter.length * 160).fill(heard(1_000)))
      }),
      { numRuns: 30 }
    )
  })

  it("hands out what is older than its window while the call goes on", () => {
    const { recorder, left } = recording()
    for (let at = 0; at < 10_000; at += 20) recorder.caller(caller(1), at)
    expect(left.length).toBeGreaterThanOrEqual(7_500 * 8)
  })

  it("ignores a frame whose time is far from the others", () => {
    const { recorder, left, right } = recording()
    recorder.caller(caller(1), 0)
    recorder.caller(caller(2), 1e12)
    recorder.agent(agent(900), Number.POSITIVE_INFINITY)
    recorder.caller(caller(1), 20)
    recorder.end(40)
    expect(left).toEqual(new Array(320).fill(1))
    expect(right).toEqual(new Array(320).fill(0))
  })

  it("takes nothing after its end, and cuts what would have been heard later", () => {
    const { recorder, right } = recording()
    for (let at = 0; at < 500; at += 20) recorder.agent(agent(900), at)
    recorder.end(100)
    recorder.agent(agent(900), 100)
    recorder.caller(caller(1), 100)
    recorder.end(10_000)
    expect(right).toEqual(new Array(800).fill(heard(900)))
  })
})
