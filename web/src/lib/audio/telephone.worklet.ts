/**
 * A telephone in the thread of the browser's sound: the microphone becomes frames of 20 ms in mu-law, and what the agent says is played. It runs by the
 * clock of the sound, so that there is a frame every 20 ms also when the page is busy, hidden, or has no microphone.
 */
import { decodeByte, encodeSample, frameSamples, sampleRate as telephoneRate } from "./mulaw.ts"
import { Playout } from "./playout.ts"
import { Resampler } from "./resampler.ts"
import type { FromTelephone, ToTelephone } from "./telephone.ts"

declare const sampleRate: number
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

class Telephone extends AudioWorkletProcessor {
  readonly #down = new Resampler(sampleRate, telephoneRate)
  readonly #up = new Resampler(telephoneRate, sampleRate)
  readonly #playout = new Playout((name) => this.#tell({ kind: "mark", name }))
  #frame = new Uint8Array(frameSamples)
  #filled = 0
  #loudest = 0
  #agentLoudest = 0
  #ready: Array<number> = []
  readonly #none = new Float32Array(128)

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<ToTelephone>) => {
      if (data.kind === "media") this.#playout.media(data.bytes)
      else if (data.kind === "live") this.#playout.live(data.bytes)
      else if (data.kind === "mark") this.#playout.mark(data.name)
      else this.#playout.clear()
    }
  }

  #tell(message: FromTelephone): void {
    this.port.postMessage(message)
  }

  #heard(sample: number): void {
    this.#loudest = Math.max(this.#loudest, Math.abs(sample))
    this.#frame[this.#filled++] = encodeSample(sample)
    if (this.#filled < frameSamples) return
    this.#tell({ kind: "frame", bytes: this.#frame, caller: this.#loudest, agent: this.#agentLoudest })
    this.#frame = new Uint8Array(frameSamples)
    this.#filled = 0
    this.#loudest = 0
    this.#agentLoudest = 0
  }

  process([input]: ReadonlyArray<ReadonlyArray<Float32Array>>, [output]: ReadonlyArray<ReadonlyArray<Float32Array>>) {
    this.#down.push(input?.[0] ?? this.#none, (sample) => this.#heard(sample))
    const channel = output?.[0]
    if (channel === undefined) return true
    while (this.#ready.length < channel.length) {
      const byte = this.#playout.next()
      const sample = byte === undefined ? 0 : decodeByte(byte)
      this.#agentLoudest = Math.max(this.#agentLoudest, Math.abs(sample))
      this.#up.push([sample], (one) => this.#ready.push(one))
    }
    channel.set(this.#ready.splice(0, channel.length))
    return true
  }
}

registerProcessor("telephone", Telephone)
