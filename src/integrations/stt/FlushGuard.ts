/**
 * Sees to it that every flush is answered. The provider hears speech by its own rules: when it heard none before a flush, or has
 * transcribed it already, no transcript comes, and the caller of the flush would wait for it in vain. One that has heard speech
 * and then says nothing more is stuck.
 */
export interface FlushGuard {
  /** A flush was sent. */
  readonly flushed: () => void
  /** The provider signalled `START_SPEECH` or `END_SPEECH`. */
  readonly signalled: (signal: string) => void
  /** A transcript came. */
  readonly transcribed: () => void
  readonly stop: () => void
}

export interface FlushGuardOptions {
  /** How long after a flush the provider may first speak of the speech before it, ms. */
  readonly nothingMs: number
  /** No speech was under way at a flush, nor heard of within `nothingMs` after it. */
  readonly onNothing: () => void
  /** How long after a flush the transcript of speech that the provider has heard may come, ms. */
  readonly overdueMs: number
  /** It did not come, nor anything else. */
  readonly onOverdue: () => void
}

export const makeFlushGuard = (options: FlushGuardOptions): FlushGuard => {
  let speaking = false
  /** Speech has ended whose transcript has not come. */
  let owed = false
  /** Flushed once more while an answer was awaited: that flush has its own. `owedNext`: speech before it has ended as well. */
  let flushedNext = false
  let owedNext = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const wait = (ms: number, then: () => void) => {
    timer = setTimeout(() => {
      timer = undefined
      then()
    }, ms)
  }
  const awaitAnswer = () => {
    if (speaking || owed) return wait(options.overdueMs, options.onOverdue)
    wait(options.nothingMs, () => {
      options.onNothing()
      awaitNext()
    })
  }
  const awaitNext = () => {
    if (flushedNext) awaitAnswer()
    flushedNext = false
  }
  return {
    stop,
    flushed: () => {
      if (timer === undefined) awaitAnswer()
      else flushedNext = true
    },
    signalled: (signal) => {
      const awaited = timer !== undefined
      stop()
      if (signal === "START_SPEECH") speaking = true
      if (signal === "END_SPEECH") {
        owedNext = owed && speaking && awaited
        owed = owed || speaking
        speaking = false
      }
      if (awaited && (speaking || owed)) wait(options.overdueMs, options.onOverdue)
    },
    transcribed: () => {
      stop()
      owed = owedNext
      owedNext = false
      awaitNext()
    }
  }
}
