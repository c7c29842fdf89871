/**
 * One end of the link between sound and mind. Nothing is queued for the pipe: what is to be said is taken from its source when the pipe takes it, once
 * for each turn of the event loop, and not while the other side leaves many batches unacknowledged.
 */
import { BatchReader, BatchWriter } from "./Batches.ts"
import { type Out, type PeerTimes, ProtocolBroken } from "./Fields.ts"
import { type Codec, commonVersion, type Envelope, mustKnow, versions } from "./SoundProtocol.ts"

/** So many batches may be under way. */
const mostUnacknowledged = 64
/** Batches are acknowledged with what is said next; after so many, by themselves. */
const mostOwed = 16
/** A batch is acknowledged within this time, whatever is said. Milliseconds. */
const acknowledgeWithinMs = 50
/** What can wait is said with what is said next, or within this time: each batch wakes the other process up. Milliseconds. */
const soonMs = 20

export interface LinkOptions {
  /** Gives the pipe a batch. False: it takes no more until `drained`. */
  readonly write: (batch: Uint8Array) => boolean
  /** Runs something at the end of this turn of the event loop. */
  readonly schedule: (run: () => void) => void
  /** Runs something so many milliseconds later. */
  readonly later: (run: () => void, ms: number) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Names this process. */
  readonly id: string
  /** The clock of the other process, when it is not that of this one. */
  readonly peerClock?: PeerTimes
  /** What this program speaks, unless a test says otherwise. */
  readonly versions?: { readonly lowest: number; readonly highest: number }
}

type Greeting = {
  readonly _tag: "Hello"
  readonly lowest: number
  readonly highest: number
  readonly id: string
}
const isGreeting = (message: { readonly _tag: string }): message is Greeting => message._tag === "Hello"

export abstract class LinkEnd<Sent extends { readonly _tag: string }, Received extends { readonly _tag: string }> {
  /** The version that is spoken, and the other process, once it has greeted. */
  version: number | undefined
  peer = ""
  protected readonly options: LinkOptions
  private readonly sends: Codec<Sent | Greeting>
  private readonly receives: Codec<Received>
  private readonly writer = new BatchWriter()
  private readonly reader = new BatchReader()
  private acknowledged = 0
  /** The last batch that the other side has to acknowledge, and since when it has acknowledged nothing more. */
  private lastSpoken = 0
  private waitsSince: number | undefined
  private greeted = false
  private full = false
  private scheduled = false
  /** Something is to be said soon, and whether a time for that is set. */
  private hasMore = false
  private wakesSoon = false
  /** So many batches with messages were taken, and not acknowledged yet. */
  private owed = 0
  private acknowledgesLater = false
  /** The other side leaves too many batches unacknowledged. */
  private waits = false
  /** The batch that is being written has messages. */
  private spoke = false

  constructor(options: LinkOptions, sends: Codec<Sent | Greeting>, receives: Codec<Received>) {
    this.options = options
    this.sends = sends
    this.receives = receives
    this.wake()
  }

  /** Takes what there is to say, as long as `send` says that there is room in this batch. */
  protected abstract fill(send: (envelope: Envelope<Sent>) => boolean): void
  protected abstract take(envelope: Envelope<Received | undefined>): void

  /** Bytes came from the pipe, cut anywhere. Throws ProtocolBroken when the other side does not keep to the protocol: then the link is over. */
  receive(bytes: Uint8Array): void {
    for (const { acknowledged, messages } of this.reader.push(bytes)) {
      if (acknowledged > this.writer.sent) throw new ProtocolBroken("a batch is acknowledged that was not sent")
      if (acknowledged > this.acknowledged) this.progressed(acknowledged)
      if (messages.length > 0) this.owed++
      for (const message of messages) this.takeMessage(this.receives.read(message, this.options.peerClock))
    }
    if (this.owed >= mostOwed) this.wake()
    else if (this.owed > 0) this.acknowledgeLater()
  }
  /** For how many milliseconds the other side has taken nothing of what it was told. */
  get unansweredMs(): number {
    return this.waitsSince === undefined ? 0 : this.options.now() - this.waitsSince
  }
  private progressed(acknowledged: number): void {
    this.acknowledged = acknowledged
    this.waitsSince = acknowledged >= this.lastSpoken ? undefined : this.options.now()
    if (!this.waits) return
    this.waits = false
    this.wake()
  }
  private acknowledgeLater(): void {
    if (this.acknowledgesLater) return
    this.acknowledgesLater = true
    this.options.later(() => {
      this.acknowledgesLater = false
      if (this.owed > 0) this.wake()
    }, acknowledgeWithinMs)
  }
  /** The pipe takes more. */
  drained(): void {
    this.full = false
    this.wake()
  }

  /** There is something to say. */
  protected wake(): void {
    if (this.scheduled || this.full) return
    this.scheduled = true
    this.options.schedule(() => this.flush())
  }

  /** There is something to say that can wait for other things. */
  protected wakeSoon(): void {
    if (this.scheduled || this.full) return
    this.hasMore = true
    if (this.wakesSoon) return
    this.wakesSoon = true
    this.options.later(() => {
      this.wakesSoon = false
      if (this.hasMore) this.wake()
    }, soonMs)
  }

  /** Says now what there is to say, as far as the pipe takes it. */
  protected sayNow(): void {
    if (!this.full) this.flush()
  }

  private takeMessage(envelope: Envelope<Received | undefined>) {
    const { message } = envelope
    if (this.version !== undefined) return this.take(envelope)
    if (message === undefined || !isGreeting(message)) throw new ProtocolBroken("the first message is no Hello")
    this.version = commonVersion(this.options.versions ?? versions, message)
    this.peer = message.id
    this.wake()
  }

  private flush(): void {
    this.scheduled = false
    if (this.full) return
    this.waits = this.writer.sent - this.acknowledged >= mostUnacknowledged
    if (this.waits) return
    this.hasMore = false
    const batch = this.writer.batch(this.reader.taken, this.owed > 0, (out) => this.fillBatch(out))
    this.owed = 0
    if (this.spoke) {
      this.spoke = false
      this.lastSpoken = this.writer.sent
      this.waitsSince ??= this.options.now()
    }
    if (batch !== undefined && !this.options.write(batch)) this.full = true
  }

  private fillBatch(out: Out): void {
    if (!this.greeted) {
      this.greeted = true
      this.spoke = true
      const { id } = this.options
      this.sends.write(
        out,
        { call: 0, sequence: 0, message: { _tag: "Hello", ...(this.options.versions ?? versions), id } },
        mustKnow
      )
    }
    // Nobody says anything before it knows which version is spoken.
    if (this.version === undefined) return
    this.fill((envelope) => {
      this.sends.write(out, envelope)
      this.spoke = true
      if (out.length < fullBatch) return true
      this.wake()
      return false
    })
  }
}

/** `schedule` and `later` by this process's event loop. */
export const byEventLoop: Pick<LinkOptions, "schedule" | "later"> = {
  schedule: (run) => void setImmediate(run),
  later: (run, ms) => void setTimeout(run, ms)
}

/** A batch that is longer takes no further message: the other side should not wait long for the first. */
const fullBatch = 64 * 1_024
