/**
 * Noises that a telephone carries besides the caller, at 8 kHz; the same seed gives the same noise. Each has a root mean square of 1 over its active
 * frames (clicks have pauses), so that `mixAt` and a plain factor mean the same loudness for all of them.
 */
import { speak } from "./Voice.ts"

const RATE = 8_000
/** Samples of a 20 ms frame, by which activity and level are measured. */
const FRAME = 160
/** A frame is active when it is within this of the level of the active frames. */
const ACTIVE_DB = 25

/** Deterministic uniform numbers in [0, 1). */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Root mean square. */
export const rms = (samples: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += samples[i] * samples[i]
  return Math.sqrt(sum / Math.max(1, samples.length))
}

/** Which 20 ms frames of a clean recording are active: those within `marginDb` of the level of all active frames. */
export const activeFrames = (samples: ArrayLike<number>, marginDb = ACTIVE_DB): ReadonlyArray<boolean> => {
  const powers = framePowers(samples)
  const least = activePower(powers) * 10 ** (-marginDb / 10)
  return powers.map((power) => power > least)
}

/** Root mean square over the active frames: the level of speech whatever its pauses. */
export const activeLevel = (samples: ArrayLike<number>): number => Math.sqrt(activePower(framePowers(samples)))

const framePowers = (samples: ArrayLike<number>): ReadonlyArray<number> =>
  Array.from({ length: Math.floor(samples.length / FRAME) }, (_, frame) => {
    let sum = 0
    for (let i = frame * FRAME; i < (frame + 1) * FRAME; i++) sum += samples[i] * samples[i]
    return sum / FRAME
  })

/** Mean power of the active frames. Which frames are active depends on this mean, so it is found in a few rounds (as in ITU-T P.56). */
const activePower = (powers: ReadonlyArray<number>): number => {
  let level = 0
  for (let round = 0; round < 8; round++) {
    const active = powers.filter((power) => power > level * 10 ** (-ACTIVE_DB / 10))
    level = active.reduce((sum, power) => sum + power, 0) / Math.max(1, active.length)
  }
  return level
}

/** `speech` with `noise` under it (repeated if too short), so that the active frames of both are `snrDb` apart. Clips like a telephone. */
export const mixAt = (speech: Int16Array, noise: ArrayLike<number>, snrDb: number): Int16Array => {
  const level = activeLevel(noise)
  const gain = level === 0 ? 0 : activeLevel(speech) / 10 ** (snrDb / 20) / level
  return toPcm(Float64Array.from(speech, (sample, i) => sample + gain * noise[i % noise.length]))
}

/** Rounded and clipped to 16 bits, after a factor. */
export const toPcm = (samples: Float64Array, factor = 1): Int16Array =>
  Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * factor))))

/** Filters to the band of a telephone line: 300 … 3,400 Hz, 12 dB per octave below and above. */
export const phoneBand = (samples: ArrayLike<number>): Float64Array =>
  biquad(biquad(samples, 300, "high"), 3_400, "low")

/** A second-order Butterworth filter. */
const biquad = (samples: ArrayLike<number>, hz: number, pass: "low" | "high"): Float64Array => {
  const w = (2 * Math.PI * hz) / RATE
  const alpha = Math.sin(w) / Math.SQRT2
  const side = pass === "low" ? 1 - Math.cos(w) : 1 + Math.cos(w)
  const [b0, b1] = [side / 2 / (1 + alpha), (pass === "low" ? side : -side) / (1 + alpha)]
  const [a1, a2] = [(-2 * Math.cos(w)) / (1 + alpha), (1 - alpha) / (1 + alpha)]
  const out = new Float64Array(samples.length)
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  for (let i = 0; i < out.length; i++) {
    const x = samples[i]
    const y = b0 * (x + x2) + b1 * x1 - a1 * y1 - a2 * y2
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    out[i] = y
  }
  return out
}

const normalised = (samples: Float64Array): Float64Array => {
  const level = activeLevel(samples) || 1
  return samples.map((sample) => sample / level)
}

type Generator = (length: number, seed: number) => Float64Array

