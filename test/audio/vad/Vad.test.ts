import { beforeAll, describe, expect, it } from "vitest"
import { speak } from "../../../simulators/voice/Voice.ts"
import { decode, encode } from "../../../src/audio/frames/Mulaw.ts"
import { Vad, VadEvent, VadState } from "../../../src/audio/vad/Vad.ts"
import { concat, silence } from "../../support/speech.ts"
import { alone, lines, onLine } from "../../support/telephoneLine.ts"
import { type Conversation, conversation, falseAlarms, summary, trial } from "../../support/vad-trial.ts"
import { tuningCallers } from "../../support/vadCallers.ts"

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

/** The samples as they come out of the telephone. */
const said = async (text: string) => decode(encode((await speak(text, "en-us")).samples))
const firstLoudMs = (pcm: Int16Array) => pcm.findIndex((sample) => Math.abs(sample) > 300) / 8

/** Steady noise, the same in each run: synthesized speech differs between machines, by a frame that is more or less clear. */
const hiss = (ms: number, amplitude: number): Int16Array => {
  let state = 7
  return Int16Array.from({ length: ms * 8 }, () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return (state / 2 ** 31 - 1) * amplitude
  })
}

/** Resonances of an "a": centre, width (both Hz) and height. */
const formants = [
  [700, 150, 1],
  [1_200, 150, 0.7],
  [2_600, 200, 0.3]
] as const

/** A voice of 125 Hz that says "a". */
const vowel = (ms: number, level: number): Int16Array => {
  const harmonics = Array.from({ length: 27 }, (_, k) => {
    const hertz = 125 * (k + 1)
    const height = formants.reduce((sum, [at, width, high]) => sum + high / (1 + ((hertz - at) / width) ** 2), 0)
    return { hertz, height, phase: (k + 1) ** 2 }
  })
  const at = (n: number) =>
    harmonics.reduce(
      (sum, { hertz, height, phase }) => sum + height * Math.sin((2 * Math.PI * hertz * n) / 8_000 + phase),
      0
    )
  return decode(encode(Int16Array.from({ length: ms * 8 }, (_, n) => level * at(n))))
}

/** The line with a sound on it from `fromMs` on. */
const onto = (line: Int16Array, sound: Int16Array, fromMs: number): Int16Array =>
  line.map((sample, n) => sample + (sound[n - fromMs * 8] ?? 0))

