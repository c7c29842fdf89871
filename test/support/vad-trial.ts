/** Measures the voice activity detector on speech mixed with noise, compared with the speech of the clean recording. */
import { activeFrames } from "../../simulators/voice/Noise.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { encode, powerOf } from "../../src/audio/frames/Mulaw.ts"
import { Vad, VadEvent } from "../../src/audio/vad/Vad.ts"
import { concat, silence } from "./speech.ts"
import { type Phrase, tuningCallers } from "./vadCallers.ts"

const FRAME = 160
const FRAME_MS = 20
/** Frames after speech in which a frame may still be called voiced: hang-over, 32 ms of analysis, rounded labels. */
const VOICED_HANG_OVER = 7
/** The same for "speaking", which may last 250 ms longer than speech. */
const SPEAKING_HANG_OVER = 13
/** A "speech started" up to this long before the first active frame belongs to the utterance. */
const EARLY_FRAMES = 5

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

/** Runs the detector on a line while the agent speaks, as in a call. Gives the starts of speech, ms. */
export const startsOver = (line: Int16Array, agent: Int16Array, vad = new Vad()): ReadonlyArray<number> => {
  const starts: Array<number> = []
  for (let at = 0; at + FRAME <= line.length; at += FRAME) {
    hearsAgent(vad, agent, at / FRAME)
    if (vad.step(line.subarray(at, at + FRAME)) === VadEvent.SpeechStarted) starts.push(at / 8 + FRAME_MS)
  }
  return starts
}