const gaussian = (seed: number): (() => number) => {
  const next = random(seed)
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

/** Equal power per Hz. */
const white: Generator = (length, seed) => {
  const next = gaussian(seed)
  return Float64Array.from({ length }, next)
}

/** Equal power per octave (Kellet's filter). */
const pink: Generator = (length, seed) => {
  let [b0, b1, b2] = [0, 0, 0]
  return white(length, seed).map((w) => {
    b0 = 0.99765 * b0 + w * 0.099046
    b1 = 0.963 * b1 + w * 0.2965164
    b2 = 0.57 * b2 + w * 1.0526913
    return b0 + b1 + b2 + w * 0.1848
  })
}

/** Falling by 6 dB per octave: the inside of a car. */
const brown: Generator = (length, seed) => {
  let last = 0
  return white(length, seed).map((w) => {
    last = 0.97 * last + w
    return last
  })
}

/** A fan: rushing air, and the hum of its blades with a slight wobble. */
const fan: Generator = (length, seed) => {
  const next = random(seed)
  const air = pink(length, seed + 1)
  const level = rms(air)
  const hz = 90 + 120 * next()
  const wobble = 0.3 + next()
  let phase = 0
  return air.map((sample, i) => {
    phase += (2 * Math.PI * hz * (1 + 0.004 * Math.sin((2 * Math.PI * wobble * i) / RATE))) / RATE
    let blades = 0
    for (let harmonic = 1; harmonic <= 5; harmonic++) blades += Math.sin(harmonic * phase) / harmonic
    return sample + 0.5 * level * blades
  })
}

/** The mains, 50 or 60 Hz by the seed, with the odd harmonics of a bad power supply. */
const hum: Generator = (length, seed) => {
  const hz = seed % 2 === 0 ? 50 : 60
  return Float64Array.from({ length }, (_, i) => {
    let sum = 0
    for (const harmonic of [1, 2, 3, 5, 7, 9]) sum += Math.sin((2 * Math.PI * hz * harmonic * i) / RATE) / harmonic
    return sum
  })
}

/** Single line clicks, about two a second, and now and then a short crackle of several. */
const clicks: Generator = (length, seed) => {
  const next = random(seed)
  const out = new Float64Array(length)
  const click = (at: number, peak: number) => {
    const hz = 400 + 2_600 * next()
    const decay = RATE * (0.0002 + 0.0015 * next())
    const sign = next() < 0.5 ? -1 : 1
    const end = Math.min(length, at + Math.ceil(6 * decay))
    for (let i = at; i < end; i++) {
      out[i] += sign * peak * Math.exp((at - i) / decay) * Math.cos((2 * Math.PI * hz * (i - at)) / RATE)
    }
  }
  for (let at = Math.floor(RATE * next()); at < length; at += Math.floor(RATE * (0.08 + 0.9 * next()))) {
    const peak = 10 ** ((-12 * next()) / 20)
    click(at, peak)
    if (next() > 0.15) continue
    const more = 2 + Math.floor(4 * next())
    for (let k = 0, near = at; k < more; k++) {
      near += Math.floor(RATE * 0.012 * next())
      click(near, peak * next())
    }
  }
  return out
}

const scale = [0, 2, 4, 5, 7, 9, 11]
const chords = [0, 5, 3, 4]

/** Music on hold: a chord progression under a melody with vibrato, notes with attack and decay. */
const music: Generator = (length, seed) => {
  const next = random(seed)
  const out = new Float64Array(length)
  const key = 130 * 2 ** (Math.floor(12 * next()) / 12)
  const beat = Math.floor((RATE * 60) / (80 + 50 * next()))
  const pitch = (degree: number) => key * 2 ** (Math.floor(degree / 7) + scale[degree % 7] / 12)
  const play = (at: number, hz: number, beats: number, loudness: number, vibrato: number) => {
    const decay = 0.6 * beats * beat
    const end = Math.min(length, at + beats * beat + 800)
    let phase = 0
    for (let i = at; i < end; i++) {
      const since = i - at
      phase += (2 * Math.PI * hz * (1 + vibrato * Math.sin((2 * Math.PI * 5.5 * since) / RATE))) / RATE
      const envelope = Math.min(1, since / 160) * Math.exp(-since / decay) * Math.min(1, (end - i) / 160)
      let sum = 0
      for (let harmonic = 1; harmonic <= 6 && harmonic * hz < 3_600; harmonic++) {
        sum += Math.sin(harmonic * phase) / harmonic ** 1.3
      }
      out[i] += loudness * envelope * sum
    }
  }
  for (let bar = 0; bar * 4 * beat < length; bar++) {
    const root = chords[bar % chords.length]
    for (const third of [0, 2, 4]) play(bar * 4 * beat, pitch(root + third), 4, 0.35, 0)
    for (let at = 0; at < 4; ) {
      const beats = next() < 0.3 ? 2 : 1
      const degree = 7 + ((root + 2 * Math.floor(4 * next())) % 10)
      if (next() > 0.1) play((bar * 4 + at) * beat, pitch(degree), beats, 0.8, 0.006)
      at += beats
    }
  }
  return out
}

/** A codec's comfort noise in place of silence: coloured noise whose level and colour change every 160 ms. */
const comfort: Generator = (length, seed) => {
  const next = random(seed)
  const step = 0.16 * RATE
  let [gain, pole, last] = [1, 0.5, 0]
  return white(length, seed + 1).map((w, i) => {
    if (i % step === 0) {
      gain = 10 ** ((2 * next() - 1) / 20)
      pole = 0.4 + 0.25 * next()
    }
    last = pole * last + (1 - pole) * w
    return gain * last
  })
}

/** A street: a rumble that swells slowly, and cars that pass. */
const street: Generator = (length, seed) => {
  const next = random(seed)
  const rumble = brown(length, seed + 1)
  const tyres = pink(length, seed + 2)
  const [rumbleLevel, tyreLevel] = [rms(rumble), rms(tyres)]
  const swell = 0.1 + 0.2 * next()
  const passing = new Float64Array(length)
  for (let at = RATE * 3 * next(); at < length; at += RATE * (3 + 5 * next())) {
    const width = RATE * (0.5 + next())
    const loudness = 0.5 + 1.5 * next()
    const end = Math.min(length, Math.floor(at + 3 * width))
    for (let i = Math.max(0, Math.floor(at - 3 * width)); i < end; i++) {
      passing[i] += loudness * Math.exp(-0.5 * ((i - at) / width) ** 2)
    }
  }
  return rumble.map((sample, i) => {
    const slow = 1 + 0.4 * Math.sin((2 * Math.PI * swell * i) / RATE)
    return (slow * sample) / rumbleLevel + (passing[i] * tyres[i]) / tyreLevel
  })
}

const generators = { white, pink, brown, fan, hum, clicks, music, comfort, street }

/** The noises made by arithmetic alone. */
export type NoiseKind = keyof typeof generators
export const noiseKinds = Object.keys(generators) as ReadonlyArray<NoiseKind>

/** `length` samples of a noise at level 1. */
export const noise = (kind: NoiseKind, length: number, seed: number): Float64Array =>
  normalised(generators[kind](length, seed))

const gossip: ReadonlyArray<readonly [text: string, language: string, voice: string]> = [
  ["So I told him that the train would be late again, and of course he did not believe a word of it.", "en-us", "m2"],
  ["Did you see what they have done with the old market? It is all glass and coffee now.", "en-gb", "f2"],
  ["मैंने उससे कहा कि आज शाम को बाज़ार चलते हैं, पर वह घर पर ही रहना चाहता था।", "hi", "f4"],
  ["நேற்று மாலை நாங்கள் கடற்கரைக்குச் சென்றோம், அங்கே நிறைய கூட்டம் இருந்தது.", "ta", "m4"],
  ["కొత్త సినిమా చాలా బాగుంది అని అందరూ అంటున్నారు, రేపు వెళ్దామా?", "te", "m6"],
  ["আজ সকালে খুব বৃষ্টি হয়েছিল, তাই আমরা দেরি করে বেরিয়েছি।", "bn", "f3"],
  ["Two coffees, one tea, and whatever the gentleman at the window is having, thank you.", "en-us", "f5"],
  ["त्यांनी सांगितले की उद्या सुट्टी आहे, म्हणून आपण गावाला जाऊया.", "mr", "m7"]
]

/** A room of people who talk at once, so that no words are understood: `voices` speakers of several languages, each without end. */
export const babble = async (length: number, seed: number, voices = 7): Promise<Float64Array> => {
  const next = random(seed)
  const first = Math.floor(gossip.length * next())
  const people = Array.from({ length: voices }, (_, i) => gossip[(first + i) % gossip.length])
  const spoken = await Promise.all(people.map(([text, language, voice]) => speak(text, language, { voice })))
  const out = new Float64Array(length)
  for (const { samples } of spoken) {
    const loudness = 10 ** ((6 * next() - 3) / 20) / activeLevel(samples)
    const offset = Math.floor(samples.length * next())
    for (let i = 0; i < length; i++) out[i] += loudness * samples[(i + offset) % samples.length]
  }
  return normalised(out)
}