describe("Vad hears the caller over noise", () => {
  let call: Conversation
  beforeAll(async () => {
    call = await conversation(tuningCallers.slice(0, 5))
  })
  const hear = async (kind: Parameters<typeof onLine>[1], snr: number, seed = 3) =>
    trial(await onLine(call.clean, kind, snr, seed, lines[seed % lines.length]), call)

  const steady = ["white", "pink", "brown", "fan"] as const
  const goals = [
    { snr: 20, missed: 3, onset: 80 },
    { snr: 10, missed: 9, onset: 120 },
    { snr: 5, missed: 25, onset: 400 }
  ]
  it.each(
    goals.flatMap((goal) => steady.map((kind) => ({ ...goal, kind })))
  )("in $kind noise at $snr dB: it misses little, imagines nothing, is soon there and soon gone", async ({
    snr,
    kind,
    missed,
    onset
  }) => {
    const result = summary([await hear(kind, snr)])
    expect(result.missed).toBeLessThanOrEqual(missed)
    expect(result.falseVoiced).toBeLessThanOrEqual(1)
    expect(result.falseSpeaking).toBeLessThanOrEqual(1)
    expect(result.onset95).toBeLessThanOrEqual(onset)
    expect(result.offset95).toBeLessThanOrEqual(300)
  })

  it("on every kind of line: soft and shouting callers, band-limited, with a constant offset, with mains hum", async () => {
    for (const [seed, line] of lines.entries()) {
      const result = summary([trial(await onLine(call.clean, "pink", 10, seed, line), call)])
      expect(result.missed, JSON.stringify(line)).toBeLessThanOrEqual(10)
      expect(result.falseSpeaking, JSON.stringify(line)).toBeLessThanOrEqual(1)
    }
  })

  it("between clicks", async () => {
    const result = summary([await hear("clicks", 10)])
    expect(result.missed).toBeLessThanOrEqual(8)
    expect(result.falseSpeaking).toBeLessThanOrEqual(1)
  })

  it("above the comfort noise of a codec", async () => {
    const result = summary([await hear("comfort", 20)])
    expect(result.missed).toBeLessThanOrEqual(5)
    expect(result.falseSpeaking).toBeLessThanOrEqual(1)
  })

  it.each([
    { kind: "street", snr: 20, missed: 5, offset: 400 },
    { kind: "street", snr: 10, missed: 15, offset: 700 },
    { kind: "music", snr: 20, missed: 10, offset: 400 },
    { kind: "babble", snr: 20, missed: 10, offset: 400 },
    { kind: "babble", snr: 10, missed: 35, offset: 700 }
  ] as const)("in $kind at $snr dB it knows soon that the caller stopped", async ({ kind, snr, missed, offset }) => {
    const result = summary(await Promise.all([3, 4].map((seed) => hear(kind, snr, seed))))
    expect(result.missed).toBeLessThanOrEqual(missed)
    expect(result.offset95).toBeLessThanOrEqual(offset)
    expect(result.falseSpeaking).toBeLessThanOrEqual(8)
  })

  it("also when the caller moves away from the telephone and is four times softer", async () => {
    const sentence = await said("I would like to book a table for tomorrow evening.")
    const farther = sentence.map((sample) => sample / 4)
    const quiet = await alone("pink", 12_000, -55, 2)
    const line = quiet.map((sample, i) => sample + ((i < 48_000 ? sentence : farther)[(i % 48_000) - 8_000] ?? 0))
    const { started } = listen(line)
    const from = 6_000 + 1_000
    expect(started.find((ms) => ms > 6_000)).toBeLessThanOrEqual(from + firstLoudMs(sentence) + 160)
  })
})

describe("Vad detects no speech, or only briefly,", () => {
  it.each([
    "white",
    "pink",
    "brown",
    "fan",
    "hum"
  ] as const)("in %s noise, from the start of a call on", async (kind) => {
    for (const level of [-60, -40, -20]) {
      for (const seed of [1, 2]) {
        const { frames, voiced, starts } = falseAlarms(await alone(kind, 10_000, level, seed))
        expect(starts, `${level} dB, seed ${seed}`).toBe(0)
        expect(voiced / frames).toBeLessThan(0.02)
      }
    }
  })

  it.each([
    { offset: 0, amplified: false },
    { offset: 100, amplified: false },
    { offset: 400, amplified: false },
    { offset: -1_000, amplified: false },
    { offset: 0, amplified: true },
    // The steps of mu-law are as loud as a soft caller there: 64 of 32,768.
    { offset: 400, amplified: true, most: 0.02 }
  ])("in noise as soft as the steps of mu-law, at every dB, on a line with a constant offset of $offset (made 6 dB louder afterwards: $amplified)", async ({
    offset,
    amplified,
    most = 0.01
  }) => {
    for (const kind of ["white", "pink", "brown", "fan"] as const) {
      for (let level = -80; level <= -50; level++) {
        const { frames, voiced, starts } = falseAlarms(await alone(kind, 10_000, level, 7, offset, amplified))
        expect(starts, `${kind}, ${level} dB`).toBe(0)
        expect(voiced / frames, `${kind}, ${level} dB`).toBeLessThan(most)
      }
    }
  })

  it.each(["babble", "street", "comfort"] as const)("in the first second of %s", async (kind) => {
    for (const seed of [1, 2, 3]) {
      expect(falseAlarms(await alone(kind, 1_000, -40, seed)).starts).toBe(0)
    }
  })

  it("in a room of people talking at once, except for a moment", async () => {
    for (const seed of [4, 5, 6]) {
      const { frames, speaking } = falseAlarms(await alone("babble", 20_000, -45, seed))
      expect(speaking / frames).toBeLessThan(0.1)
    }
  })

  it("in music on hold, except in its first notes", async () => {
    for (const seed of [1, 2]) {
      const { frames, speaking } = falseAlarms((await alone("music", 12_000, -40, seed)).subarray(3 * 8_000))
      expect(speaking / frames).toBeLessThan(0.3)
    }
  })

  it("in a single click, however loud", () => {
    for (const peak of [2_000, 30_000]) {
      for (let place = 0; place < 160; place += 7) {
        const click = silence(400)
        for (let i = 0; i < 30; i++) click[160 + place + i] = peak * Math.exp(-i / 6) * Math.cos(i)
        expect(listen(concat([silence(400), decode(encode(click))])).started, `${peak} at ${place}`).toEqual([])
      }
    }
  })

  it("in noise that begins in mid-call", async () => {
    for (const [kind, limit] of [
      ["white", 1_000],
      ["pink", 2_500],
      ["brown", 2_500],
      ["fan", 2_500]
    ] as const) {
      const { started, stopped } = listen(concat([silence(1_000), await alone(kind, 6_000, -35, 5)]))
      expect(started.length, kind).toBeLessThanOrEqual(1)
      expect(stopped.length, kind).toBe(started.length)
      expect((stopped[0] ?? 0) - 1_000, kind).toBeLessThan(limit)
    }
  })
})

