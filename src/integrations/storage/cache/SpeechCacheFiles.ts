/**
 * The speech cache of a single node: the most recent audio in memory, and all of it as files in the data folder, so that it survives a restart.
 * Expired files are removed at the start. A disk that fails costs a synthesis, never a call; the failure is logged once.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Effect, Layer } from "effect"
import { SpeechCache, speechCacheDays } from "../../../domain/ai/providers/SpeechCache.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { quietly } from "../../resilience/Quietly.ts"
import { undefinedIf } from "../FileErrors.ts"
import { RecentBytes, recentSpeechBytes } from "./RecentBytes.ts"

export interface SpeechCacheFilesOptions {
  /** Files go to its sub-folder `speech`. */
  readonly dataDir: string
}

const lifetimeMs = speechCacheDays * 24 * 60 * 60 * 1_000

/** When the file was written; `undefined` when there is none. */
const writtenAt = async (file: string): Promise<number | undefined> =>
  (await stat(file).catch(undefinedIf("ENOENT")))?.mtimeMs

/** Writes a draft and renames it, so that no reader sees half of the file. */
const write = async (file: string, audio: Uint8Array, nowMs: number): Promise<void> => {
  const draft = `${file}.${newId("req", nowMs)}`
  await writeFile(draft, audio)
  await utimes(draft, nowMs / 1_000, nowMs / 1_000)
  await rename(draft, file)
}

const sweep = async (folder: string, nowMs: number): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const time = await writtenAt(file)
    if (time !== undefined && time + lifetimeMs <= nowMs) await rm(file, { force: true })
  }
}

export const layer = (options: SpeechCacheFilesOptions): Layer.Layer<SpeechCache> =>
  Layer.effect(
    SpeechCache,
    Effect.gen(function* () {
      const folder = join(options.dataDir, "speech")
      const recent = new RecentBytes(recentSpeechBytes)
      const attempt = quietly("The speech cache's folder cannot be used")
      const fileOf = (key: string) => join(folder, `${key.replace(/[^0-9A-Za-z_-]/g, "_")}.ulaw`)

      const now = yield* Clock.currentTimeMillis
      yield* attempt(Effect.tryPromise(() => sweep(folder, now)))

      return SpeechCache.of({
        get: traced("SpeechCache.get")(function* (key) {
          const now = yield* Clock.currentTimeMillis
          const known = recent.get(key, now)
          if (known !== undefined) return known
          const file = fileOf(key)
          const time = yield* attempt(Effect.tryPromise(() => writtenAt(file)))
          if (time === undefined || time + lifetimeMs <= now) return undefined
          const bytes = yield* attempt(Effect.tryPromise(() => readFile(file)))
          if (bytes === undefined) return undefined
          const audio = new Uint8Array(bytes)
          recent.set(key, audio, time + lifetimeMs)
          return audio
        }),
        set: traced("SpeechCache.set")(function* (key, audio) {
          const now = yield* Clock.currentTimeMillis
          recent.set(key, audio, now + lifetimeMs)
          yield* attempt(Effect.tryPromise(() => write(fileOf(key), audio, now)))
        })
      })
    })
  )
