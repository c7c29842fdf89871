import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { question } from "../../bench/crowd/Words.ts"
import { addedBy, wantedOf } from "../../bench/features.ts"

const root = resolve(import.meta.dirname, "..", "..")

/** What a service's process prints that has something loaded before it. */
const printed = async (preload: string, script: string) => {
  const preloads = ["--import", `./bench/crowd/without/${preload}.ts`, "--input-type=module"]
  const { stdout } = await promisify(execFile)(process.execPath, [...preloads, "--eval", script], { cwd: root })
  return stdout.trim()
}

it("an engine without moderation calls no provider and lets everything pass", async () => {
  const script = `
    import { Effect } from "effect"
    import { Moderation } from "./src/domain/ai/providers/Moderation.ts"
    import { layer } from "./src/integrations/moderation/OpenAiModeration.ts"
    const nowhere = layer({ baseUrl: "http://127.0.0.1:1", key: undefined })
    const verdict = Effect.flatMap(Moderation, (moderation) => moderation.check(["Anything."]))
    console.log((await Effect.runPromise(Effect.provide(verdict, nowhere)))[0].flagged)`
  expect(await printed("moderation", script)).toBe("false")
})

it("an engine without speech-to-text understands a caller of the crowd by the sound", async () => {
  const script = `
    import { Effect, Stream } from "effect"
    import { SpeechToText } from "./src/domain/ai/providers/Speech.ts"
    import { decodeInto } from "./src/audio/frames/Mulaw.ts"
    import { layer } from "./src/integrations/stt/SarvamSpeechToText.ts"
    import { stamp } from "./bench/crowd/Watermark.ts"
    const frame = new Uint8Array(160).fill(0xd5)
    stamp(frame, 0, { caller: 7, utterance: 12, index: 99, total: 100 })
    const samples = new Int16Array(160)
    decodeInto(frame, samples)
    const heard = Effect.gen(function* () {
      const { push, flush, transcripts } = yield* (yield* SpeechToText).open({ model: "any", language: "en-IN" })
      push(samples)
      flush()
      flush()
      return yield* Stream.runCollect(Stream.take(transcripts, 2))
    })
    const nowhere = layer({ baseUrl: "http://127.0.0.1:1", key: undefined })
    console.log(JSON.stringify((await Effect.runPromise(Effect.scoped(Effect.provide(heard, nowhere)))).map(({ text }) => text)))`
  expect(JSON.parse(await printed("speech-to-text", script))).toEqual([question({ caller: 7, turn: 3 }), ""])
})

it("the cost of a feature has the same sign whether the measured calls have it or the calls compared with them have it", () => {
  const [recording] = wantedOf(["recording"]).slice(1)
  const [unmoderated] = wantedOf(["moderation"]).slice(1)
  expect(addedBy(recording, 3, 2)).toBe("50 %")
  expect(addedBy(unmoderated, 2, 3)).toBe("50 %")
})
