/**
 * What a turn of a conversation costs in processor time, of the engine alone: calls whose clocks run as fast as they can, over the engine's
 * own adapters, journal on disk included, to providers in another process. Fixed work, so it says the same on a busy machine, but
 * for caches; what the kernel takes for the frames' own socket is not in it.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Layer, Redacted } from "effect"
import * as Call from "../src/actors/call/Call.ts"
import * as FileCallJournal from "../src/integrations/engine/FileCallJournal.ts"
import * as HttpAppCallbacks from "../src/integrations/engine/HttpAppCallbacks.ts"
import * as ChatCompletions from "../src/integrations/llm/ChatCompletions.ts"
import * as OpenAiModeration from "../src/integrations/moderation/OpenAiModeration.ts"
import * as SpooledRecordings from "../src/integrations/recordings/SpooledRecordings.ts"
import * as LocalObjectStorage from "../src/integrations/storage/LocalObjectStorage.ts"
import * as SpeechCacheMemory from "../src/integrations/storage/SpeechCacheMemory.ts"
import * as SarvamSpeechToText from "../src/integrations/stt/Sarvam.ts"
import * as TwilioRest from "../src/integrations/telephony/TwilioRest.ts"
import * as TextToSpeechRouter from "../src/integrations/tts/TextToSpeechRouter.ts"
import { agentOf } from "../test/support/agent.ts"
import { makeClips } from "./crowd/Clips.ts"
import { parseOptions } from "./support/Options.ts"
import { runBench } from "./support/Run.ts"
import type { ProvidersMessage } from "./turn/providers-server.ts"
import { Talk } from "./turn/Talk.ts"

const windows = 8

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

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-turn-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 3 }))
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
    SpeechCacheMemory.layer({ dataDir }),
    TwilioRest.layer({ baseUrl: url })
  )
}

const agent = agentOf({
  silence: { promptAfterSeconds: 3_600, maxPrompts: 2, promptText: "Are you there?", goodbyeText: "Goodbye." },
  maxCallSeconds: 14_400
})

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, { seconds: 60, calls: 60, ramp: 0 })
      const turns = Number(options.words[0] ?? 2_000)
      const { url, ask } = yield* providers
      const clips = yield* Effect.promise(makeClips)
      const context = yield* Layer.build(services(url, yield* folder))
      const talks = Array.from({ length: options.calls }, (_, index) => new Talk(index + 1, clips, agent))
      yield* Effect.forEach(talks, (talk) => Effect.forkScoped(Effect.provide(Call.run(talk.call), context)), {
        discard: true
      })
      yield* Effect.promise(async () => {
        await Promise.all(talks.map((talk) => talk.open()))
        let done = 0
        let left = turns
        let before = process.cpuUsage()
        let framesBefore = 0
        const perWindow = Math.ceil(turns / windows)
        console.log("turns      µs of processor a turn     of that system    frames in   out")
        const count = () => {
          if (++done % perWindow !== 0) return
          const { user, system } = process.cpuUsage(before)
          const frames = talks.reduce((sum, talk) => sum + talk.framesIn, 0)
          const out = talks.reduce((sum, talk) => sum + talk.framesOut, 0)
          console.log(
            `${String(done).padStart(5)} ${((user + system) / perWindow).toFixed(0).padStart(12)} ${(system / perWindow).toFixed(0).padStart(12)} ${((frames - framesBefore) / perWindow).toFixed(0).padStart(10)} ${out}`
          )
          framesBefore = frames
          before = process.cpuUsage()
        }
        await Promise.all(
          talks.map(async (talk) => {
            while (left-- > 0) {
              await talk.turn()
              count()
            }
          })
        )
        for (const { call } of talks) call.offer({ _tag: "LineClosed" })
        await sleep(500)
        const seen = await ask()
        if ("notes" in seen) console.log(`content errors: ${seen.contentErrors}`, ...seen.notes)
      })
      return 0
    })
  )
