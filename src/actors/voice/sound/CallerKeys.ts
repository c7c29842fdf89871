/** The input that a caller makes with the keys of the telephone: when it began, and what was pressed. */
import { DtmfCollector, describeKeys } from "../../../domain/voice/dialogue/Dtmf.ts"

export interface KeyInput {
  /** What the model and the transcript are told. */
  readonly text: string
  /** When the first key was pressed, in milliseconds of the call. */
  readonly startMs: number
}

export class CallerKeys {
  private readonly keys = new DtmfCollector()
  private startMs = -1

  /** Whether an input has begun and was not taken. */
  get pending(): boolean {
    return this.startMs >= 0
  }

  /** Takes a key. `now`: monotonic milliseconds; `elapsedMs`: milliseconds of the call. `first`: it begins an input. */
  press(digit: string, now: number, elapsedMs: number): "first" | "next" | "ignored" {
    if (this.keys.press(digit, now) === "ignored") return "ignored"
    if (this.pending) return "next"
    this.startMs = elapsedMs
    return "first"
  }

  /** The input, once, when it is over: after `#`, or when no more keys have come. */
  due(now: number): KeyInput | undefined {
    return this.taken(this.keys.due(now))
  }

  /** The input so far, once, for the end of a call. */
  rest(): KeyInput | undefined {
    return this.taken(this.keys.rest())
  }

  private taken(digits: string | undefined): KeyInput | undefined {
    if (digits === undefined) return undefined
    const { startMs } = this
    this.startMs = -1
    return { text: describeKeys(digits), startMs }
  }
}
