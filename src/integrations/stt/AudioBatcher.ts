/**
 * Collects audio into messages of 200 ms for the Sarvam socket: each costs a write to the network, and what is left at a pause is sent
 * before its flush. Synchronous; copies what it is given.
 */
import { AudioQueue } from "../../audio/AudioQueue.ts"
import { BYTES_PER_MS } from "../../audio/Frame.ts"
import * as Mulaw from "../../audio/Mulaw.ts"

const batchBytes = 200 * BYTES_PER_MS

// Working memory of one synchronous call.
const batch = new Uint8Array(batchBytes)
const samples = new Int16Array(batchBytes)
const sampleBytes = Buffer.from(samples.buffer)

/** The JSON text of one audio message: `length` samples. `encoding` is fixed by the protocol; the codec is in the query. */
const audioMessage = (length: number): string =>
  `{"audio":{"data":"${sampleBytes.toString("base64", 0, length * 2)}","sample_rate":8000,"encoding":"audio/wav"}}`

export interface AudioBatcher {
  /** Takes mu-law audio. */
  readonly push: (audio: Uint8Array) => void
  /** Emits what is left, however short. */
  readonly flush: () => void
}

export const makeAudioBatcher = (send: (message: string) => void): AudioBatcher => {
  const waiting = new AudioQueue()
  const emit = () => {
    const length = waiting.copy(batch, 0)
    waiting.drop(length)
    Mulaw.decodeInto(batch, samples)
    send(audioMessage(length))
  }
  return {
    push: (audio) => {
      waiting.push(audio)
      while (waiting.length >= batchBytes) emit()
    },
    flush: () => {
      if (waiting.length > 0) emit()
    }
  }
}
