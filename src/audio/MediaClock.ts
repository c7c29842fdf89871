/** The one 20 ms ticker of a process. Deadlines are absolute, so lateness of one tick never adds up over a call. */
import { FRAME_MS } from "./Frame.ts"

/** Ticks made up for after a stall: 200 ms. Older ones are given up: a burst of seconds would not be heard in time anyway. */
const MAX_DUE = 10
/** Lateness histogram: 1 ms per bucket, the last one takes the rest. */
const BUCKETS = 201

export interface MediaSink {
  /** Called every 20 ms with the number of ticks due since the last call (1, after a stall up to 10), and when the last of them was. Must not block. */
  tick(nowMs: number, due: number, dueMs: number): void
}

export interface Lateness {
  /** Wake-ups measured. */
  readonly count: number
  /** Milliseconds after the deadline. */
  readonly meanMs: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Ticks that were given up after stalls longer than 200 ms. */
  readonly skipped: number
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
  private readonly histogram = new Uint32Array(BUCKETS)
  private count = 0
  private sumMs = 0
  private maxMs = 0
  private skipped = 0
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

  /** Sinks that are being ticked. */
  get size(): number {
    return this.entries.size
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
    let p99Ms = 0
    for (let seen = 0, bucket = 0; bucket < BUCKETS && seen < this.count * 0.99; bucket++) {
      seen += this.histogram[bucket]
      p99Ms = bucket + 1
    }
    const meanMs = this.count === 0 ? 0 : this.sumMs / this.count
    return { count: this.count, meanMs, p99Ms, maxMs: this.maxMs, skipped: this.skipped }
  }

  private remove(entry: Entry): void {
    if (this.entries.delete(entry) && this.entries.size === 0) this.disarm()
  }

  /** (Re)starts the timer after a rest: the time without sinks is not owed to anybody. */
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
    this.record(Math.max(0, late))
    const owed = 1 + Math.max(0, Math.floor(late / FRAME_MS))
    const last = this.next + owed
    const due = Math.min(owed, MAX_DUE)
    this.skipped += owed - due
    this.next = last
    const dueMs = this.originMs + (last - 1) * FRAME_MS
    for (const entry of this.entries) this.deliver(entry, now, Math.min(due, last - entry.from), dueMs)
    if (this.running && this.entries.size > 0) this.schedule(this.now())
  }

  private deliver(entry: Entry, now: number, due: number, dueMs: number): void {
    // A sink that was added while this tick was under way waits for the next one.
    if (due <= 0) return
    try {
      entry.sink.tick(now, due, dueMs)
    } catch (error) {
      this.remove(entry)
      this.onError(error, entry.sink)
    }
  }

  private record(late: number): void {
    this.histogram[Math.min(BUCKETS - 1, Math.floor(late))]++
    this.count++
    this.sumMs += late
    this.maxMs = Math.max(this.maxMs, late)
  }
}
