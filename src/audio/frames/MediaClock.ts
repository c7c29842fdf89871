/** The one 20 ms ticker of a process. Deadlines are absolute, so lateness of one tick never adds up over a call. */
import { FRAME_MS } from "./Frame.ts"

export interface MediaSink {
  /** Called every 20 ms with the time it was due. After a stall it is called once, with the time of the last tick that was due. Must not block. */
  tick(dueMs: number): void
}

export interface Lateness {
  /** Wake-ups measured. */
  readonly count: number
  /** Milliseconds after the deadline. */
  readonly meanMs: number
}

interface Entry {
  readonly sink: MediaSink
  /** Index of the first tick that is this sink's. */
  readonly from: number
}

export class MediaClock {
  private readonly now: () => number
  private readonly onError: (error: unknown, sink: MediaSink) => void
  private readonly entries = new Set<Entry>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private running = false
  private originMs = 0
  /** Index of the next tick; it is due at `originMs + next * 20`. */
  private next = 0
  private count = 0
  private sumMs = 0
  private readonly onTimer = (): void => this.fire()

  /**
   * @param now monotonic milliseconds.
   * @param options.onError hears of a sink that threw; that sink has been removed, the others go on.
   */
  constructor(
    now: () => number = () => performance.now(),
    options: { readonly onError?: (error: unknown, sink: MediaSink) => void } = {}
  ) {
    this.now = now
    // Without a listener the error must still surface: rethrown outside the tick, it reaches the process.
    this.onError =
      options.onError ??
      ((error) =>
        queueMicrotask(() => {
          throw error
        }))
  }

  /** Ticks `sink` from the next tick on. Returns the function that removes it (also from within its own tick). */
  add(sink: MediaSink): () => void {
    if (this.running && this.entries.size === 0) this.arm()
    const entry: Entry = { sink, from: this.next }
    this.entries.add(entry)
    return () => this.remove(entry)
  }

  /** Starts ticking. The timer runs only while there are sinks. */
  start(): void {
    if (this.running) return
    this.running = true
    if (this.entries.size > 0) this.arm()
  }

  /** Stops ticking; sinks stay and go on after the next `start`. */
  stop(): void {
    this.running = false
    this.disarm()
  }

  /** How late wake-ups were since the clock was made. */
  lateness(): Lateness {
    return { count: this.count, meanMs: this.count === 0 ? 0 : this.sumMs / this.count }
  }

  private remove(entry: Entry): void {
    if (this.entries.delete(entry) && this.entries.size === 0) this.disarm()
  }

  /** Starts the timer again after a time without sinks; that time is not made up for. */
  private arm(): void {
    const now = this.now()
    const passed = Math.floor((now - this.originMs) / FRAME_MS) + 1
    if (passed > this.next) {
      this.next = passed
    }
    this.schedule(now)
  }

  private disarm(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private schedule(now: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(this.onTimer, Math.max(0, this.originMs + this.next * FRAME_MS - now))
  }

  private fire(): void {
    const now = this.now()
    const late = now - (this.originMs + this.next * FRAME_MS)
    // Timers of whole milliseconds can be early by a fraction of one.
    if (late < -1) {
      this.schedule(now)
      return
    }
    this.count++
    this.sumMs += Math.max(0, late)
    const last = this.next + Math.max(0, Math.floor(late / FRAME_MS))
    this.next = last + 1
    const dueMs = this.originMs + last * FRAME_MS
    // A sink that was added while this tick was under way waits for the next one.
    for (const entry of this.entries) if (entry.from <= last) this.deliver(entry, dueMs)
    if (this.running && this.entries.size > 0) this.schedule(this.now())
  }

  private deliver(entry: Entry, dueMs: number): void {
    try {
      entry.sink.tick(dueMs)
    } catch (error) {
      this.remove(entry)
      this.onError(error, entry.sink)
    }
  }
}
