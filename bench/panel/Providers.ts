/** The providers of a call of the panel, in the time of the call: a recogniser of known utterances, a model that says how it judges, a voice. */
import { Effect, Queue, Stream } from "effect"
import type { Bank } from "../../simulators/speech-to-text/Bank.ts"
import { recognise } from "../../simulators/speech-to-text/Recogniser.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { encode } from "../../src/audio/frames/Mulaw.ts"
import type { ChatMessage, ReasoningEvent } from "../../src/domain/ai/providers/Reasoning.ts"
import type { Transcript } from "../../src/domain/ai/providers/Speech.ts"
import { makeClauseSplitter } from "../../src/domain/voice/dialogue/ClauseSplitter.ts"
import { askForMark } from "../../src/domain/voice/dialogue/TurnMark.ts"
import { callsFinished, type Judge } from "../eot/Judge.ts"

/** From the request to the answer, ms: usual ones of providers. */
const recogniserMs = 300
const modelMs = 300
const voiceMs = 150
const agentVoice = "f2"

export const longReply =
  "We are open from nine to six, Monday to Saturday, and on Sundays we open at ten, except in August when we are closed all day. Your order left our warehouse this morning, and it should be with you on Thursday before noon. If nobody is at home, the parcel waits for a week at the post office in Station Road, and you can have it sent to another address at no cost."
export const shortReply = "That is noted, and I have changed it for you."

/** What the agent says is spoken before the calls begin, clause by clause. */
export const makeVoice = async (lines: ReadonlyArray<string>) => {
  const said = new Map<string, Uint8Array>()
  for (const line of lines) {
    const splitter = makeClauseSplitter()
    const rest = [...splitter.push(line), splitter.end()].flatMap((clause) => (clause === undefined ? [] : [clause]))
    for (const text of [line, ...rest].map((clause) => clause.trim()))
      said.set(text, encode((await speak(text, "en-US", { voice: agentVoice })).samples))
  }
  return {
    validate: () => Effect.void,
    synthesize: ({ text }: { readonly text: string }) => {
      const audio = said.get(text.trim())
      return audio === undefined
        ? Stream.die(new Error(`nobody has spoken this: ${text}`))
        : Stream.fromEffect(Effect.delay(Effect.succeed(audio), voiceMs))
    }
  }
}

/**
 * Understands what it knows, as far as the line lets it. `clean`, for a line on which the simulated recogniser understands nothing, gives the
 * caller's own sound since it was last asked, which is understood instead. It belongs to the call: streams that are opened again go on with it.
 */
export const makeEar = (bank: Bank, clean?: () => Int16Array) =>
  Effect.gen(function* () {
    const flushed = yield* Queue.unbounded<Int16Array>()
    let pieces: Array<Int16Array> = []
    return {
      push: (samples: Int16Array) => void pieces.push(samples.slice()),
      flush: () => {
        const audio = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
        let at = 0
        for (const piece of pieces) {
          audio.set(piece, at)
          at += piece.length
        }
        pieces = []
        Queue.offerUnsafe(flushed, clean?.() ?? audio)
      },
      transcripts: Stream.mapEffect(Stream.fromQueue(flushed), (audio) =>
        Effect.delay(
          Effect.sync((): Transcript => {
            const text = recognise(bank, audio).trim()
            return text === "" ? { _tag: "Unanswered" } : { _tag: "Final", text, language: "en-US" }
          }),
          recogniserMs
        )
      )
    }
  })

const wantsMark = (messages: ReadonlyArray<ChatMessage>): boolean => messages.at(-1)?.content === askForMark.content

/** What is true of the caller's words when the model is asked. */
export type Truth = "finished" | "unfinished" | "time"

/** `truth` and `reply` are asked at each request. The same words are judged anew in each call, which `name` tells apart. */
export const makeModel = (judge: Judge, name: string, truth: () => Truth, reply: () => string) => ({
  stream: ({ messages }: { readonly messages: ReadonlyArray<ChatMessage> }): Stream.Stream<ReasoningEvent> => {
    const said = messages.findLast(({ role }) => role === "user")?.content ?? ""
    const is = truth()
    const finished = callsFinished(judge, `${name}: ${said}`, is === "finished")
    const mark = finished ? "^ " : is === "time" ? "= " : "~ "
    const text = `${wantsMark(messages) ? mark : ""}${reply()}`
    return Stream.fromEffect(Effect.sleep(modelMs)).pipe(
      Stream.flatMap(() =>
        Stream.make<ReadonlyArray<ReasoningEvent>>({ _tag: "Text", text }, { _tag: "End", finishReason: "stop" })
      )
    )
  }
})