describe("Vad", () => {
  it("hears speech out of digital silence at once, from the first words of a call on", async () => {
    const hello = await said("Hello, are you there?")
    for (const before of [60, 1_000]) {
      const { started, stopped } = listen(concat([silence(before), hello, silence(600)]))
      expect(started[0] - before - firstLoudMs(hello)).toBeLessThanOrEqual(80)
      expect(stopped.length).toBe(started.length)
    }
  })

  it("hears the soft sounds within a sentence on a silent line, where there is no noise to compare a voice with", async () => {
    const hello = await said("Hello, I would like to know your opening hours.")
    const { text, words } = await speak("Wait, what about next Friday?", "en-us")
    const before = concat([silence(4_000), hello, silence(3_500)])
    const { stopped } = listen(concat([before, await said(text), silence(600)]))
    const [from, to] = [words[1].startMs, words[4].endMs].map((ms) => before.length / 8 + ms)
    expect(stopped.filter((ms) => ms > from + 60 && ms < to)).toEqual([])
  })

  it("says within 250 ms that the caller stopped", async () => {
    const hello = await said("Hello, are you there?")
    const last = hello.findLastIndex((sample) => Math.abs(sample) > 300) / 8
    const { stopped } = listen(concat([silence(400), hello, silence(600)]))
    expect(stopped[stopped.length - 1] - 400 - last).toBeLessThanOrEqual(250)
  })

  it("hears the caller again within 160 ms when a loud noise has been gone for a second", async () => {
    const hello = await said("Hello, are you there?")
    const noisy = await alone("white", 4_000, -20, 8)
    const { started } = listen(concat([noisy, silence(1_000), hello, silence(600)]))
    expect(started[0] - 5_000 - firstLoudMs(hello)).toBeLessThanOrEqual(160)
  })

  it("goes quiet, starting, speaking, stopping, quiet", async () => {
    const vad = new Vad()
    const seen: Array<VadState> = [vad.state]
    const yes = concat([silence(200), await said("Yes"), silence(500)])
    for (let at = 0; at + 160 <= yes.length; at += 160) {
      vad.step(yes.subarray(at, at + 160))
      if (seen[seen.length - 1] !== vad.state) seen.push(vad.state)
    }
    expect(seen.slice(0, 3)).toEqual([VadState.Quiet, VadState.Starting, VadState.Speaking])
    expect(seen.slice(-2)).toEqual([VadState.Stopping, VadState.Quiet])
  })

  it("starts with two clear frames of a vowel over noise, not with one", () => {
    const line = hiss(3_000, 300)
    expect(listen(onto(line, vowel(20, 160), 2_000)).started).toEqual([])
    const { started, stopped } = listen(onto(line, vowel(60, 160), 2_000))
    expect(started).toEqual([2_040])
    expect(stopped[0]).toBeGreaterThanOrEqual(2_060 + 160)
    expect(stopped[0]).toBeLessThanOrEqual(2_060 + 240)
  })
})
