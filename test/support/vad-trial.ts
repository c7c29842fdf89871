/** Measures the voice activity detector on speech mixed with noise, against what is speech in the clean recording. */
import { decode, encode } from "../../src/audio/Mulaw.ts"
import { Vad, VadEvent } from "../../src/audio/Vad.ts"
import { concat, noise, rms, silence, speak } from "./speech.ts"

export type NoiseColor = "white" | "pink" | "brown"

export interface Trial {
  /** Per cent of speech frames that were not called voiced. */
  readonly missed: number
  /** Per cent of the frames more than the hang-over away from speech that were called voiced. */
  readonly falseVoiced: number
  /** Per cent of the same frames that lay between "speech started" and "speech stopped". */
  readonly falseSpeaking: number
  /** Milliseconds from the start of each phrase to "speech started", at the end of its frame; NaN when it never came. */
  readonly onsets: ReadonlyArray<number>
}

const FRAME = 160
/** Frames after speech in which a frame may still be called voiced: 80 ms of hang-over, 32 ms of analysis, rounded labels. */
const VOICED_HANG_OVER = 7
/** The same for "speaking", which ends 200 ms later. */
const SPEAKING_HANG_OVER = VOICED_HANG_OVER + 10
/** A frame is speech when the clean recording is within this of its own level. */
const SPEECH_DB = 25

const phrases: ReadonlyArray<readonly [text: string, voice: string, rate: number, pitch: number]> = [
  ["Hello, I would like to book an appointment for tomorrow morning.", "en", 160, 50],
  ["नमस्ते, मुझे कल सुबह के लिए समय चाहिए।", "hi", 150, 60],
  ["Yes please.", "en-us", 170, 40],
  ["Can you tell me the price of the big one, and whether it is in stock?", "en", 175, 70],
  ["मेरा ऑर्डर कहाँ है?", "hi", 160, 45],
  ["No, that is not what I meant. I said the seventeenth of June.", "en-us", 150, 35]
]

export interface Conversation {
  readonly clean: Int16Array
  /** First sample of each phrase's speech. */
  readonly starts: ReadonlyArray<number>
}

/** Six phrases in two languages after a second of nothing, with pauses between them: about half of it is speech. */
export const conversation = async (): Promise<Conversation> => {
  const pieces = [silence(1_500)]
  for (const [text, voice, rate, pitch] of phrases) {
    const pcm = await speak(text, voice, rate, pitch)
    pieces.push(pcm, silence(1_700))
  }
  const clean = concat(pieces)
  const labels = label(clean)
  const starts: Array<number> = []
  let at = 0
  pieces.forEach((piece, index) => {
    if (index % 2 === 1) {
      let frame = Math.floor(at / FRAME)
      while (!labels[frame]) frame++
      starts.push(frame)
    }
    at += piece.length
  })
  return { clean, starts }
}

/** Which frames of a clean recording are speech. */
export const label = (clean: Int16Array): ReadonlyArray<boolean> => {
  const frames = Math.floor(clean.length / FRAME)
  const energies = Array.from({ length: frames }, (_, i) => rms(clean.subarray(i * FRAME, (i + 1) * FRAME)) ** 2)
  const level = activeLevel(energies)
  return energies.map((energy) => energy > level * 10 ** (-SPEECH_DB / 10))
}

/** Mean power of the frames that are not silence. */
const activeLevel = (energies: ReadonlyArray<number>): number => {
  const active = energies.filter((energy) => energy > 100 ** 2)
  return active.reduce((sum, energy) => sum + energy, 0) / active.length
}

/** The conversation on a noisy line (through mu-law), at a level that a telephone carries. */
export const onLine = (clean: Int16Array, color: NoiseColor, snrDb: number, seed: number, gain = 0.5): Int16Array => {
  const energies = Array.from(
    { length: Math.floor(clean.length / FRAME) },
    (_, i) => rms(clean.subarray(i * FRAME, (i + 1) * FRAME)) ** 2
  )
  const speech = Math.sqrt(activeLevel(energies)) * gain
  const hiss = noise(color, clean.length, seed)
  const level = speech / 10 ** (snrDb / 20)
  const mixed = Int16Array.from(clean, (sample, i) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * gain + hiss[i] * level)))
  )
  return decode(encode(mixed))
}

export const trial = (
  line: Int16Array,
  labels: ReadonlyArray<boolean>,
  starts: ReadonlyArray<number>,
  vad = new Vad()
): Trial => {
  let speech = 0
  let missed = 0
  let voicedFrames = 0
  let speakingFrames = 0
  let falseVoiced = 0
  let falseSpeaking = 0
  let sinceSpeech = SPEAKING_HANG_OVER + 1
  const onsets = starts.map(() => Number.NaN)
  labels.forEach((isSpeech, frame) => {
    const event = vad.step(line.subarray(frame * FRAME, (frame + 1) * FRAME))
    sinceSpeech = isSpeech ? 0 : sinceSpeech + 1
    if (isSpeech) {
      speech++
      if (!vad.voiced) missed++
    } else if (!labels[frame + 1]) {
      if (sinceSpeech > VOICED_HANG_OVER) {
        voicedFrames++
        if (vad.voiced) falseVoiced++
      }
      if (sinceSpeech > SPEAKING_HANG_OVER) {
        speakingFrames++
        if (vad.speaking) falseSpeaking++
      }
    }
    const phrase = starts.findLastIndex((start) => start <= frame + 1)
    if (event === VadEvent.SpeechStarted && phrase >= 0 && Number.isNaN(onsets[phrase])) {
      onsets[phrase] = (frame + 1 - starts[phrase]) * 20
    }
  })
  return {
    missed: (100 * missed) / speech,
    falseVoiced: (100 * falseVoiced) / voicedFrames,
    falseSpeaking: (100 * falseSpeaking) / speakingFrames,
    onsets
  }
}
