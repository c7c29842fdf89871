import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AudioQueue } from "../../../src/audio/frames/AudioQueue.ts"

const most = 4_000

const held = (queue: AudioQueue) => {
  const bytes: Array<number> = []
  queue.forEach((piece) => void bytes.push(...piece))
  return bytes
}

const step = fc.record({
  call: fc.nat(2),
  pushed: fc.oneof(fc.constant(160), fc.integer({ min: 0, max: 5_000 })),
  dropped: fc.oneof(fc.constant(0), fc.constant(160), fc.integer({ min: 0, max: 5_000 })),
  drains: fc.boolean()
})

describe("queues of audio", () => {
  it("hold the newest audio of each call in order, however the calls alternate", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.nat(6_000), (steps, from) => {
        const calls = [most, most, Number.POSITIVE_INFINITY].map((most) => ({
          most,
          queue: new AudioQueue(most),
          model: [] as Array<number>
        }))
        let next = 0
        for (const { call, pushed, dropped, drains } of steps) {
          const { queue, model, most } = calls[call]
          const audio = Uint8Array.from({ length: pushed }, () => next++ % 251)
          queue.push(audio)
          model.push(...audio)
          if (model.length > most) model.splice(0, model.length - most)
          queue.drop(dropped)
          model.splice(0, dropped)
          if (drains && pushed % 3 === 0) {
            const drained: Array<number> = []
            queue.drain((piece) => void drained.push(...piece))
            expect(drained).toEqual(model.splice(0))
          }
          audio.fill(255)
        }
        const out = new Uint8Array(160)
        for (const { queue, model } of calls) {
          expect(queue.length).toBe(model.length)
          expect(held(queue)).toEqual(model)
          const copied = queue.copy(out, from)
          expect([...out.subarray(0, copied)]).toEqual(model.slice(from, from + 160))
        }
      }),
      { numRuns: 100 }
    )
  })
})
