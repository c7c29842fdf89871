/** Telephone lines: what comes out of one into which speech goes, with noise behind it, or with the echo of the agent. */
import { activeLevel, babble, mixAt, type NoiseKind, noise, phoneBand, toPcm } from "../../simulators/voice/Noise.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { decode, encode } from "../../src/audio/frames/Mulaw.ts"
import { concat, silence } from "./speech.ts"

export type Background = NoiseKind | "babble"

/** The effect of a telephone line on speech. */
export interface Line {
  /** Level of the speech, dB of full scale: from -30, a soft caller, to -3, a shouting one whose peaks are cut off. */
  readonly level: number
  /** Whether the line cuts off below 300 and above 3,400 Hz. */
  readonly band?: boolean
  /** A constant added to every sample. */
  readonly dc?: number
  /** Mains hum, dB of full scale, of 50 Hz (even seeds) or 60 Hz. */
  readonly hum?: number
  /** Whether the provider makes it twice as loud (6 dB) after it was coded, so that the steps of mu-law are twice as large. */
  readonly amplified?: boolean
}

/** The lines that trials use in turn. */
export const lines: ReadonlyArray<Line> = [
  { level: -20 },
  { level: -30, band: true },
  { level: -14, band: true, dc: 400 },
  { level: -24, hum: -52 },
  { level: -3 }
]

const backgrounds = new Map<string, Promise<Float64Array>>()

/** A background, made once per process. */
export const background = (kind: Background, length: number, seed: number): Promise<Float64Array> => {
  const key = `${kind} ${length} ${seed}`
  const known = backgrounds.get(key)
  if (known !== undefined) return known
  const made = kind === "babble" ? babble(length, seed) : Promise.resolve(noise(kind, length, seed))
  backgrounds.set(key, made)
  return made
}

const fullScale = (db: number) => 32_768 * 10 ** (db / 20)

/** What comes out of a line into which `samples` go. */
const coded = (samples: Int16Array, amplified = false): Int16Array => {
  const once = decode(encode(samples))
  return amplified ? decode(encode(toPcm(Float64Array.from(once), 2))) : once
}

/** The samples as they come out of a telephone line, at `factor` times their loudness. */
const through = (samples: Int16Array, factor: number, line: Line, seed: number): Int16Array => {
  const sent = line.band ? phoneBand(samples) : Float64Array.from(samples)
  const hum = line.hum === undefined ? undefined : noise("hum", sent.length, seed)
  const humLevel = line.hum === undefined ? 0 : fullScale(line.hum)
  const heard = sent.map((sample, i) => sample * factor + (line.dc ?? 0) + (hum ? humLevel * hum[i] : 0))
  return coded(toPcm(heard), line.amplified)
}

/** A conversation as it comes out of a telephone line, with a background `snrDb` below it (none if not given). */
export const onLine = async (
  clean: Int16Array,
  kind: Background,
  snrDb: number,
  seed: number,
  line: Line = lines[0]
): Promise<Int16Array> => {
  const mixed = mixAt(clean, await background(kind, clean.length, seed), snrDb)
  return through(mixed, fullScale(line.level) / activeLevel(clean), line, seed)
}

/** A conversation on a line whose noise has a level of its own (dB of full scale), however loud the speech is. */
export const onQuietLine = async (
  clean: Int16Array,
  kind: Background,
  noiseDb: number,
  seed: number,
  line: Line
): Promise<Int16Array> => {
  const behind = await background(kind, clean.length, seed)
  const factor = fullScale(line.level) / activeLevel(clean)
  const mixed = Float64Array.from(clean, (sample, i) => factor * sample + fullScale(noiseDb) * behind[i])
  return through(toPcm(mixed), 1, line, seed)
}

/** A background alone, `level` dB of full scale, on a line that adds a constant `offset`. */
export const alone = async (
  kind: Background,
  ms: number,
  level: number,
  seed: number,
  offset = 0,
  amplified = false
): Promise<Int16Array> => {
  const pcm = toPcm(await background(kind, ms * 8, seed), fullScale(level))
  return coded(
    pcm.map((sample) => sample + offset),
    amplified
  )
}

/** What the agent says in trials with echo. */
const agentLines = [
  "Thank you for calling Maple Books, this call is answered by an assistant and may be recorded.",
  "We are open from nine to six, Monday to Saturday, and on Sundays we open at ten, except in August.",
  "Your order left our warehouse this morning, and it should be with you on Thursday before noon.",
  "If nobody is at home, the parcel waits for a week at the post office in Station Road."
]

/** The agent's speech of -20 dB of full scale, sentence after sentence. */
export const agentSpeech = async (ms: number): Promise<Int16Array> => {
  const spoken = await Promise.all(agentLines.map((text) => speak(text, "en-us", { voice: "f2" })))
  const said = concat(spoken.flatMap(({ samples }) => [samples, silence(350)]))
  const factor = fullScale(-20) / activeLevel(said)
  return Int16Array.from({ length: ms * 8 }, (_, i) => factor * said[i % said.length])
}

/** A room and a telephone by which the agent's speech comes back. */
export interface EchoPath {
  readonly gainDb: number
  readonly delayMs: number
}

/** `line` with the echo of what the agent says at the same time, as it comes out of the telephone. */
export const withEcho = (line: Int16Array, agent: Int16Array, { gainDb, delayMs }: EchoPath): Int16Array => {
  const gain = 10 ** (gainDb / 20)
  const at = (i: number) => agent[i - delayMs * 8] ?? 0
  // A wall 12 ms further away gives back half of it, and a loudspeaker passes no low sounds.
  const echo = phoneBand(Float64Array.from(line, (_, i) => gain * (at(i) + 0.5 * at(i - 96))))
  return decode(encode(toPcm(Float64Array.from(line, (sample, i) => sample + echo[i]))))
}
