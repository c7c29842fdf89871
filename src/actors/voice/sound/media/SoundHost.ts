/**
 * The sound of all calls of a process that holds nothing else: it takes the provider's streams, and the links of engines, which have the minds. A call
 * belongs to the engine that has reserved it.
 */
import { MediaClock } from "../../../../audio/frames/MediaClock.ts"
import { Ambience } from "../../../../audio/playout/Ambience.ts"
import { CallAudio } from "../CallAudio.ts"
import type { Line, LiveCall } from "../Line.ts"
import { closedAfterMs, type Pipe, type PipeListener, stallsAfterMs } from "../link/Pipe.ts"
import { SoundEnd } from "../link/SoundEnd.ts"
import type { Reserve } from "../link/SoundProtocol.ts"
import { StreamRefused, type StreamStart } from "../StreamRefused.ts"
import { ReservedStreams } from "./ReservedStreams.ts"
import { type RecordingFile, SoundRecording } from "./SoundRecording.ts"

type Fields = Readonly<Record<string, unknown>>

export interface SoundHostOptions {
  /** Names this process. */
  readonly id: string
  /** Monotonic milliseconds, the same as the engines'. */
  readonly now: () => number
  readonly warn: (sentence: string, fields: Fields) => void
  readonly openRecording: (file: string) => RecordingFile
  /** Runs something at the end of this turn of the event loop. */
  readonly schedule?: (run: () => void) => void
}

/** A call whose sound is here. */
interface Held {
  readonly callId: string
  readonly line: Line
  readonly leaveClock: () => void
  readonly recording: SoundRecording | undefined
}

/** An engine at the other end of a link. */
interface LinkedEngine {
  readonly end: SoundEnd
  readonly pipe: Pipe
  readonly reserved: ReservedStreams
  readonly calls: Map<number, Held>
  stalls: boolean
}

export class SoundHost {
  private readonly options: SoundHostOptions
  private readonly clock: MediaClock
  private readonly engines = new Set<LinkedEngine>()
  private ticks = { count: 0, sumMs: 0 }

  constructor(options: SoundHostOptions) {
    this.options = options
    this.clock = new MediaClock(options.now, {
      onError: (error) => options.warn("the media clock dropped a call", { error: String(error) })
    })
    this.clock.add({ tick: () => this.look() })
    this.clock.start()
  }

  /** Calls whose sound is here. */
  get size(): number {
    return [...this.engines].reduce((sum, { calls }) => sum + calls.size, 0)
  }
  get linked(): number {
    return this.engines.size
  }

  /** An engine has connected. */
  attach(pipe: Pipe): PipeListener {
    const { id, now, warn, schedule = setImmediate } = this.options
    const reserved = new ReservedStreams()
    const calls = new Map<number, Held>()
    const end = new SoundEnd({
      id,
      now,
      schedule: (run) => void schedule(run),
      write: (batch) => pipe.write(batch),
      onError: (number, error) =>
        warn("the audio of a call failed", { callId: calls.get(number)?.callId, error: String(error) }),
      onOverflow: () => this.broken(engine, "it leaves what it is told"),
      onNotice: (message) => {
        if (message._tag === "Reserve") reserved.add(message, now())
        if (message._tag === "Cancel") reserved.cancel(message.callId)
      },
      onForgotten: (number) => this.release(engine, number)
    })
    const engine: LinkedEngine = { end, pipe, reserved, calls, stalls: false }
    this.engines.add(engine)
    return {
      receive: (bytes) => {
        try {
          end.receive(bytes)
        } catch (error) {
          this.broken(engine, String(error))
        }
      },
      drained: () => end.drained(),
      closed: () => this.gone(engine)
    }
  }

  /** Claims the call that the stream belongs to, and tells its engine. */
  readonly connect = (start: StreamStart, line: Line): LiveCall | StreamRefused => {
    const engine = [...this.engines].find(({ reserved }) => reserved.has(start.callId))
    const claimed = engine?.reserved.claim(start, this.options.now()) ?? "unknown_call"
    if (engine === undefined || typeof claimed === "string") {
      const reason = typeof claimed === "string" ? claimed : "unknown_call"
      return new StreamRefused({ callId: start.callId, reason })
    }
    return this.begin(engine, claimed, start, line)
  }

