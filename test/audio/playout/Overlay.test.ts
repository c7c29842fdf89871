import { describe, expect, it } from "vitest"
import { FRAME_BYTES, SILENCE } from "../../../src/audio/frames/Frame.ts"
import { Overlay } from "../../../src/audio/playout/Overlay.ts"

const sound = (bytes: number, value: number) => new Uint8Array(bytes).fill(value)

describe("Overlay", () => {
  it("hands out a short sound frame by frame, the last one filled up with silence", () => {
    const overlay = new Overlay()
    const out = new Uint8Array(FRAME_BYTES)
    expect([overlay.active, overlay.next(out)]).toEqual([false, false])
    overlay.play(sound(200, 5))
    expect(overlay.active).toBe(true)
    expect(overlay.next(out)).toBe(true)
    expect(out).toEqual(sound(FRAME_BYTES, 5))
    expect(overlay.next(out)).toBe(true)
    expect([...out]).toEqual([...sound(40, 5), ...sound(120, SILENCE)])
    expect([overlay.active, overlay.next(out)]).toEqual([false, false])
  })

  it("ignores a second sound while one plays, and plays another one later", () => {
    const overlay = new Overlay()
    const out = new Uint8Array(FRAME_BYTES)
    overlay.play(sound(FRAME_BYTES, 1))
    overlay.play(sound(FRAME_BYTES, 2))
    overlay.next(out)
    expect(out[0]).toBe(1)
    expect(overlay.active).toBe(false)
    overlay.play(sound(FRAME_BYTES, 2))
    overlay.next(out)
    expect(out[0]).toBe(2)
  })

  it("stops at once when the agent is about to speak", () => {
    const overlay = new Overlay()
    overlay.play(sound(800, 1))
    overlay.next(new Uint8Array(FRAME_BYTES))
    overlay.stop()
    expect([overlay.active, overlay.next(new Uint8Array(FRAME_BYTES))]).toEqual([false, false])
  })
})
