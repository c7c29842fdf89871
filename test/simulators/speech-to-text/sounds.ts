/** Known callers' sentences, and ways to damage them. */
import { type Spoken, speak } from "../../../simulators/voice/Voice.ts"

export const callers = (): Promise<ReadonlyArray<Spoken>> =>
  Promise.all([
    speak("Hello, I would like to book a table for two people.", "en-US"),
    speak("Where is my order? The number is 12345.", "en-US"),
    speak("No thank you.", "en-US", { voice: "f2" }),
    speak("Yes, please.", "en-US"),
    speak("Yes.", "en-US"),
    speak("Can I talk to a human, please?", "en-GB", { voice: "m3" }),
    speak("नमस्ते, मेरा ऑर्डर कहाँ है?", "hi-IN"),
    speak("मुझे किसी इंसान से बात करनी है।", "hi-IN")
  ])

/** Speech after `before` samples of silence and with half a second of it afterwards. */
export const inSilence = (samples: Int16Array, before: number): Int16Array => {
  const line = new Int16Array(before + samples.length + 4_000)
  line.set(samples, before)
  return line
}

/** The samples without the `length` samples from `at`; what follows moves up. */
export const without = (samples: Int16Array, at: number, length: number): Int16Array => {
  const rest = new Int16Array(samples.length - length)
  rest.set(samples.subarray(0, at))
  rest.set(samples.subarray(at + length), at)
  return rest
}

/** The sum of two signals. */
export const mix = (one: Int16Array, other: Int16Array): Int16Array =>
  one.map((sample, i) => Math.max(-32_768, Math.min(32_767, sample + (other[i % other.length] ?? 0))))

/** Repeatable numbers between 0 and 1. */
export const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** Adds white noise `decibels` below the speech. */
export const withNoise = (samples: Int16Array, decibels: number, seed: number): Int16Array => {
  const voiced = samples.filter((sample) => Math.abs(sample) > 200)
  const power = voiced.reduce((sum, sample) => sum + sample * sample, 0) / voiced.length
  // Uniform noise between −a and a has the power a² / 3.
  const amplitude = Math.sqrt(3 * power * 10 ** (-decibels / 10))
  const next = random(seed)
  return samples.map((sample) => Math.max(-32_768, Math.min(32_767, sample + amplitude * (2 * next() - 1))))
}
