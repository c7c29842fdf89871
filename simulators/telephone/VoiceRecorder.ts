/** One `<Record>`: records the caller after the tone until a key, a silence, the longest length, or the end of the call. */
import { CallEnded, type Line } from "./Line.ts"
import { audible, frameBytes, frameMs } from "./Mulaw.ts"

export interface RecordOptions {
  readonly finishOnKey: string
  readonly silenceMs: number
  readonly maxMs: number
}

export interface Recorded {
  /** Mu-law without the silence before and after the words; empty when nothing was said. */
  readonly mulaw: Uint8Array
  /** The key that ended it, `hangup`, or nothing. */
  readonly digits: string
}

export const recordVoice = async (line: Line, options: RecordOptions): Promise<Recorded> => {
  const [begin, beganMs] = [line.said.length, line.nowMs]
  let [first, last] = [-1, -1]
  let digits = ""
  const listen = () => {
    const at = line.said.length - frameBytes
    if (at >= begin && audible(line.said.from(at), 0)) {
      if (first < 0) first = at
      last = line.said.length
    }
    const key = line.events.findLast((event) => event.type === "dtmf" && event.atMs >= beganMs)
    if (key?.type === "dtmf" && options.finishOnKey.includes(key.digit)) digits = key.digit
    const quietMs = line.nowMs - Math.max(beganMs, beganMs + ((last - begin) / frameBytes) * frameMs)
    return digits !== "" || quietMs >= options.silenceMs || line.nowMs - beganMs >= options.maxMs
  }
  try {
    await line.until(listen, "the message ends")
  } catch (cause) {
    if (!(cause instanceof CallEnded)) throw cause
    digits = "hangup"
  }
  return { mulaw: first < 0 ? new Uint8Array(0) : line.said.from(first).slice(0, last - first), digits }
}
