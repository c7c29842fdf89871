/**
 * Sees to it that every flush is answered, once, in order. The provider hears speech by its own rules: when it heard none before a flush,
 * or has transcribed it already, no transcript comes, and the caller of the flush would wait for it in vain. One that has heard speech
 * and then says nothing more is stuck.
 *
 * Signals do not say what they answer, so that is told from their order. Of what was sent and heard, in the order in which it was:
 *
 * - a flush while speech is heard ends that speech, and is answered by its transcript;
 * - a flush behind speech that the provider ended by itself is answered by that transcript, when it is still to come;
 * - a flush in silence is answered by speech that is heard of, and ended, right behind it: its signals were on their way. When the speech is
 *   not ended soon, it is what was said next, and there was none before the flush. If the next flush comes sooner than that, one
 *   transcript answers both.
 */
export interface FlushGuard {
  /** A flush was sent. */
  readonly flushed: () => void
  /** The provider signalled `START_SPEECH` or `END_SPEECH`. */
  readonly signalled: (signal: string) => void
  /** A transcript came. Passes it on with how many flushes it answers: none when the provider ended the speech by itself. */
  readonly transcribed: (pass: (answers: number) => void) => void
  readonly stop: () => void
}

export interface FlushGuardOptions {
  /** How long after a flush the provider may first speak of the speech before it, ms. */
  readonly nothingMs: number
  /** No speech was under way at a flush, nor heard of within `nothingMs` after it. `listens`: it has heard the speech after it. */
  readonly onNothing: (listens: boolean) => void
  /** How long after a flush the transcript of speech that the provider has heard may come, ms. */
  readonly overdueMs: number
  /** It did not come, nor anything else. */
  readonly onOverdue: () => void
}

/** A flush of which is not known yet what answers it. */
interface Flush {
  readonly _tag: "Flush"
  /** Until then the provider may tell of speech that ended with it. */
  untilMs: number
  /** Speech was heard of behind it. */
  listens: boolean
}

/** Speech that was heard of, and is not transcribed. */
interface Speech {
  readonly _tag: "Speech"
  ended: boolean
  /** No flush can have ended it: the next one is answered by its transcript, too. */
  byItself: boolean
  /** How many flushes its transcript answers. */
  answers: number
}

export const makeFlushGuard = (options: FlushGuardOptions): FlushGuard => {
  /** In the order in which it was sent or heard of, which is the order of answers. Of speech, only the last may be going on. */
  const awaited: Array<Flush | Speech> = []
  /** When the provider last said something, or had to begin to. */
  let lastMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const waitUntil = (atMs: number, nowMs: number, then: () => void) => {
    timer = setTimeout(() => {
      timer = undefined
      then()
    }, atMs - nowMs)
  }
  const someoneWaits = () => awaited.some((it) => it._tag === "Flush" || it.answers > 0)

  /** Says what has no answer any more, and waits for the next one. */
  const settle = (nowMs: number): void => {
    stop()
    for (let first = awaited[0]; first?._tag === "Flush"; first = awaited[0]) {
      const { untilMs, listens } = first
      if (untilMs > nowMs) {
        waitUntil(untilMs, nowMs, () => settle(untilMs))
        return
      }
      awaited.shift()
      options.onNothing(listens)
    }
    if (someoneWaits()) waitUntil(lastMs + options.overdueMs, nowMs, options.onOverdue)
  }

  const isOpen = (it: Flush | Speech | undefined, nowMs: number) => it?._tag === "Flush" && it.untilMs >= nowMs

  /** Speech answers the flushes right before it, and those in it up to the one that ended it. */
  const end = (speech: Speech, nowMs: number): void => {
    const at = awaited.indexOf(speech)
    let from = at
    while (isOpen(awaited[from - 1], nowMs)) from--
    let to = at + 1
    for (let open = false; !open && awaited[to]?._tag === "Flush"; to++) open = isOpen(awaited[to], nowMs)
    const taken = awaited.splice(from, to - from, speech)
    speech.ended = true
    speech.answers = taken.length - 1
    speech.byItself = !taken.some((it) => isOpen(it, nowMs))
  }
  const endRunning = (nowMs: number): void => {
    const last = awaited.findLast((it) => it._tag === "Speech")
    if (last !== undefined && !last.ended) end(last, nowMs)
  }

  return {
    stop,
    flushed: () => {
      const nowMs = performance.now()
      if (!someoneWaits()) lastMs = nowMs
      const last = awaited.at(-1)
      if (last?._tag === "Speech" && last.byItself) {
        last.answers++
        last.byItself = false
      } else awaited.push({ _tag: "Flush", untilMs: nowMs + options.nothingMs, listens: false })
      settle(nowMs)
    },
    signalled: (signal) => {
      const nowMs = performance.now()
      lastMs = nowMs
      if (signal === "START_SPEECH" || signal === "END_SPEECH") endRunning(nowMs)
      if (signal === "START_SPEECH") {
        for (const it of awaited) {
          if (it._tag !== "Flush" || it.untilMs < nowMs) continue
          it.untilMs = nowMs + options.nothingMs
          it.listens = true
        }
        awaited.push({ _tag: "Speech", ended: false, byItself: false, answers: 0 })
      }
      settle(nowMs)
    },
    transcribed: (pass) => {
      const nowMs = performance.now()
      lastMs = nowMs
      settle(nowMs)
      const speech = awaited.find((it) => it._tag === "Speech")
      if (speech === undefined) pass(awaited.shift() === undefined ? 0 : 1)
      else {
        if (!speech.ended) end(speech, nowMs)
        awaited.splice(awaited.indexOf(speech), 1)
        pass(speech.answers)
      }
      settle(nowMs)
    }
  }
}