  private begin(engine: LinkedEngine, reserve: Reserve, { streamSid }: StreamStart, line: Line): LiveCall {
    const { now, warn } = this.options
    const { callId, agent, elapsedMs } = reserve
    const recording = this.record(engine, reserve)
    const { number, audio } = engine.end.claim({
      callId,
      streamSid,
      at: now(),
      make: (tell, sink) =>
        new CallAudio({
          streamSid,
          line,
          agent,
          sink,
          tell,
          now,
          elapsedMs,
          ...(reserve.ambience ? { ambience: new Ambience() } : {}),
          ...(recording === undefined ? {} : { recorder: recording.recorder })
        })
    })
    /** An error in the audio of one call ends that call and no other. */
    const guarded = (work: () => void) => {
      try {
        work()
      } catch (error) {
        warn("the audio of a call failed", { callId, error: String(error) })
        engine.end.audioFailed(number)
      }
    }
    const leaveClock = this.clock.add({ tick: (dueMs) => guarded(() => audio.tick(dueMs)) })
    engine.calls.set(number, { callId, line, leaveClock, recording })
    return {
      callId,
      media: (payload, timestampMs) => guarded(() => audio.media(payload, timestampMs)),
      mark: (name) => guarded(() => audio.speech.mark(name)),
      dtmf: (digit) => guarded(() => audio.key(digit)),
      closed: () => {
        recording?.end()
        engine.end.lineClosed(number)
      }
    }
  }

  private record({ end }: LinkedEngine, { recording: file, elapsedMs, callId }: Reserve): SoundRecording | undefined {
    if (file === "") return undefined
    const { now, warn, openRecording } = this.options
    return new SoundRecording({
      file: openRecording(file),
      now,
      elapsedMs,
      done: () => end.notice({ _tag: "Recorded", file }),
      warn: (sentence, cause) => warn(sentence, { callId, error: String(cause) })
    })
  }

  /** Tells the engines each second how the sound is. Gives up an engine that has taken nothing for long. */
  status(): void {
    const { count, meanMs } = this.clock.lateness()
    const [ticks, sumMs] = [count - this.ticks.count, count * meanMs - this.ticks.sumMs]
    this.ticks = { count, sumMs: count * meanMs }
    const lateMs = ticks === 0 ? 0 : Math.max(0, sumMs / ticks)
    const calls = this.size
    for (const engine of this.engines) {
      engine.end.notice({ _tag: "Status", lateMs, calls })
      const { unansweredMs } = engine.end
      const stalls = unansweredMs > stallsAfterMs
      if (stalls !== engine.stalls)
        this.options.warn(stalls ? "an engine stalls" : "an engine goes on", { calls: engine.calls.size })
      engine.stalls = stalls
      if (unansweredMs > closedAfterMs) this.broken(engine, "it has taken nothing for too long")
    }
  }

  /** Closes all lines and links. */
  close(): void {
    for (const engine of [...this.engines]) {
      this.gone(engine)
      engine.pipe.close()
    }
    this.clock.stop()
  }

  private look(): void {
    for (const { end } of this.engines) end.look()
  }

  /** The engine does not keep to the protocol, or does not live: the link is ended. */
  private broken(engine: LinkedEngine, reason: string): void {
    if (!this.engines.has(engine)) return
    this.options.warn("the link to an engine is ended", { reason })
    engine.pipe.close()
    this.gone(engine)
  }

  /** The calls of an engine end with it. */
  private gone(engine: LinkedEngine): void {
    if (!this.engines.delete(engine)) return
    if (engine.calls.size > 0)
      this.options.warn("an engine is gone: its calls end", { calls: engine.calls.size, engine: engine.end.peer })
    for (const number of [...engine.calls.keys()]) this.release(engine, number)
  }

  private release(engine: LinkedEngine, number: number): void {
    const held = engine.calls.get(number)
    if (held === undefined) return
    engine.calls.delete(number)
    held.leaveClock()
    held.recording?.end()
    held.line.close()
  }
}
