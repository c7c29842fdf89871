/**
 * Answers a flush that the provider has nothing to say to. It hears speech by its own rules: when it heard none before a flush, or
 * has transcribed it already, no transcript comes, and the caller of the flush would wait for it in vain.
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

/** `onNothing` is called when no speech was under way at a flush, nor heard of within `waitMs` after it. */
export const makeFlushGuard = (waitMs: number, onNothing: () => void): FlushGuard => {
  let speaking = false
  /** Speech has ended whose transcript has not come. */
  let owed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    stop,
    flushed: () => {
      if (speaking || owed || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        onNothing()
      }, waitMs)
    },
    signalled: (signal) => {
      stop()
      if (signal === "START_SPEECH") speaking = true
      if (signal === "END_SPEECH") {
        owed = speaking
        speaking = false
      }
    },
    transcribed: () => {
      stop()
      owed = false
    }
  }
}
