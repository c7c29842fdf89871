/**
 * The sound of all calls of a process that holds nothing else: it takes the provider's streams, and the links of engines, which have the minds. A call
 * belongs to the engine that has reserved it.
 */
import { MediaClock } from "../../../../audio/frames/MediaClock.ts"
import { Ambience } from "../../../../audio/playout/Ambience.ts"
import { CallAudio } from "../CallAudio.ts"
import type { Line, LiveCall } from "../Line.ts"
import { byEventLoop, type LinkOptions } from "../link/LinkEnd.ts"
import type { LinkedCall } from "../link/LinkedCall.ts"
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
  /** When the links speak; by the event loop of this process, unless a test says otherwise. */
  readonly times?: Pick<LinkOptions, "schedule" | "later">
}

/** A call whose sound is here. */
interface Held {
  readonly call: LinkedCall
  readonly audio: CallAudio
  readonly line: Line
  readonly leaveClock: () => void
  readonly recording: SoundRecording | undefined
  /** What the caller hears when the mind is away for long. */
  waitingLine: Uint8Array | undefined
  /** Since when no engine is there; undefined while one is. */
  aloneSince: number | undefined
  /** Since when none answers: it is gone, or stands still. */
  unansweredSince: number | undefined
  waitingLineSaid: boolean
}

/** An engine at the other end of a link. */
interface LinkedEngine {
  readonly end: SoundEnd
  readonly pipe: Pipe
  readonly reserved: ReservedStreams
  /** It takes calls whose engine is gone. */
  attached: boolean
  stalls: boolean
}

/** A caller who waits for an engine hears the line then, once. Milliseconds. */
const waitingLineAfterMs = 1_500
/** So long a call waits for another engine. What its caller says is kept for half of it. Milliseconds. */
const givenUpAfterMs = 60_000

