/** Understands what the callers of a crowd say by the marks in the sound, within the process of the service. */
import { Effect, Layer, Queue, Stream } from "effect"
import { type SpeechError, SpeechToText, type Transcript } from "../../../src/domain/ai/providers/Speech.ts"
import { heardText, transcriptMs } from "../SpeechToText.ts"
import { frameBytes, newMark, readSampleMark } from "../Watermark.ts"

const open = Effect.gen(function* () {
  const queue = yield* Effect.acquireRelease(Queue.make<Transcript, SpeechError>(), Queue.shutdown)
  const [mark, last] = [newMark(), newMark()]
  let spoken = false
  return {
    push: (samples: Int16Array) => {
      for (let at = 0; at + frameBytes <= samples.length; at += frameBytes) {
        if (!readSampleMark(samples, at, mark)) continue
        Object.assign(last, mark)
        spoken = true
      }
    },
    flush: () => {
      const text = spoken ? heardText(last) : ""
      spoken = false
      setTimeout(() => Queue.offerUnsafe(queue, { _tag: "Final", text, language: "en-IN" }), transcriptMs)
    },
    transcripts: Stream.fromQueue(queue)
  }
})

export const layer = (): Layer.Layer<SpeechToText> => Layer.succeed(SpeechToText, SpeechToText.of({ open: () => open }))
