import { describe, expect, it } from "vitest"
import { speak } from "../../../simulators/voice/Voice.ts"
import { Music } from "../../../src/audio/vad/Music.ts"
import { SubBands } from "../../../src/audio/vad/SubBands.ts"
import { alone } from "../../support/telephoneLine.ts"

/** The share of frames that were taken for notes. */
const notes = (pcm: Int16Array): number => {
  const music = new Music()
  const bands = new SubBands()
  let [frames, found] = [0, 0]
  for (let at = 0; at + 160 <= pcm.length; at += 160) {
    bands.push(pcm.subarray(at, at + 160))
    bands.analyse()
    music.tick()
    frames++
    if (music.isNote(bands.spectrum)) found++
  }
  return found / frames
}

describe("Music", () => {
  it("finds the notes of music on hold", async () => {
    for (const seed of [1, 2]) expect(notes(await alone("music", 8_000, -30, seed))).toBeGreaterThan(0.4)
  })

  it("finds none in speech, nor in a hiss", async () => {
    for (const voice of ["m1", "f2"]) {
      const { samples } = await speak("Hello, I have been waiting for my parcel since Monday. Where is it?", "en-us", {
        voice
      })
      expect(notes(samples)).toBeLessThan(0.02)
    }
    expect(notes(await alone("white", 5_000, -40, 1))).toBe(0)
  })
})
