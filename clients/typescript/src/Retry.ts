/** When a request is sent again, and after how long. */

/** Answers of a moment: the same request may be answered otherwise later. */
const passing = new Set([408, 429, 500, 502, 503, 504])

/** The first wait, in milliseconds; each one is twice as long as the one before. */
const firstWaitMs = 500
/** The longest wait when the service does not say how long, in milliseconds. */
const longestOwnWaitMs = 8_000

/** `Retry-After` in seconds: the header is a number of seconds, or a date. */
export const retryAfterOf = (header: string | null, nowMs = Date.now()): number | undefined => {
  if (header === null || header.trim() === "") return undefined
  if (/^\d+$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000))
}

export interface Outcome {
  /** Of the answer; undefined when none came. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
}

export interface Repetition {
  /** The same request twice does what it does once: by its method, or by its key. */
  readonly safe: boolean
  readonly keyed: boolean
}

/** Whether a request may be sent again after this outcome. */
export const mayRepeat = ({ status, retryAfterSeconds }: Outcome, { safe, keyed }: Repetition): boolean => {
  // Refused before anything was done.
  if (status === 429) return true
  // The first request with the same key is under way.
  if (status === 409) return keyed && retryAfterSeconds !== undefined
  return safe && (status === undefined || passing.has(status))
}

/** How long to wait before the attempt after `attempts` of them, in milliseconds. Clients that failed together come back apart. */
export const waitMs = (attempts: number, retryAfterSeconds: number | undefined, random = Math.random()): number =>
  retryAfterSeconds === undefined
    ? Math.min(longestOwnWaitMs, firstWaitMs * 2 ** (attempts - 1)) * (0.5 + random / 2)
    : retryAfterSeconds * 1000 + random * 250

/** Waits. Rejects with the reason of the signal when that comes first. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })
