/**
 * Recorded calls for the panel: WAV files with the caller on the left and the agent on the right, as Parley records. Only a person knows what a sound was
 * meant for, so `NAME.json` may say it: `[{ "kind": "listening", "startMs": 5000, "endMs": 5400 }]`. Without it speech of the caller is a turn, or, over the
 * agent and longer than a listening noise, an interruption; other sounds are left out.
 */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { resampled } from "../../simulators/voice/Resampler.ts"
import { Vad } from "../../src/audio/vad/Vad.ts"
import { parsedJson } from "../../src/domain/basics/Json.ts"
import { decodeWav } from "../../src/domain/basics/Wav.ts"
import { OptionsInvalid } from "../support/Options.ts"
import type { Played, PlayedCall } from "./PlayedCall.ts"
import { isKind } from "./Script.ts"

const frame = 160
const frameMs = 20
/** A pause up to this long is one of a turn. */
const pauseMs = 700
/** Speech over the agent that is shorter may be a listening noise. */
const shortMs = 1_000
const agentLevel = 60

interface Span {
  readonly startMs: number
  readonly endMs: number
}

const at8k = (samples: Int16Array, rate: number): Int16Array =>
  rate === 8_000 ? samples : Int16Array.from(resampled(samples, rate), Math.round)

/** Speech of a track, joined over short pauses. */
const speechOf = (samples: Int16Array): ReadonlyArray<Span> => {
  const vad = new Vad()
  const spans: Array<{ startMs: number; endMs: number }> = []
  for (let at = 0; at + frame <= samples.length; at += frame) {
    vad.step(samples.subarray(at, at + frame))
    if (!vad.voiced || !vad.speaking) continue
    const ms = at / 8
    const last = spans.at(-1)
    if (last !== undefined && ms - last.endMs <= pauseMs) last.endMs = ms + frameMs
    else spans.push({ startMs: ms, endMs: ms + frameMs })
  }
  return spans
}

/** Whether the agent is heard at this time. */
const speaksAt = (agent: Int16Array, ms: number): boolean => {
  let sum = 0
  for (let i = ms * 8; i < ms * 8 + frame; i++) sum += (agent[i] ?? 0) ** 2
  return Math.sqrt(sum / frame) >= agentLevel
}

const eventOf = (kind: Played["kind"], agent: Int16Array, { startMs, endMs }: Span): Played => ({
  ...{ kind, startMs, endMs },
  over: speaksAt(agent, Math.round(startMs)),
  parts: [{ startMs, endMs }]
})

const guessed = (caller: Int16Array, agent: Int16Array): ReadonlyArray<Played> =>
  speechOf(caller).flatMap((span) => {
    const turn = eventOf("turn", agent, span)
    if (!turn.over) return [turn]
    return span.endMs - span.startMs < shortMs ? [] : [eventOf("interruption", agent, span)]
  })

const labelled = (file: string, text: string, agent: Int16Array): ReadonlyArray<Played> => {
  const labels = parsedJson(text)
  if (!Array.isArray(labels)) throw new OptionsInvalid(`${file} is no list of events`)
  return labels.map((label: unknown, index) => {
    const { kind, startMs, endMs } = Object(label) as Readonly<Record<string, unknown>>
    if (!isKind(kind) || typeof startMs !== "number" || typeof endMs !== "number" || !(startMs < endMs))
      throw new OptionsInvalid(`event ${index + 1} of ${file} needs kind, startMs and endMs`)
    return eventOf(kind, agent, { startMs, endMs })
  })
}

/** All calls of a folder. Throws OptionsInvalid that names the file that cannot be used. */
export const readRecordings = async (folder: string): Promise<ReadonlyArray<PlayedCall>> => {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".wav")).toSorted()
  if (files.length === 0) throw new OptionsInvalid(`there is no WAV file in ${folder}`)
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -4)
      const bytes = await readFile(join(folder, file))
      let decoded: ReturnType<typeof decodeWav>
      try {
        decoded = decodeWav(bytes)
      } catch (cause) {
        throw new OptionsInvalid(`${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`)
      }
      const { channels, sampleRate } = decoded
      if (channels.length !== 2) throw new OptionsInvalid(`${file} has ${channels.length} tracks, not two`)
      const [caller, agent] = channels.map((samples) => at8k(samples, sampleRate))
      const labels = await readFile(join(folder, `${name}.json`), "utf8").catch(() => undefined)
      const events = labels === undefined ? guessed(caller, agent) : labelled(`${name}.json`, labels, agent)
      return { name, events, telephone: { agent }, lengthMs: Math.floor(agent.length / frame) * frameMs }
    })
  )
}
