/** The current media stream of a call, if any, and the counts over all its streams. */
import type { Exchange } from "./CallResult.ts"
import type { Line } from "./Line.ts"
import { MediaStream, type MediaTap } from "./MediaStream.ts"
import type { PlayoutCounts } from "./PlayoutBuffer.ts"
import type { Account } from "./provider/Account.ts"
import type { Element } from "./Twiml.ts"

const mostWarnings = 100

export class StreamLeg {
  readonly frames: PlayoutCounts = { sent: 0, wrongSize: 0, late: 0, gaps: 0 }
  readonly #line: Line
  readonly #exchange: Exchange
  readonly #callSid: string
  readonly #account: Account
  readonly #frameBytes: number
  readonly #warnings: Array<string>
  readonly #tap: MediaTap | undefined

  constructor(
    line: Line,
    exchange: Exchange,
    callSid: string,
    account: Account,
    frameBytes: number,
    warnings: Array<string>,
    tap?: MediaTap
  ) {
    this.#line = line
    this.#exchange = exchange
    this.#callSid = callSid
    this.#account = account
    this.#frameBytes = frameBytes
    this.#warnings = warnings
    this.#tap = tap
  }

  /**
   * Dials `url` as `element` (a `<Stream>`) says. Resolves when the stream is open, with the promise of its end. A stream that is no longer `wanted`
   * by then, because the call went on elsewhere, is closed and never put on the line.
   */
  async open(url: string, element: Element, wanted: () => boolean): Promise<{ readonly end: Promise<void> }> {
    let finish = () => {}
    const end = new Promise<void>((resolve) => {
      finish = resolve
    })
    const named = element.children.filter(({ name }) => name === "Parameter")
    const stream: MediaStream = await MediaStream.open({
      url,
      address: this.#exchange.dial(url),
      accountSid: this.#account.accountSid,
      authToken: this.#account.authToken,
      callSid: this.#callSid,
      parameters: Object.fromEntries(named.map(({ attributes }) => [attributes.name, attributes.value])),
      frameBytes: this.#frameBytes,
      faults: this.#exchange.faults,
      tap: this.#tap,
      onMark: (name, echoed) =>
        this.#line.record({ type: echoed ? "markEchoed" : "mark", atMs: this.#line.nowMs, name }),
      onClear: (droppedMs) => {
        this.#line.record({ type: "clear", atMs: this.#line.nowMs, droppedMs })
        this.#line.voice.end()
      },
      onWarning: (text) => {
        if (this.#warnings.length < mostWarnings) this.#warnings.push(text)
      },
      onStopped: (by) => {
        this.#stopped(stream, by)
        finish()
      }
    })
    if (wanted()) {
      this.#line.stream = stream
      this.#line.record({ type: "streamStarted", atMs: this.#line.nowMs, streamSid: stream.streamSid })
    } else stream.stop()
    return { end }
  }

  /** Sends `stop` and takes the stream off the line. */
  leave(): void {
    const stream = this.#line.stream
    if (stream === undefined) return
    stream.stop()
    this.#stopped(stream, "line")
  }

  #stopped(stream: MediaStream, by: "line" | "engine"): void {
    if (this.#line.stream !== stream) return
    this.#line.stream = undefined
    for (const key of ["sent", "wrongSize", "late", "gaps"] as const) this.frames[key] += stream.playout.counts[key]
    this.#line.voice.end()
    this.#line.record({ type: "streamStopped", atMs: this.#line.nowMs, streamSid: stream.streamSid, by })
  }
}