export class SoundHost {
  private readonly options: SoundHostOptions
  private readonly clock: MediaClock
  private readonly engines = new Set<LinkedEngine>()
  private readonly calls = new Map<number, Held>()
  private lastNumber = 0
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
    return this.calls.size
  }
  /** Calls whose engine is gone. */
  get alone(): number {
    return [...this.calls.values()].filter(({ aloneSince }) => aloneSince !== undefined).length
  }
  get linked(): number {
    return this.engines.size
  }

  /** An engine has connected. */
  attach(pipe: Pipe): PipeListener {
    const { id, now, warn, times = byEventLoop } = this.options
    const reserved = new ReservedStreams()
    const end = new SoundEnd({
      id,
      now,
      ...times,
      write: (batch) => pipe.write(batch),
      onError: (number, error) =>
        warn("the audio of a call failed", { callId: this.calls.get(number)?.call.callId, error: String(error) }),
      onOverflow: () => this.broken(engine, "it leaves what it is told"),
      onNotice: (message) => {
        if (message._tag === "Reserve") reserved.add(message, now())
        if (message._tag === "Cancel") reserved.cancel(message.callId)
        if (message._tag === "Attach") this.takes(engine)
      },
      onForgotten: (number) => this.release(number),
      onWaitingLine: (number, audio) => {
        const held = this.calls.get(number)
        if (held !== undefined) held.waitingLine = audio
      }
    })
    const engine: LinkedEngine = { end, pipe, reserved, attached: false, stalls: false }
    this.engines.add(engine)
    end.notice({ _tag: "Held", calls: [...this.calls.values()].map(({ call }) => call.callId) })
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

  private begin({ end }: LinkedEngine, reserve: Reserve, { streamSid }: StreamStart, line: Line): LiveCall {
    const { now, warn } = this.options
    const { callId, agent, elapsedMs } = reserve
    const recording = this.record(reserve)
    const number = ++this.lastNumber
    const { call, audio } = end.claim({
      callId,
      streamSid,
      number,
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
        call.tell({ _tag: "AudioFailed" })
      }
    }
    const leaveClock = this.clock.add({ tick: (dueMs) => guarded(() => audio.tick(dueMs)) })
    this.calls.set(number, {
      call,
      audio,
      line,
      leaveClock,
      recording,
      waitingLine: undefined,
      aloneSince: undefined,
      unansweredSince: undefined,
      waitingLineSaid: false
    })
    return {
      callId,
      media: (payload, timestampMs) => guarded(() => audio.media(payload, timestampMs)),
      mark: (name) => guarded(() => audio.speech.mark(name)),
      dtmf: (digit) => guarded(() => audio.key(digit)),
      closed: () => {
        recording?.end()
        call.tell({ _tag: "LineClosed" })
      }
    }
  }

  private record({ recording: file, elapsedMs, callId }: Reserve): SoundRecording | undefined {
    if (file === "") return undefined
    const { now, warn, openRecording } = this.options
    return new SoundRecording({
      file: openRecording(file),
      now,
      elapsedMs,
      // Whichever engine has the call by now.
      done: () => {
        for (const { end } of this.engines) end.notice({ _tag: "Recorded", file })
      },
      warn: (sentence, cause) => warn(sentence, { callId, error: String(cause) })
    })
  }

  /** Tells the engines each second how the sound is. Gives up an engine that has taken nothing for long. */
  status(): void {
    const { count, meanMs } = this.clock.lateness()
    const [ticks, sumMs] = [count - this.ticks.count, count * meanMs - this.ticks.sumMs]
    this.ticks = { count, sumMs: count * meanMs }
    const lateMs = ticks === 0 ? 0 : Math.max(0, sumMs / ticks)
    for (const engine of this.engines) {
      engine.end.notice({ _tag: "Status", lateMs, calls: this.size })
      const { unansweredMs } = engine.end
      const stalls = unansweredMs > stallsAfterMs
      if (stalls !== engine.stalls) this.stalled(engine, stalls)
      // With another engine there, nobody waits for one that stands still.
      const another = [...this.engines].some((other) => other !== engine && other.attached && !other.stalls)
      if (stalls && another && engine.end.size > 0) this.broken(engine, "it stands still, and another takes its calls")
      else if (unansweredMs > closedAfterMs) this.broken(engine, "it has taken nothing for too long")
    }
  }

  /** Closes all lines and links. */
  close(): void {
    for (const number of [...this.calls.keys()]) this.release(number)
    for (const engine of [...this.engines]) {
      this.engines.delete(engine)
      engine.pipe.close()
    }
    this.clock.stop()
  }

  private look(): void {
    for (const { end } of this.engines) end.look()
    for (const held of this.calls.values())
      if (held.unansweredSince !== undefined) this.waits(held, held.unansweredSince)
  }

  /** The engine stands still, or goes on. */
  private stalled(engine: LinkedEngine, stalls: boolean): void {
    const { end } = engine
    engine.stalls = stalls
    this.options.warn(stalls ? "an engine stalls" : "an engine goes on", { calls: end.size })
    const since = stalls ? this.options.now() - end.unansweredMs : undefined
    for (const number of end.numbers()) this.unanswered(number, since)
  }
  private unanswered(number: number, since: number | undefined): void {
    const held = this.calls.get(number)
    if (held === undefined) return
    held.unansweredSince = since
    if (since === undefined) {
      held.waitingLineSaid = false
      held.audio.mindBack()
    } else held.audio.mindAway()
  }

  /** A call that no engine answers. */
  private waits(held: Held, since: number) {
    const { audio, call, aloneSince } = held
    const now = this.options.now()
    if (aloneSince !== undefined && now - aloneSince > givenUpAfterMs) {
      this.options.warn("no engine has taken a call: it ends", { callId: call.callId })
      return this.release(call.number)
    }
    const { waitingLine } = held
    if (held.waitingLineSaid || waitingLine === undefined || now - since < waitingLineAfterMs) return
    // Not over the caller, nor over what the agent still says.
    if (now - audio.voicedAt < waitingLineAfterMs || audio.speech.unheardMs < waitingLineAfterMs) return
    held.waitingLineSaid = true
    audio.speech.bridge(waitingLine)
  }

  /** The engine takes calls whose engine is gone, now and later. */
  private takes(engine: LinkedEngine): void {
    engine.attached = true
    for (const held of this.calls.values()) if (held.aloneSince !== undefined) this.handOver(held, engine)
  }
  private handOver(held: Held, engine: LinkedEngine): void {
    held.aloneSince = undefined
    held.unansweredSince = undefined
    held.waitingLineSaid = false
    engine.end.adopt(held)
  }

  /** The engine does not keep to the protocol, or does not live: the link is ended. */
  private broken(engine: LinkedEngine, reason: string): void {
    if (!this.engines.has(engine)) return
    this.options.warn("the link to an engine is ended", { reason })
    this.gone(engine)
    engine.pipe.close()
  }

  /** The engine is gone. Its calls go on: with another engine, or alone until one is there. */
  private gone(engine: LinkedEngine): void {
    if (!this.engines.delete(engine)) return
    const calls = engine.end.release()
    if (calls.length > 0) this.options.warn("an engine is gone", { calls: calls.length, engine: engine.end.peer })
    for (const { call } of calls) {
      const held = this.calls.get(call.number)
      if (held === undefined) continue
      if (!call.canBeTakenOver) {
        this.release(call.number)
        continue
      }
      held.aloneSince = this.options.now()
      held.unansweredSince ??= held.aloneSince
      held.audio.mindAway()
      const [next] = [...this.engines]
        .filter(({ attached, stalls }) => attached && !stalls)
        .sort((one, other) => one.end.size - other.end.size)
      if (next !== undefined) this.handOver(held, next)
    }
  }

  private release(number: number): void {
    const held = this.calls.get(number)
    if (held === undefined) return
    this.calls.delete(number)
    held.call.forgotten = true
    held.leaveClock()
    held.recording?.end()
    held.line.close()
  }
}
