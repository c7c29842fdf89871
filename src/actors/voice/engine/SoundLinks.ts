/**
 * The engine's links to the processes that hold the sound of calls (`parley media`), on this machine or on others. A reservation is told to each of them, since the
 * stream may come to any; the one that gets it claims the call here. A link that is lost is opened again. `LostCalls` says what becomes of its calls.
 */
import { byEventLoop } from "../sound/link/LinkEnd.ts"
import { MindEnd, type MindEndOptions } from "../sound/link/MindEnd.ts"
import { closedAfterMs, type Pipe, type PipeListener, stallsAfterMs } from "../sound/link/Pipe.ts"
import type { Reserve } from "../sound/link/SoundProtocol.ts"

type Warn = (sentence: string, fields: Readonly<Record<string, unknown>>) => void

/** A process with the sound. */
export interface SoundAddress {
  /** Its socket, or its host and port: no other has the same. */
  readonly name: string
  /** It is on another machine, with a clock and a disk of its own. */
  readonly isRemote: boolean
  /** Connects, again and again until the returned function is called. `warn` hears why it fails. */
  readonly keepConnected: (opened: (pipe: Pipe) => PipeListener, warn: Warn) => () => void
}

/** The sound reports each second; a report may be late by as long as a link may stall. */
const silentAfterMs = 1_000 + stallsAfterMs

export interface SoundLinksOptions {
  readonly sounds: ReadonlyArray<SoundAddress>
  /** Names this process. */
  readonly id: string
  readonly now: () => number
  /** A stream has come: makes the mind of its call. */
  readonly claimed: MindEndOptions["claimed"]
  /** A call whose engine is gone comes here. */
  readonly taken: NonNullable<MindEndOptions["taken"]>
  /** A link was opened: the calls that the sound behind it has, of all engines. */
  readonly held: (sound: string, calls: ReadonlySet<string>) => void
  /** This recording is complete. */
  readonly recorded: (file: string) => void
  readonly warn: Warn
}

interface Link {
  /** The name of the process with the sound. */
  readonly sound: string
  readonly end: MindEnd
  readonly pipe: Pipe
  heardAt: number
  lateMs: number
}

export class SoundLinks {
  private readonly options: SoundLinksOptions
  private readonly links = new Set<Link>()
  private readonly reserved = new Map<string, { readonly reserve: Reserve; readonly untilMs: number }>()
  private readonly disconnects: ReadonlyArray<() => void>
  private accepts = false

  constructor(options: SoundLinksOptions) {
    this.options = options
    this.disconnects = options.sounds.map((sound) =>
      sound.keepConnected((pipe) => this.opened(sound, pipe), options.warn)
    )
  }

  /** Whether calls may be taken: a link is there, and none stalls. */
  get open(): boolean {
    return this.links.size > 0 && ![...this.links].some((link) => this.stalls(link))
  }
  /** How late the sound was in the last second on average, where it was latest. Milliseconds. */
  get lateMs(): number {
    return Math.max(0, ...[...this.links].map(({ lateMs }) => lateMs))
  }
  /** The reservation, until it is cancelled. */
  reservation(callId: string): Reserve | undefined {
    return this.reserved.get(callId)?.reserve
  }

  reserve(reserve: Reserve): void {
    this.reserved.set(reserve.callId, { reserve, untilMs: this.options.now() + reserve.goodForMs })
    // The provider is answered next, and its stream must not come first.
    for (const { end } of this.links) end.noticeNow(reserve)
  }
  /** The stream has come, or must not come any more. */
  cancel(callId: string): void {
    if (!this.reserved.delete(callId)) return
    for (const { end } of this.links) end.notice({ _tag: "Cancel", callId })
  }

  /** From now on calls whose engine is gone may come here. */
  accept(): void {
    this.accepts = true
    for (const { end } of this.links) end.notice({ _tag: "Attach" })
  }

  /** Gives up links whose other end has been silent for long. Call it each second. */
  check(): void {
    for (const link of this.links)
      if (this.options.now() - link.heardAt > closedAfterMs || link.end.unansweredMs > closedAfterMs)
        this.broken(link, "it has been silent for too long")
  }

  close(): void {
    for (const disconnect of this.disconnects) disconnect()
    for (const link of [...this.links]) this.lost(link)
  }

  private stalls({ heardAt, end }: Link): boolean {
    return this.options.now() - heardAt > silentAfterMs || end.unansweredMs > stallsAfterMs
  }

  private opened({ name: sound, isRemote }: SoundAddress, pipe: Pipe): PipeListener {
    const { id, now, claimed, taken, held, recorded } = this.options
    const end = new MindEnd({
      id,
      isRemote,
      now,
      claimed,
      taken,
      ...byEventLoop,
      write: (batch) => pipe.write(batch),
      onNotice: (message) => {
        if (message._tag === "Status") {
          link.heardAt = now()
          link.lateMs = message.lateMs
        }
        if (message._tag === "Recorded") recorded(message.file)
        if (message._tag !== "Held") return
        held(sound, new Set(message.calls))
        // Only now: what this engine has lost itself is settled.
        if (this.accepts) end.notice({ _tag: "Attach" })
      }
    })
    const link: Link = { sound, end, pipe, heardAt: now(), lateMs: 0 }
    this.links.add(link)
    for (const [callId, { reserve, untilMs }] of this.reserved) {
      const goodForMs = untilMs - now()
      if (goodForMs > 0) end.notice({ ...reserve, goodForMs })
      else this.reserved.delete(callId)
    }
    return {
      receive: (bytes) => {
        try {
          end.receive(bytes)
        } catch (error) {
          this.broken(link, String(error))
        }
      },
      drained: () => end.drained(),
      closed: () => {
        if (this.lost(link)) this.options.warn("the link to the sound is lost", { sound })
      }
    }
  }

  private broken(link: Link, reason: string): void {
    this.options.warn("the link to the sound is ended", { reason })
    link.pipe.close()
    this.lost(link)
  }
  /** False when that was known. */
  private lost(link: Link): boolean {
    if (!this.links.delete(link)) return false
    link.end.lost(link.sound)
    return true
  }
}
