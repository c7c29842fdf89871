/** Worker thread of `Synthesizer.ts`: synthesis takes 50 to 300 ms of CPU and must not stop the frames of the main thread. */
import { parentPort } from "node:worker_threads"
import load from "@echogarden/espeak-ng-emscripten"
import { toTelephoneRate } from "./Resampler.ts"
import type { Answer, Job } from "./Synthesis.ts"

/**
 * A synthesizer that has said nothing yet: one that has said something says the next text a little differently, so that a recording would depend
 * on what was spoken before it. Takes some 80 ms.
 */
const freshSpeaker = async () => new (await load()).eSpeakNGWorker()

/** Loaded ahead, so that the next text does not wait for it. */
let ahead: ReturnType<typeof freshSpeaker> | undefined = freshSpeaker()
const takeSpeaker = () => {
  const speaker = ahead ?? freshSpeaker()
  ahead = undefined
  return speaker
}

const synthesize = async (job: Job): Promise<Answer> => {
  const speaker = await takeSpeaker()
  if (speaker.set_voice(job.voice) !== 0) throw new Error(`No such voice: ${job.voice}`)
  speaker.set_rate(job.rate)
  speaker.set_pitch(job.pitch)
  const chunks: Array<Int16Array> = []
  const events: Array<Answer["events"][number]> = []
  speaker.synthesize(job.text, (samples, found) => {
    chunks.push(samples)
    for (const event of found) {
      if (event.type === "word" || event.type === "end") {
        events.push({ type: event.type, position: event.text_position - 1, atMs: event.audio_position })
      }
    }
    return false
  })
  const raw = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    raw.set(chunk, offset)
    offset += chunk.length
  }
  return { samples: toTelephoneRate(raw), events }
}

parentPort?.on("message", (job: Job) => {
  synthesize(job).then(
    (answer) => {
      parentPort?.postMessage({ id: job.id, answer }, [answer.samples.buffer as ArrayBuffer])
      ahead ??= freshSpeaker()
    },
    (error: unknown) => parentPort?.postMessage({ id: job.id, error: String(error) })
  )
})
