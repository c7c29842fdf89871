/** Measures the voice activity detector on speech mixed with noise, compared with the speech of the clean recording. */
import {
  activeFrames,
  activeLevel,
  babble,
  mixAt,
  type NoiseKind,
  noise,
  phoneBand,
  toPcm
} from "../../simulators/voice/Noise.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { decode, encode, powerOf } from "../../src/audio/frames/Mulaw.ts"
import { Vad, VadEvent } from "../../src/audio/vad/Vad.ts"
import { concat, silence } from "./speech.ts"

export type Background = NoiseKind | "babble"

const FRAME = 160
const FRAME_MS = 20
/** Frames after speech in which a frame may still be called voiced: hang-over, 32 ms of analysis, rounded labels. */
const VOICED_HANG_OVER = 7
/** The same for "speaking", which may last 250 ms longer than speech. */
const SPEAKING_HANG_OVER = 13
/** A "speech started" up to this long before the first active frame belongs to the utterance. */
const EARLY_FRAMES = 5

interface Phrase {
  readonly text: string
  readonly language: string
  readonly voice: string
  readonly rate: number
  readonly pitch: number
}

const phrase = (text: string, language: string, voice: string, rate: number, pitch: number): Phrase => ({
  text,
  language,
  voice,
  rate,
  pitch
})

/** Callers that may be used to choose thresholds. */
export const tuningCallers: ReadonlyArray<Phrase> = [
  phrase("Hello, I would like to book an appointment for tomorrow morning.", "en-us", "m1", 160, 50),
  phrase("नमस्ते, मुझे कल सुबह के लिए समय चाहिए।", "hi", "f1", 150, 60),
  phrase("Yes please.", "en-us", "m3", 170, 40),
  phrase("Can you tell me the price of the big one, and whether it is in stock?", "en-gb", "f3", 175, 70),
  phrase("मेरा ऑर्डर कहाँ है?", "hi", "m5", 160, 45),
  phrase("No, that is not what I meant. I said the seventeenth of June.", "en-us", "m2", 150, 35),
  phrase("எனக்கு நாளை காலை ஒரு சந்திப்பு வேண்டும்.", "ta", "f2", 165, 55),
  phrase("हाँ, ठीक है।", "hi", "m1", 180, 50),
  phrase("Good evening, this is about the invoice from last week.", "en-us", "f4", 185, 75),
  phrase("मैं अपना पता बदलना चाहता हूँ, क्या आप मदद कर सकते हैं?", "hi", "m7", 170, 25),
  phrase("Could somebody please call me back after six?", "en-gb", "m4", 140, 30),
  phrase("நன்றி, வேறு எதுவும் இல்லை.", "ta", "m6", 150, 40),
  phrase("She sells fish, fresh chips and seven sticky cakes.", "en-us", "f5", 200, 85),
  phrase("ठीक है, धन्यवाद।", "hi", "f5", 200, 65),
  phrase("My number is nine eight four, two two one, seven zero five three.", "en-gb", "m8", 165, 55),
  phrase("என் கணக்கில் எவ்வளவு பணம் இருக்கிறது என்று சொல்லுங்கள்.", "ta", "f3", 190, 70),
  phrase("Nope.", "en-us", "m8", 150, 20),
  phrase("रिफंड कब तक आएगा?", "hi", "f2", 145, 80)
]

