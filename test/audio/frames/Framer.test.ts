import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FRAME_BYTES, SILENCE } from "../../../src/audio/frames/Frame.ts"
import { Framer } from "../../../src/audio/frames/Framer.ts"

/** A framer whose output is kept. */
const collect = () => {
  const frames: Array<{ bytes: Array<number>; mediaMs: number }> = []
  const framer = new Framer((frame, mediaMs) => frames.push({ bytes: [...frame], mediaMs }))
  return { framer, frames, audio: () => frames.flatMap(({ bytes }) => bytes) }
}

/** Audio in which every stretch is different and no stretch is silence. */
const ramp = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7 + Math.floor(i / 200)) % 250)
const chunk = (index: number) => new Uint8Array(FRAME_BYTES).fill(index)
const firstBytes = (frames: ReadonlyArray<{ bytes: Array<number> }>) => frames.map(({ bytes }) => bytes[0])

describe("Framer", () => {
  it("cuts chunks of any size into frames of 160 bytes with nothing lost, repeated or moved", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 40 }), fc.nat(5_000), (sizes, origin) => {
        const total = sizes.reduce((sum, size) => sum + size, 0)
        const source = ramp(total)
        const { framer, frames, audio } = collect()
        let at = 0
        for (const size of sizes) {
          framer.push(source.subarray(at, at + size), origin + Math.floor(at / 8))
          at += size
        }
        expect(frames.length).toBe(Math.floor(total / FRAME_BYTES))
        expect(audio()).toEqual([...source.subarray(0, frames.length * FRAME_BYTES)])
        frames.forEach(({ mediaMs }, i) => {
          expect(mediaMs).toBe(i * 20)
        })
      })
    )
  })

  it("does not mind timestamps that jitter by less than a frame", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 60 }), (jitter) => {
        const { framer, frames } = collect()
        jitter.forEach((ms, i) => {
          framer.push(chunk(i), 100 + i * 20 + ms)
        })
        expect(firstBytes(frames)).toEqual(jitter.map((_, i) => i))
      })
    )
  })

  it("fills lost chunks with silence, so that what follows is on time", () => {
    const { framer, frames } = collect()
    framer.push(chunk(1), 0)
    framer.push(chunk(2), 20)
    for (const index of [10, 11, 12]) framer.push(chunk(index), index * 20)
    expect(firstBytes(frames)).toEqual([1, 2, ...new Array(8).fill(SILENCE), 10, 11, 12])
    expect(frames[10]).toMatchObject({ mediaMs: 200 })
  })

  it("jumps over a gap of more than two seconds instead of playing it", () => {
    const { framer, frames } = collect()
    framer.push(chunk(1), 0)
    framer.push(chunk(2), 60_000)
    framer.push(chunk(3), 60_020)
    expect(frames.map(({ mediaMs }) => mediaMs)).toEqual([0, 60_000, 60_020])
  })

  it("puts chunks that overtook each other back in order", () => {
    const { framer, frames } = collect()
    for (const index of [0, 2, 1, 3, 5, 6, 4, 7]) framer.push(chunk(index), index * 20)
    expect(firstBytes(frames)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it("drops repeated and late chunks and keeps only the new part of overlapping ones", () => {
    const { framer, frames } = collect()
    for (const index of [0, 1, 1, 0, 2]) framer.push(chunk(index), index * 20)
    const overlapping = new Uint8Array(3 * FRAME_BYTES).fill(2)
    overlapping.fill(3, 2 * FRAME_BYTES)
    framer.push(overlapping, 20)
    expect(firstBytes(frames)).toEqual([0, 1, 2, 3])
  })

  it("accepts audio again after the sender's clock was set back", () => {
    const { framer, frames } = collect()
    framer.push(chunk(1), 100_000)
    for (let i = 0; i < 100; i++) framer.push(chunk(2), i * 20)
    expect(frames.length).toBeGreaterThan(45)
    expect(frames[frames.length - 1].mediaMs).toBe((frames.length - 1) * 20)
  })

  it("media time never goes back and never overlaps, whatever arrives", () => {
    const arrivals = fc.array(fc.tuple(fc.nat(8_000), fc.integer({ min: 1, max: 500 })), { maxLength: 80 })
    fc.assert(
      fc.property(arrivals, (chunks) => {
        const { framer, frames } = collect()
        for (const [ms, size] of chunks) framer.push(new Uint8Array(size), ms)
        for (let i = 1; i < frames.length; i++) {
          expect(frames[i].mediaMs - frames[i - 1].mediaMs).toBeGreaterThanOrEqual(20)
        }
      })
    )
  })
})
