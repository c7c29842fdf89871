/** One stream of the speech-to-text simulator. Transcripts leave in the order of the speech. */
import type { WebSocket } from "ws"
import type { Bank } from "./Bank.ts"
import type { SpeechToTextFaults } from "./Faults.ts"
import { errorMessages, parseClientMessage, signalMessage, transcriptMessage } from "./Protocol.ts"
import { recognise } from "./Recogniser.ts"
import { Segment, type Signal } from "./Segment.ts"
import type { SpeechToTextStats } from "./Stats.ts"

const rememberedTranscripts = 1_000

export interface SessionOptions {
  readonly socket: WebSocket
  readonly bank: Bank
  readonly faults: SpeechToTextFaults
  readonly stats: SpeechToTextStats
  readonly language: string
  /** Whether the client requested START_SPEECH and END_SPEECH. */
  readonly signals: boolean
  /** Whether the client may flush. */
  readonly flushes: boolean
  readonly trailingSilenceMs: number
  readonly idleMs: number
  readonly onTranscript: ((text: string, clockMs: number) => void) | undefined
}

export const serve = (options: SessionOptions): void => {
  const { socket, bank, faults, stats } = options
  const segment = new Segment(options.trailingSilenceMs)
  const timers = new Set<NodeJS.Timeout>()
  let transcriptId = 0
  let lastDue = 0

  const say = (message: string) => {
    if (!faults.silent && socket.readyState === socket.OPEN) socket.send(message)
  }
  const signal = (what: Signal) => {
    if (options.signals && !faults.unsignalled) say(signalMessage(what, Date.now()))
  }
  const later = (action: () => void) => {
    // A transcript never overtakes the one before it, also when the latency is changed in between.
    lastDue = Math.max(lastDue, Date.now() + faults.latencyMs)
    const timer = setTimeout(() => {
      timers.delete(timer)
      action()
    }, lastDue - Date.now())
    timers.add(timer)
  }
  const transcribe = () => {
    const audio = segment.take()
    const began = performance.now()
    const text = recognise(bank, audio)
    const took = performance.now() - began
    stats.slowestMs = Math.max(stats.slowestMs, took)
    stats.transcripts.push(text)
    if (stats.transcripts.length > rememberedTranscripts) stats.transcripts.shift()
    const id = ++transcriptId
    later(() => {
      if (faults.garbage !== null) say(faults.garbage)
      if (faults.errorNext > 0)
        return say(errorMessages("Planned failure", "internal_server_error")[faults.errorNext-- % 3])
      options.onTranscript?.(text, performance.now())
      say(transcriptMessage(id, text, options.language, audio.length, took))
    })
  }
  const hear = (samples: Int16Array) => {
    stats.audioSamples += samples.length
    for (const heard of segment.push(samples)) {
      signal(heard)
      if (heard === "END_SPEECH") transcribe()
    }
  }
  const flush = () => {
    stats.flushes++
    if (!options.flushes || !segment.speaking) return
    signal("END_SPEECH")
    transcribe()
  }

  const idle = setTimeout(() => socket.close(1000, "idle"), options.idleMs)
  socket.on("error", () => socket.terminate())
  socket.on("close", () => {
    clearTimeout(idle)
    for (const timer of timers) clearTimeout(timer)
  })
  socket.on("message", (data) => {
    stats.messages++
    idle.refresh()
    const message = parseClientMessage(data.toString())
    if (message._tag === "Audio") hear(message.samples)
    else if (message._tag === "Flush") flush()
    else if (message._tag === "Wrong") say(errorMessages(message.message, "unprocessable_entity_error")[0])
  })
}
