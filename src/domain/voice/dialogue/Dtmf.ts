/** Keys that the caller presses, collected until `#` or a pause. One collector per call; touched once per key. */

/** Keys of a telephone; A-D exist on few, but networks send them. */
const key = /^[0-9*#A-D]$/

/** Silence after the last key that ends the input (ms). */
const defaultInterDigitMs = 3_000
/** Longer than any card, account or telephone number. */
const defaultMaxDigits = 32

export class DtmfCollector {
  private readonly interDigitMs: number
  private readonly maxDigits: number
  private digits = ""
  private complete = false
  private lastMs = 0

  constructor(options: { readonly interDigitMs?: number; readonly maxDigits?: number } = {}) {
    this.interDigitMs = options.interDigitMs ?? defaultInterDigitMs
    this.maxDigits = options.maxDigits ?? defaultMaxDigits
  }

  /**
   * Adds one key at `nowMs` (any clock that does not go back). `complete` after `#`: take the input with `due`. Anything that is not a key is
   * `ignored`. Keys after `#` or beyond `maxDigits` are also ignored until the input has been taken, so a machine that presses keys without
   * end gives at most `maxDigits` at a time and cannot delay the end.
   */
  press(digit: string, nowMs: number): "collected" | "complete" | "ignored" {
    if (this.complete || !key.test(digit)) return "ignored"
    if (digit === "#") {
      this.digits += digit
      this.complete = true
      return "complete"
    }
    if (this.digits.length >= this.maxDigits) return "ignored"
    this.digits += digit
    this.lastMs = nowMs
    return "collected"
  }

  /** The input, once, when `#` was pressed or the caller has pressed nothing for `interDigitMs`; otherwise `undefined`. */
  due(nowMs: number): string | undefined {
    return this.complete || nowMs - this.lastMs >= this.interDigitMs ? this.rest() : undefined
  }

  /** The keys not taken yet, once, whether or not the input is complete. For the end of a call, when no more keys can come. */
  rest(): string | undefined {
    if (this.digits === "") return undefined
    const input = this.digits
    this.digits = ""
    this.complete = false
    return input
  }
}

/** What the model and the transcript are told: "pressed 1 2 3 #". */
export const describeKeys = (digits: string): string => `pressed ${[...digits].join(" ")}`
