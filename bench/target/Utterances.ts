/** What callers say: the bench's own speech, or the user's recordings. */
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { resampled } from "../../simulators/voice/Resampler.ts"
import { encode } from "../../src/audio/frames/Mulaw.ts"
import { decodeWav } from "../../src/domain/basics/Wav.ts"
import { makeClips } from "../crowd/Clips.ts"
import { frameBytes } from "../crowd/Watermark.ts"
import { OptionsInvalid } from "../support/Options.ts"

export interface Utterance {
  readonly name: string
  /** The words, as far as they are known. */
  readonly text: string
  /** Whole frames of mu-law, 8 kHz, from the first loud sample to the last. */
  readonly audio: Uint8Array
}

/** Louder than this is speech, so that a recording's silence does not count as an answer's. */
const voiced = 500
const longestMs = 60_000

/** The speech of a recording: its first channel, at 8 kHz, without the silence around it, in whole frames. Throws when there is none. */
const speechOf = (file: Uint8Array): Uint8Array => {
  const { channels, sampleRate } = decodeWav(file)
  const samples = Int16Array.from(resampled(channels[0], sampleRate), Math.round)
  const from = samples.findIndex((sample) => Math.abs(sample) > voiced)
  if (from < 0) throw new RangeError("nothing in it is loud enough to be speech")
  const to = samples.findLastIndex((sample) => Math.abs(sample) > voiced) + 1
  if ((to - from) / 8 > longestMs) throw new RangeError(`it is longer than ${longestMs / 1_000} s`)
  const whole = new Int16Array(Math.ceil((to - from) / frameBytes) * frameBytes)
  whole.set(samples.subarray(from, to))
  return encode(whole)
}

/** Reads `DIR/NAME.wav` with `DIR/NAME.txt`. Throws OptionsInvalid that names the file that cannot be used. */
const readFolder = async (folder: string): Promise<ReadonlyArray<Utterance>> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.toLowerCase().endsWith(".wav")).toSorted()
  if (names.length === 0) throw new OptionsInvalid(`there is no WAV file in ${folder}`)
  return Promise.all(
    names.map(async (name) => {
      const audio = await readFile(join(folder, name))
        .then(speechOf)
        .catch((cause: unknown) => {
          throw new OptionsInvalid(`${name} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`)
        })
      const bare = basename(name).slice(0, -4)
      const text = await readFile(join(folder, `${bare}.txt`), "utf8").catch(() => "")
      return { name: bare, text: text.trim(), audio }
    })
  )
}

const own = async (): Promise<ReadonlyArray<Utterance>> =>
  (await makeClips()).callers.map((audio, index) => ({ name: `voice ${index + 1}`, text: "", audio }))

export const utterancesOf = (folder: string | undefined): Promise<ReadonlyArray<Utterance>> =>
  folder === undefined ? own() : readFolder(folder)
