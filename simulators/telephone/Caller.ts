/** What a scripted caller can do. Every wait rejects with `CallEnded` when the call ends; a script does not need to catch it. */
import type { Line } from "./Line.ts"
import { frameMs } from "./Mulaw.ts"

export interface CallerApi {
  /** Speaks 8 kHz samples or mu-law bytes after the speech under way. Resolves when they are spoken. */
  readonly say: (speech: Int16Array | Uint8Array) => Promise<void>
  /** Mu-law heard since the call was answered. */
  readonly hear: () => Uint8Array
  /** Resolves when the agent is next heard. */
  readonly waitForAgentToSpeak: (timeoutMs?: number) => Promise<void>
  /** Resolves when the agent has spoken since the caller last did, and has then been quiet for `quietMs` (700 by default). */
  readonly waitForAgentToFinish: (quietMs?: number, timeoutMs?: number) => Promise<void>
  /** Resolves when the tone before a recording has been heard. */
  readonly waitForTone: (timeoutMs?: number) => Promise<void>
  /** Stays silent (time of the line, 20 ms steps). */
  readonly sleep: (ms: number) => Promise<void>
  /** Presses keys, 100 ms apart. */
  readonly press: (digits: string) => Promise<void>
  readonly hangUp: () => void
  /** Breaks the media socket without a close frame. The call itself goes on as its TwiML says. */
  readonly dropSocket: () => void
  /** Milliseconds since the call was answered. */
  readonly now: () => number
  readonly callSid: string
}

/** When the script returns, the caller stays on the line in silence: hang up explicitly. Throwing makes `call` reject. */
export type CallerScript = (caller: CallerApi) => Promise<void>

export const callerApi = (line: Line, callSid: string, hangUp: () => void): CallerApi => {
  const sleep = (ms: number) => {
    const until = line.nowMs + ms
    return line.until(() => line.nowMs >= until, "sleep")
  }
  return {
    callSid,
    sleep,
    hangUp,
    say: (speech) => line.say(speech),
    hear: () => line.heard.copy(),
    now: () => line.nowMs,
    dropSocket: () => line.stream?.drop(),
    waitForAgentToSpeak: (timeoutMs) => {
      const since = line.nowMs
      return line.until(() => line.voice.lastAudibleMs > since, "the agent speaks", timeoutMs)
    },
    waitForAgentToFinish: (quietMs = 700, timeoutMs) =>
      line.until(
        () => line.voice.lastAudibleMs > line.lastSaidMs && line.nowMs - line.voice.lastAudibleMs >= quietMs,
        "the agent finishes",
        timeoutMs
      ),
    waitForTone: (timeoutMs) =>
      line.until(() => line.events.some(({ type }) => type === "recordingStarted"), "the tone", timeoutMs),
    press: async (digits) => {
      for (const digit of digits) {
        line.record({ type: "dtmf", atMs: line.nowMs, digit })
        line.stream?.dtmf(digit)
        await sleep(100 - (100 % frameMs))
      }
    }
  }
}
