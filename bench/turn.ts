/**
 * Measures the processor time of one turn in the engine alone. The clocks of the calls run as fast as they can. The calls use the engine's own
 * adapters, including the journal on disk, and providers in another process. The work is fixed, so a busy machine gives the same result except for
 * caches. The kernel's time for the frames' socket is not included.
 */
// As in the service: schemas that are interpreted cost several times as much.
import "effect/schema/SchemaJITCompiler/enable"
import { fork } from "node:child_process"
import { once } from "node:events"
import { join, resolve } from "node:path"
import { Effect, Fiber, Layer, Redacted } from "effect"
import * as Call from "../src/actors/voice/call/Call.ts"
import * as FileCallJournal from "../src/integrations/engine/FileCallJournal.ts"
import * as HttpAppCallbacks from "../src/integrations/engine/HttpAppCallbacks.ts"
import * as ChatCompletions from "../src/integrations/llm/ChatCompletions.ts"
import * as OpenAiModeration from "../src/integrations/moderation/OpenAiModeration.ts"
import * as SpooledRecordings from "../src/integrations/recordings/SpooledRecordings.ts"
import * as SpeechCacheFiles from "../src/integrations/storage/cache/SpeechCacheFiles.ts"
import * as LocalObjectStorage from "../src/integrations/storage/LocalObjectStorage.ts"
import * as SarvamSpeechToText from "../src/integrations/stt/SarvamSpeechToText.ts"
import * as TwilioLiveCalls from "../src/integrations/telephony/TwilioLiveCalls.ts"
import * as TextToSpeechRouter from "../src/integrations/tts/TextToSpeechRouter.ts"
import { agentOf } from "../test/support/agent.ts"
import { makeClips } from "./crowd/Clips.ts"
import { folder } from "./support/Folder.ts"
import { OptionsInvalid, parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import type { Table } from "./support/Table.ts"
import type { ProvidersMessage } from "./turn/providers-server.ts"
import { NotAnswered, Talk } from "./turn/Talk.ts"

/** The table has a row for each part of the turns: code gets faster while it is compiled. */
const parts = 8

const providers = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = fork(resolve(import.meta.dirname, "turn", "providers-server.ts"))
    const next = async () => ((await once(child, "message")) as [ProvidersMessage])[0]
    const first = await next()
    if (!("url" in first)) throw new Error("the providers did not say where they are")
    const ask = async () => {
      child.send("?")
      return next()
    }
    return { url: first.url, ask, stop: () => child.disconnect() }
  }),
  ({ stop }) => Effect.sync(stop)
)

/** What a call needs, as the engine has it. */
const services = (url: string, dataDir: string) => {
  const key = Redacted.make("key")
  const voice = { baseUrl: url, key }
  const callbacks = HttpAppCallbacks.layer({ baseUrl: url, secret: "secret" })
  const journal = FileCallJournal.layer({ folder: join(dataDir, "calls") }).pipe(Layer.provide(callbacks))
  const recordings = SpooledRecordings.layer({ folder: join(dataDir, "recordings") }).pipe(
    Layer.provide([journal, LocalObjectStorage.layer({ folder: join(dataDir, "objects") })])
  )
  return Layer.mergeAll(
    journal,
    callbacks,
    recordings,
    ChatCompletions.layer({ baseUrl: `${url}/v1`, apiKey: "key", models: ["m"], maxTokens: 400, temperature: 0.4 }),
    OpenAiModeration.layer({ baseUrl: `${url}/v1`, apiKey: "key" }),
    SarvamSpeechToText.layer({ baseUrl: url.replace("http", "ws"), key }),
    TextToSpeechRouter.layer({ indic: voice, english: voice, premium: voice }),
    SpeechCacheFiles.layer({ dataDir }),
    TwilioLiveCalls.layer({ baseUrl: url })
  )
}

const agent = agentOf({
  silence: { promptAfterSeconds: 3_600, maxPrompts: 2, promptText: "Are you there?", goodbyeText: "Goodbye." },
  maxCallSeconds: 14_400
})

interface Played {
  /** A row for each part of the turns. */
  readonly table: Table
  readonly done: number
  /** Calls that gave up: the opening, an answer or its end did not come. */
  readonly unanswered: number
}

/** What a call needs to be played. */
export type Playable = Pick<Talk, "open" | "turn" | "framesIn" | "framesOut">

