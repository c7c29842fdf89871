/**
 * Collects samples into messages of 200 ms for the Sarvam socket, because each message costs a network write. The rest is sent at a pause, before the
 * flush. Synchronous; it copies its input.
 */

const samplesPerMs = 8
const batchMs = 200
const batchSamples = batchMs * samplesPerMs

/** 8 kHz samples → the JSON text of one audio message. `encoding` is fixed by the protocol; the codec is in the query. */
const audioMessage = (samples: Int16Array): string => {
  const base64 = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString("base64")
  return `{"audio":{"data":"${base64}","sample_rate":8000,"encoding":"audio/wav"}}`
}

/** How many bytes `ms` milliseconds of audio take as messages. */
export const messageBytes = (ms: number): number =>
  Math.ceil(ms / batchMs) * audioMessage(new Int16Array(batchSamples)).length

export interface AudioBatcher {
  readonly push: (samples: Int16Array) => void
  /** Sends the rest, however short. */
  readonly flush: () => void
}

/** `send` gets each message with its milliseconds of audio. */
export const makeAudioBatcher = (send: (message: string, ms: number) => void): AudioBatcher => {
  const batch = new Int16Array(batchSamples)
  let filled = 0
  const emit = () => {
    if (filled === 0) return
    send(audioMessage(batch.subarray(0, filled)), filled / samplesPerMs)
    filled = 0
  }
  return {
    push: (samples) => {
      for (let at = 0; at < samples.length; ) {
        const part = samples.subarray(at, at + batchSamples - filled)
        batch.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === batchSamples) emit()
      }
    },
    flush: emit
  }
}
