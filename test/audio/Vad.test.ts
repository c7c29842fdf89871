import { beforeAll, describe, expect, it } from "vitest"
import { decode, encode } from "../../src/audio/Mulaw.ts"
import { Vad, VadEvent, VadState } from "../../src/audio/Vad.ts"
import { concat, noise, silence, speak } from "../support/speech.ts"
import { type Conversation, conversation, label, type NoiseColor, onLine, trial } from "../support/vad-trial.ts"

/** Runs a detector over samples and says when (ms) speech started and stopped. */
const listen = (pcm: Int16Array, vad = new Vad()) => {
  const started: Array<number> = []
  const stopped: Array<number> = []
  for (let at = 0; at + 160 <= pcm.length; at += 160) {
    const event = vad.step(pcm.subarray(at, at + 160))
    if (event === VadEvent.SpeechStarted) started.push(at / 8 + 20)
    if (event === VadEvent.SpeechStopped) stopped.push(at / 8 + 20)
  }
  return { started, stopped }
}

const hiss = (color: NoiseColor, ms: number, level: number, seed: number) =>
  decode(encode(Int16Array.from(noise(color, ms * 8, seed), (sample) => sample * level)))

describe("Vad in noise", () => {
  let call: Conversation
  let labels: ReadonlyArray<boolean>
  beforeAll(async () => {
    call = await conversation()
    labels = label(call.clean)
  })

  const goals = [20, 10, 5].flatMap((snr) =>
    (["white", "pink", "brown"] as const).map((color) => ({ snr, color, limit: snr === 20 ? 3 : snr === 10 ? 8 : 25 }))
  )
  it.each(
    goals
  )("misses at most $limit % of speech in $color noise at $snr dB, and takes next to no noise for speech", ({
    snr,
    color,
    limit
  }) => {
    const results = [1, 2, 3].map((seed) => trial(onLine(call.clean, color, snr, seed), labels, call.starts))
    const mean = (pick: (result: (typeof results)[number]) => number) =>
      results.reduce((sum, result) => sum + pick(result), 0) / results.length
    expect(mean((result) => result.missed)).toBeLessThanOrEqual(limit)
    expect(mean((result) => result.falseVoiced)).toBeLessThanOrEqual(1)
    expect(mean((result) => result.falseSpeaking)).toBeLessThanOrEqual(1)
    for (const result of results) expect(result.onsets.some(Number.isNaN)).toBe(false)
  })

  it("notices speech within 60 ms at 20 dB", () => {
    const onsets = [1, 2, 3].flatMap((seed) => trial(onLine(call.clean, "pink", 20, seed), labels, call.starts).onsets)
    expect(onsets.sort((a, b) => a - b)[Math.floor(onsets.length / 2)]).toBeLessThanOrEqual(60)
  })
})

describe("Vad", () => {
  it.each(["white", "pink", "brown"] as const)("takes no %s noise for speech, from the start of a call on", (color) => {
    for (const level of [30, 300, 3_000]) {
      for (const seed of [1, 2, 3, 4]) {
        const vad = new Vad()
        let voiced = 0
        const pcm = hiss(color, 20_000, level, seed)
        for (let at = 0; at < pcm.length; at += 160) {
          expect(vad.step(pcm.subarray(at, at + 160)), `level ${level}, seed ${seed}, ${at / 8} ms`).toBe(VadEvent.None)
          if (vad.voiced) voiced++
        }
        expect(voiced).toBeLessThan(20)
      }
    }
  })

  it("hears speech out of digital silence at once, from the first words of a call on", async () => {
    const hello = decode(encode(await speak("Hello, are you there?")))
    const first = hello.findIndex((sample) => Math.abs(sample) > 300) / 8
    for (const before of [60, 1_000]) {
      const { started, stopped } = listen(concat([silence(before), hello, silence(600)]))
      expect(started[0] - before - first).toBeLessThanOrEqual(80)
      expect(stopped.length).toBe(started.length)
    }
  })

  it("gets used to a noise that begins in mid-call within two seconds, to a steady one within one", () => {
    for (const [color, limit] of [
      ["white", 1_000],
      ["pink", 2_000],
      ["brown", 2_000]
    ] as const) {
      const { started, stopped } = listen(concat([silence(1_000), hiss(color, 6_000, 600, 5)]))
      expect(started.length).toBeLessThanOrEqual(1)
      expect(stopped.length).toBe(started.length)
      expect((stopped[0] ?? 0) - 1_000).toBeLessThan(limit)
    }
  })

  it("goes quiet, starting, speaking, stopping, quiet", async () => {
    const vad = new Vad()
    const seen: Array<VadState> = [vad.state]
    const yes = concat([silence(200), await speak("Yes"), silence(500)])
    for (let at = 0; at + 160 <= yes.length; at += 160) {
      vad.step(yes.subarray(at, at + 160))
      if (seen[seen.length - 1] !== vad.state) seen.push(vad.state)
    }
    expect(seen.slice(0, 3)).toEqual([VadState.Quiet, VadState.Starting, VadState.Speaking])
    expect(seen.slice(-2)).toEqual([VadState.Stopping, VadState.Quiet])
  })

  it("needs three voiced frames to start and ten unvoiced ones to stop", async () => {
    const vowel = (await speak("aaaa")).subarray(800, 800 + 160 * 3)
    expect(listen(concat([silence(400), vowel.subarray(0, 160), silence(400)]), new Vad()).started).toEqual([])
    const { started, stopped } = listen(concat([silence(400), vowel, silence(600)]), new Vad())
    expect(started).toEqual([460])
    expect(stopped[0]).toBeGreaterThanOrEqual(460 + 200)
    expect(stopped[0]).toBeLessThanOrEqual(460 + 340)
  })
})