/** Other callers, for reports: other sentences, voices, pitches and speeds. */
export const heldOutCallers: ReadonlyArray<Phrase> = [
  phrase("Hi, my parcel has not arrived and the tracking page is empty.", "en-us", "f1", 170, 45),
  phrase("मुझे बिल की एक कॉपी भेज दीजिए।", "hi", "m3", 155, 35),
  phrase("Actually, make that two tickets for Saturday.", "en-gb", "m6", 190, 60),
  phrase("என்னுடைய கடவுச்சொல் வேலை செய்யவில்லை.", "ta", "f4", 155, 75),
  phrase("Mm, sure.", "en-us", "f2", 140, 65),
  phrase("क्या यह दुकान रविवार को खुली रहती है?", "hi", "f3", 175, 50),
  phrase("Which of your branches is nearest to the old railway bridge?", "en-gb", "m7", 150, 20),
  phrase("சரி, நான் காத்திருக்கிறேன்.", "ta", "m2", 170, 30),
  phrase("Stop, stop, that was the wrong account.", "en-us", "m5", 200, 55),
  phrase("जी नहीं।", "hi", "m4", 145, 25),
  phrase("It begins with a zero, then six, six, one, and ends with forty two.", "en-us", "f3", 160, 80),
  phrase("Good morning, is this the right number for repairs?", "en-us", "m4", 165, 50),
  phrase("मेरी गाड़ी की सर्विस कब होगी?", "hi", "f4", 160, 55),
  phrase("I am calling about the flat you have advertised.", "en-gb", "f1", 170, 60),
  phrase("ஆம், அது சரிதான்.", "ta", "m1", 160, 40),
  phrase("నా ఆర్డర్ ఇంకా రాలేదు.", "te", "f2", 165, 60),
  phrase("Perfect, thank you very much.", "en-us", "m6", 180, 45),
  phrase("আমার একটা সাহায্য লাগবে।", "bn", "m2", 155, 35),
  phrase("Do you deliver to the islands as well?", "en-gb", "m2", 165, 30),
  phrase("हैलो, कोई है?", "hi", "m2", 170, 45),
  phrase("We were promised a technician between nine and noon.", "en-us", "f5", 175, 70),
  phrase("माझे बिल चुकीचे आहे.", "mr", "f1", 160, 65),
  phrase("Let me check, just a second.", "en-us", "m1", 185, 55),
  phrase("મને પૈસા પાછા જોઈએ છે.", "gu", "m3", 165, 40),
  phrase("Tomorrow would be better for us.", "en-gb", "f4", 160, 50),
  phrase("ಹೌದು, ನಾನು ಕೇಳುತ್ತಿದ್ದೇನೆ.", "kn", "f3", 160, 60),
  phrase("Okay.", "en-us", "m7", 165, 35),
  phrase("എനിക്ക് ഒരു മുറി വേണം.", "ml", "m5", 165, 45),
  phrase("Fine, then cancel the whole thing.", "en-us", "f2", 195, 75),
  phrase("ਮੈਨੂੰ ਮੈਨੇਜਰ ਨਾਲ ਗੱਲ ਕਰਨੀ ਹੈ।", "pa", "m4", 160, 30),
  phrase("Right, and how long does that take?", "en-gb", "m5", 180, 50),
  phrase("क्या आप मेरी आवाज़ सुन पा रहे हैं?", "hi", "f1", 165, 60),
  phrase("Two adults and one child, please.", "en-us", "f3", 170, 65)
]

export interface Conversation {
  readonly clean: Int16Array
  /** Per 20 ms frame, whether the clean recording is active. */
  readonly labels: ReadonlyArray<boolean>
  /** First and last active frame of each utterance. */
  readonly utterances: ReadonlyArray<{ readonly first: number; readonly last: number }>
}

/** Milliseconds of silence after each utterance: every third is long enough for an answer, and none is a whole number of frames. */
const pauseAfter = (utterance: number) => 1_403 + ((utterance * 337) % 700) + (utterance % 3 === 2 ? 4_000 : 0)

/** Each caller's utterances, after 1.5 s of silence, with pauses between them. */
export const conversation = async (callers: ReadonlyArray<Phrase> = tuningCallers): Promise<Conversation> => {
  const spoken = await Promise.all(
    callers.map(({ text, language, voice, rate, pitch }) => speak(text, language, { voice, rate, pitch }))
  )
  const clean = concat([silence(1_500), ...spoken.flatMap(({ samples }, i) => [samples, silence(pauseAfter(i))])])
  const labels = activeFrames(clean)
  let at = 1_500 * 8
  const utterances = spoken.map(({ samples }, i) => {
    const last = labels.lastIndexOf(true, Math.floor((at + samples.length) / FRAME))
    const first = labels.indexOf(true, Math.floor(at / FRAME))
    at += samples.length + pauseAfter(i) * 8
    return { first, last }
  })
  return { clean, labels, utterances }
}

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

/** Counts, which can be added up over trials. */
export interface Trial {
  readonly speech: number
  /** Speech frames that were not called voiced. */
  readonly missed: number
  /** Frames more than the hang-over away from speech, and those of them that were called voiced. */
  readonly quiet: number
  readonly falseVoiced: number
  /** The same counts for "speaking". */
  readonly silent: number
  readonly falseSpeaking: number
  /** "Speech started" in such a frame. */
  readonly falseStarts: number
  /** Milliseconds from the start of each utterance to "speech started", at the end of its frame; infinite when it never came. */
  readonly onsets: ReadonlyArray<number>
  /** Milliseconds from the end of each utterance to the last "speech stopped" before the next. */
  readonly offsets: ReadonlyArray<number>
}

