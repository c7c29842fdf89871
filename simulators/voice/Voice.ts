/**
 * Real speech for the simulators: eSpeak NG at telephone rate, made once per text and kept in memory and on disk.
 * eSpeak gives slightly different samples each time, so the first recording written wins for every process on the machine.
 */
import { createHash, randomUUID } from "node:crypto"
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Answer } from "./Synthesis.ts"
import { synthesize } from "./Synthesizer.ts"
import { type SpokenWord, wordsOf } from "./Words.ts"

export type { SpokenWord } from "./Words.ts"

export interface Spoken {
  readonly text: string
  /** BCP 47, as asked for. */
  readonly language: string
  /** 8 kHz mono, level normalised, up to 100 ms of silence at the end. */
  readonly samples: Int16Array
  /** The words of `text` in order, times in milliseconds from the first sample. */
  readonly words: ReadonlyArray<SpokenWord>
}

export interface SpeakOptions {
  /** A voice variant of eSpeak: `m1` … `m8`, `f1` … `f5`, `Annie` … Different variants sound like different people. */
  readonly voice?: string
  /** Words per minute, 80 to 450. Default 165. */
  readonly rate?: number
  /** 0 to 99. Default 50. */
  readonly pitch?: number
}

const voices: Record<string, string> = { "en-us": "en-us", "en-gb": "gmw/en", "en-au": "en-gb-x-rp", "en-in": "gmw/en" }
const renamed: Record<string, string> = { od: "or" }
const rememberedUtterances = 500
const memory = new Map<string, Promise<Spoken>>()

/** The eSpeak voice of a BCP 47 language: English by country, others by language. */
const voiceOf = (language: string) => {
  const primary = language.toLowerCase().split("-")[0]
  return voices[language.toLowerCase()] ?? renamed[primary] ?? (primary === "en" ? "en-us" : primary)
}

/** Normalises the level to what a telephone carries (about −20 dBFS while speaking) and cuts the silent end. */
const levelled = (raw: Float64Array): Int16Array => {
  let peak = 0
  let energy = 0
  let voiced = 0
  for (const sample of raw) {
    peak = Math.max(peak, Math.abs(sample))
    if (Math.abs(sample) < 200) continue
    energy += sample * sample
    voiced++
  }
  const gain = voiced === 0 ? 0 : Math.min(3_500 / Math.sqrt(energy / voiced), 26_000 / peak)
  let end = raw.length
  while (end > 0 && Math.abs(raw[end - 1] * gain) < 60) end--
  return Int16Array.from(raw.subarray(0, Math.min(raw.length, end + 800)), (sample) => Math.round(sample * gain))
}

const encode = (spoken: Spoken) => {
  const { samples } = spoken
  const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString("base64")
  return JSON.stringify({ ...spoken, samples: audio })
}

const decode = (stored: string): Spoken => {
  const parsed = JSON.parse(stored) as Omit<Spoken, "samples"> & { readonly samples: string }
  const bytes = new Uint8Array(Buffer.from(parsed.samples, "base64"))
  return { ...parsed, samples: new Int16Array(bytes.buffer) }
}

const folder = async (): Promise<string> => {
  const near = join(process.cwd(), ".cache", "voice")
  return mkdir(near, { recursive: true }).then(
    () => near,
    async () => {
      const shared = join(tmpdir(), "parley-voice")
      await mkdir(shared, { recursive: true })
      return shared
    }
  )
}

const recall = (file: string): Promise<Spoken | undefined> =>
  readFile(file, "utf8").then(decode, (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })

/** Writes the file unless another process did so first. Returns the content on disk. */
const keep = async (file: string, spoken: Spoken): Promise<Spoken> => {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, encode(spoken))
  try {
    await link(draft, file)
    return spoken
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return (await recall(file)) ?? spoken
    throw error
  } finally {
    await unlink(draft)
  }
}

const record = async (key: string, text: string, language: string, options: Required<SpeakOptions>) => {
  const file = join(await folder(), `${key}.json`)
  const known = await recall(file)
  if (known) return known
  const voice = options.voice ? `${voiceOf(language)}+${options.voice}` : voiceOf(language)
  const answer: Answer = await synthesize({ text, voice, rate: options.rate, pitch: options.pitch })
  const samples = levelled(answer.samples)
  return keep(file, { text, language, samples, words: wordsOf(text, samples, answer.events) })
}

/** Speaks a text. The same arguments give the same samples, in this process and in others that share the cache folder. */
export const speak = (text: string, language: string, options: SpeakOptions = {}): Promise<Spoken> => {
  const all = { voice: options.voice ?? "", rate: options.rate ?? 165, pitch: options.pitch ?? 50 }
  const key = createHash("sha256")
    .update(JSON.stringify(["v2", text, language, all]))
    .digest("hex")
  const known = memory.get(key)
  if (known) return known
  const made = record(key, text, language, all)
  memory.set(key, made)
  made.catch(() => memory.delete(key))
  const oldest = memory.keys().next().value
  if (memory.size > rememberedUtterances && oldest !== undefined) memory.delete(oldest)
  return made
}