/** Opens the calls, then plays `turns` turns, shared out among them. */
export const play = async (talks: ReadonlyArray<Playable>, turns: number): Promise<Played> => {
  const rows: Array<ReadonlyArray<string | number>> = []
  const perPart = Math.ceil(turns / parts)
  let [done, left, unanswered] = [0, turns, 0]
  /** Whether the call goes on. One that does not fails the run; the others play its turns, so that there is a figure all the same. */
  const goesOn = async (work: Promise<void>): Promise<boolean> => {
    try {
      await work
      return true
    } catch (cause) {
      if (!(cause instanceof NotAnswered)) throw cause
      unanswered++
      console.error(cause.message)
      return false
    }
  }
  const opened = await Promise.all(talks.map((talk) => goesOn(talk.open())))
  const framesOf = (which: "framesIn" | "framesOut") => talks.reduce((sum, talk) => sum + talk[which], 0)
  let [before, framesIn, framesOut] = [process.cpuUsage(), framesOf("framesIn"), framesOf("framesOut")]
  const count = () => {
    if (++done % perPart !== 0) return
    const { user, system } = process.cpuUsage(before)
    const frames = [framesOf("framesIn") - framesIn, framesOf("framesOut") - framesOut]
    rows.push([String(done), ...[user + system, system, ...frames].map((sum) => sum / perPart)])
    framesIn += frames[0]
    framesOut += frames[1]
    before = process.cpuUsage()
  }
  const converse = async (talk: Playable) => {
    while (left-- > 0) {
      if (!(await goesOn(talk.turn()))) return void left++
      count()
    }
  }
  await Promise.all(talks.filter((_, index) => opened[index]).map(converse))
  const columns = ["turns", "µs of processor", "of that system", "frames in", "frames out"]
  return { table: { title: "A turn", columns, rows }, done, unanswered }
}

const turnsOf = ([word, ...others]: ReadonlyArray<string>): number => {
  const turns = Number(word ?? 2_000)
  if (!Number.isInteger(turns) || turns < parts || others.length > 0)
    throw new OptionsInvalid(`turns are a number of at least ${parts}`)
  return turns
}

export const taken = {
  numbers: { calls: 60 },
  words: { shown: "[TURNS]", mean: "how many turns are played, 2,000 when left out" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const { calls, words, json } = parseOptions(args, taken)
      const turns = turnsOf(words)
      const line = progress("turn")
      line.say(`${turns} turns`)
      const { url, ask } = yield* providers
      const clips = yield* Effect.promise(makeClips)
      const context = yield* Layer.build(services(url, yield* folder))
      const talks = Array.from({ length: calls }, (_, index) => new Talk(index + 1, clips, agent))
      const running = yield* Effect.forEach(talks, (talk) =>
        Effect.forkScoped(Effect.provide(Call.run(talk.call), context))
      )
      const { table, done, unanswered } = yield* Effect.promise(() => play(talks, turns))
      for (const talk of talks) talk.hangUp()
      yield* Fiber.awaitAll(running)
      const seen = yield* Effect.promise(ask)
      const microseconds = table.rows.map((row) => Number(row[1]))
      const errors = "notes" in seen ? seen : { contentErrors: Number.NaN, notes: [] }
      line.done()
      for (const note of errors.notes) console.error(note)
      const series = (title: string, unit: string, column: number): Plot => ({
        _tag: "Series",
        title,
        xUnit: "turns",
        unit,
        points: table.rows.map((row) => [Number(row[0]), Number(row[column])] as const)
      })
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "turn",
            about: "Processor time of a turn of a conversation, the frames' own socket left out.",
            options: { turns, calls },
            tables: [table],
            plots: [
              series("Processor time of a turn, by turns played before", "µs", 1),
              series("Frames of a turn that the caller sent", "frames", 3)
            ],
            limits: [
              { name: "content errors", value: errors.contentErrors, unit: "", most: 0 },
              { name: `turns not played of ${turns}`, value: Math.max(0, turns - done), unit: "", most: 0 },
              { name: "calls without an answer", value: unanswered, unit: "", most: 0 }
            ],
            // Processor time is the same however late the callers are.
            generator: null,
            details: {
              parts: table.rows,
              // What `compare` compares: all turns, and those for which the code was compiled.
              microseconds: { all: microseconds, later: microseconds.slice(parts / 2) },
              notes: errors.notes
            }
          },
          json
        )
      )
    })
  )