/** Frames of the agent are sent so far ahead of their play-out. */
const AHEAD = 5

/** Tells the detector what the agent sends while the frame `at` of the line is heard. */
const hearsAgent = (vad: Vad, agent: Int16Array, at: number): void => {
  const frame = agent.subarray((at + AHEAD) * FRAME, (at + AHEAD + 1) * FRAME)
  if (frame.length === FRAME) vad.echo.plays(powerOf(encode(frame)), AHEAD * FRAME_MS)
}

/** Runs the detector on a conversation over a line; `agent`: what the agent says meanwhile. */
export const trial = (
  line: Int16Array,
  { labels, utterances }: Conversation,
  vad = new Vad(),
  agent: Int16Array = new Int16Array(0)
): Trial => {
  const count = { speech: 0, missed: 0, quiet: 0, falseVoiced: 0, silent: 0, falseSpeaking: 0, falseStarts: 0 }
  const started: Array<number> = []
  const speaking: Array<boolean> = []
  let sinceSpeech = Number.POSITIVE_INFINITY
  labels.forEach((isSpeech, frame) => {
    hearsAgent(vad, agent, frame)
    const starts = vad.step(line.subarray(frame * FRAME, (frame + 1) * FRAME)) === VadEvent.SpeechStarted
    if (starts) started.push(frame)
    speaking.push(vad.speaking)
    sinceSpeech = isSpeech ? 0 : sinceSpeech + 1
    if (isSpeech) {
      count.speech++
      if (!vad.voiced) count.missed++
    } else if (!labels[frame + 1]) {
      if (sinceSpeech > VOICED_HANG_OVER) {
        count.quiet++
        if (vad.voiced) count.falseVoiced++
      }
      if (sinceSpeech > SPEAKING_HANG_OVER) {
        count.silent++
        if (vad.speaking) count.falseSpeaking++
        if (starts) count.falseStarts++
      }
    }
  })
  const onsets = utterances.map(({ first, last }) => {
    const heard = started.find((frame) => frame >= first - EARLY_FRAMES && frame <= last + SPEAKING_HANG_OVER)
    return heard === undefined ? Number.POSITIVE_INFINITY : Math.max(0, heard + 1 - first) * FRAME_MS
  })
  const offsets = utterances.map(({ last }) => {
    const stopped = speaking.indexOf(false, last)
    return stopped < 0 ? Number.POSITIVE_INFINITY : (stopped - last) * FRAME_MS
  })
  return { ...count, onsets, offsets }
}

/** The results of all trials together, in per cent and milliseconds. */
export const summary = (trials: ReadonlyArray<Trial>) => {
  const sum = (pick: (one: Trial) => number) => trials.reduce((total, one) => total + pick(one), 0)
  const percentile95 = (values: ReadonlyArray<number>) =>
    values.toSorted((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1]
  return {
    missed: (100 * sum((one) => one.missed)) / sum((one) => one.speech),
    falseVoiced: (100 * sum((one) => one.falseVoiced)) / sum((one) => one.quiet),
    falseSpeaking: (100 * sum((one) => one.falseSpeaking)) / sum((one) => one.silent),
    /** "Speech started" per minute without speech. */
    startsPerMinute: (60_000 / FRAME_MS / sum((one) => one.silent)) * sum((one) => one.falseStarts),
    onset95: percentile95(trials.flatMap((one) => one.onsets)),
    offset95: percentile95(trials.flatMap((one) => one.offsets))
  }
}

/** Counts false detections in audio without speech. */
export const falseAlarms = (line: Int16Array, vad = new Vad()) => {
  let [frames, voiced, speaking, starts] = [0, 0, 0, 0]
  for (let at = 0; at + FRAME <= line.length; at += FRAME) {
    if (vad.step(line.subarray(at, at + FRAME)) === VadEvent.SpeechStarted) starts++
    frames++
    if (vad.voiced) voiced++
    if (vad.speaking) speaking++
  }
  return { frames, voiced, speaking, starts }
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

/** Runs the detector on a line while the agent speaks, as in a call. Gives the starts of speech, ms. */
export const startsOver = (line: Int16Array, agent: Int16Array, vad = new Vad()): ReadonlyArray<number> => {
  const starts: Array<number> = []
  for (let at = 0; at + FRAME <= line.length; at += FRAME) {
    hearsAgent(vad, agent, at / FRAME)
    if (vad.step(line.subarray(at, at + FRAME)) === VadEvent.SpeechStarted) starts.push(at / 8 + FRAME_MS)
  }
  return starts
}
