/**
 * The people of the organization in one call: those who listen, and the one who talks in the agent's place. They hear the call 20 ms at a time, and a
 * socket that does not keep up loses what it does not take. Synchronous: the frame path calls it.
 */
import { FRAME_BYTES } from "../../../audio/frames/Frame.ts"
import { FrameRing } from "../../../audio/frames/FrameRing.ts"

/** The most that waits for a listener's socket: beyond it the listener would be too far behind. Frames. */
const mostWaiting = 15

/** The socket of a listener. */
export interface ListenerLine {
  /** Whether it has taken what was sent before. */
  readonly ready: () => boolean
  /** Sends mu-law bytes. The array is reused. */
  readonly send: (audio: Uint8Array) => void
  /** The call is over, or the listener was sent away. */
  readonly close: () => void
}

/** How many frames are sent together: to a socket of this process, and over the bus to one of another. */
export const framesTogether = { here: 2, elsewhere: 5 } as const

// Working memory of one synchronous frame.
const together = new Uint8Array(framesTogether.elsewhere * FRAME_BYTES)

/** One person who listens to a call. */
export class Listener {
  readonly id: string
  readonly line: ListenerLine
  private readonly ring = new FrameRing(mostWaiting)
  private readonly atOnce: number

  /** @param atOnce how many frames are sent together. */
  constructor(id: string, line: ListenerLine, atOnce: number) {
    this.id = id
    this.line = line
    this.atOnce = atOnce
  }

  /** Frames that the listener has lost. */
  get lost(): number {
    return this.ring.lost
  }

  hear(frame: Uint8Array): void {
    this.ring.push(frame)
    while (this.ring.length >= this.atOnce && this.line.ready()) {
      for (let i = 0; i < this.atOnce; i++) this.ring.take(together, i * FRAME_BYTES)
      this.line.send(together.subarray(0, this.atOnce * FRAME_BYTES))
    }
  }
}

export interface CallPeopleOptions {
  /** Somebody listens, or nobody does any more. */
  readonly listened: (on: boolean) => void
  /** A frame of the person who talks with the caller. */
  readonly said: (frame: Uint8Array) => void
}

export class CallPeople {
  private readonly options: CallPeopleOptions
  private readonly listeners = new Map<string, Listener>()
  /** Who has the call, or is about to. */
  private person: string | undefined
  private talking = false
  /** The call says its last words, or is over. */
  closing = false

  constructor(options: CallPeopleOptions) {
    this.options = options
  }

  /** Whether a person has the call, or is about to. */
  get taken(): boolean {
    return this.person !== undefined
  }
  has(listener: string): boolean {
    return this.listeners.has(listener)
  }

  join(listener: Listener): void {
    this.listeners.set(listener.id, listener)
    if (this.listeners.size === 1) this.options.listened(true)
  }
  /** A listener is gone. If they had the call, nothing comes from them any more, which the sound notices. */
  leave(id: string): void {
    if (this.listeners.delete(id) && this.listeners.size === 0) this.options.listened(false)
  }

  /** What both sides hear. The person who talks does not hear their own voice. */
  hear(both: Uint8Array, caller: Uint8Array): void {
    // The sound tells it for a mind that is gone.
    if (this.listeners.size === 0) this.options.listened(false)
    for (const listener of this.listeners.values()) listener.hear(listener.id === this.person ? caller : both)
  }
  /** A frame of a listener's microphone: the caller hears that of the person who has the call. */
  speak(id: string, frame: Uint8Array): void {
    if (this.talking && id === this.person) this.options.said(frame)
  }

  /** The listener will talk with the caller. */
  take(id: string): void {
    this.person = id
  }
  /** The caller hears the person from now on. */
  given(): void {
    this.talking = true
  }
  /** The agent has the call again. */
  released(): void {
    this.person = undefined
    this.talking = false
  }

  /** The call is over. */
  end(): void {
    this.closing = true
    this.released()
    const all = [...this.listeners.values()]
    this.listeners.clear()
    for (const { line } of all) line.close()
  }
}
