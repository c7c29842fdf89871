/**
 * Sees to it that every flush is answered, once, in order. The provider hears speech by its own rules: when it heard none before a flush,
 * or has transcribed it already, no transcript comes, and the caller of the flush would wait for it in vain. One that has heard speech
 * and then says nothing more is stuck.
 *
 * Of each speech the provider says that it starts, that it ends, and what it was: its transcript, which may be empty. Transcripts come in the
 * order of the speech. The next speech may start before the transcript comes, and the end may be told behind it, or never. Speech that no
 * flush ended may have no transcript at all: a noise that began like speech.
 *
 * Nothing says what it answers, so that is told from the order. Of what was sent and heard, in the order in which it was:
 *
 * - a flush while speech is heard ends that speech, and is answered by its transcript;
 * - a flush behind speech that the provider ended by itself is answered by that transcript, when it is still to come;
 * - a flush in silence is answered by speech that is heard of, and ended, right behind it: its signals were on their way, or the audio was, of
 *   which more was sent than had time to be heard. When the speech is not ended soon, it is what was said next, and there was none before the
 *   flush. If the next flush comes sooner than that, one transcript answers both. Speech that ends late may be either: it answers that flush,
 *   and the next one, too, behind which nothing is heard;
 * - speech that ended by itself and is not written soon has no transcript. The transcript of what ended behind it may have been taken for its
 *   own, and so on from one to the next: the last one of them, which gets none, is not waited for either. Only speech that a flush ended, and
 *   behind which nothing was written, is owed a transcript.
 */
export interface FlushGuard {
  /** So much audio was sent, milliseconds. Before a flush: what is sent faster than it is heard keeps the flush waiting. */
  readonly sent: (ms: number) => void
  /** A flush was sent. */
  readonly flushed: () => void
  /** The provider signalled `START_SPEECH` or `END_SPEECH`. */
  readonly signalled: (signal: string) => void
  /** A transcript came. Passes it on with how many flushes it answers: none when the provider ended the speech by itself. */
  readonly transcribed: (pass: (answers: number) => void) => void
  readonly stop: () => void
}

export interface FlushGuardOptions {
  /** How long after a flush the provider may first speak of the speech before it, ms; longer when it has yet to hear that. */
  readonly nothingMs: number
  /** How long after the end of speech its transcript comes, if it has one, ms. */
  readonly writtenMs: number
  /** A flush that no transcript answers: no speech was heard before it, or none with words. `listens`: it has heard or written speech after it. */
  readonly onNothing: (listens: boolean) => void
  /** How long a transcript that is owed may take when nothing else comes, ms. */
  readonly overdueMs: number
  /** It did not come, nor anything else. */
  readonly onOverdue: () => void
}

/** What is sent at once (a replay, a recording) is heard at least so many times as fast as it was spoken. */
const hearingPace = 4

/** A flush of which is not known yet what answers it. */
interface Flush {
  readonly _tag: "Flush"
  readonly sentMs: number
  /** Until then the provider may tell of speech that ended with it. */
  untilMs: number
  /** Speech was heard of behind it. */
  listens: boolean
}

/** Speech that was heard of, and is not transcribed. */
interface Speech {
  readonly _tag: "Speech"
  endedMs: number | undefined
  /** No flush can have ended it. */
  byItself: boolean
  /** The next flush is answered by its transcript, too. */
  takesNext: boolean
  /** It answers a flush before it, though it may have been said behind that. */
  late: boolean
  /** How many flushes its transcript answers. */
  answers: number
}

export const makeFlushGuard = (options: FlushGuardOptions): FlushGuard => {
  /** In the order in which it was sent or heard of, which is the order of answers. Of speech, only the last may be going on. */
  const awaited: Array<Flush | Speech> = []
  /** When the provider last said something, or had to begin to. */
  let lastMs = 0
  /** When it last wrote a transcript. */
  let writtenAtMs = Number.NEGATIVE_INFINITY
  /** When all that was sent is heard. */
  let heardByMs = 0
  /** What was transcribed last may have been said behind the last flush: one more that nothing is heard behind has its answer. */
  let ahead = false
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

  /** When it is clear that nothing answers what is awaited first; undefined while a transcript is owed. */
  const givenUpAtMs = (it: Flush | Speech): number | undefined => {
    if (it._tag === "Flush") return it.untilMs
    const { endedMs, byItself } = it
    return endedMs !== undefined && (byItself || endedMs < writtenAtMs) ? endedMs + options.writtenMs : undefined
  }
  const giveUpFirst = (listens: boolean) => {
    const it = awaited.shift()
    for (let left = it?._tag === "Speech" ? it.answers : 1; left > 0; left--) options.onNothing(listens)
  }

  /** Says what has no answer any more, and waits for the next one. */
  const settle = (nowMs: number): void => {
    stop()
    for (let first = awaited.at(0); first !== undefined; first = awaited.at(0)) {
      const atMs = givenUpAtMs(first)
      if (atMs === undefined) break
      if (atMs > nowMs) {
        waitUntil(atMs, nowMs, () => settle(atMs))
        return
      }
      giveUpFirst(first._tag === "Flush" ? first.listens : (first.endedMs ?? 0) < writtenAtMs)
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
    const [first] = taken
    speech.late = first._tag === "Flush" && nowMs > first.sentMs + options.nothingMs
    speech.endedMs = nowMs
    speech.answers = taken.length - 1
    speech.byItself = speech.late || !taken.some((it) => isOpen(it, nowMs))
    speech.takesNext = speech.byItself
  }
  const endRunning = (nowMs: number): void => {
    const last = awaited.findLast((it) => it._tag === "Speech")
    if (last !== undefined && last.endedMs === undefined) end(last, nowMs)
  }

  return {
    stop,
    sent: (ms) => {
      heardByMs = Math.max(heardByMs, performance.now()) + ms / hearingPace
    },
    flushed: () => {
      const nowMs = performance.now()
      settle(nowMs)
      if (!someoneWaits()) lastMs = Math.max(nowMs, heardByMs)
      const last = awaited.at(-1)
      if (last?._tag === "Speech" && last.takesNext) {
        last.answers++
        last.takesNext = false
      } else {
        const untilMs = Math.max(nowMs, heardByMs) + options.nothingMs
        awaited.push({ _tag: "Flush", sentMs: nowMs, untilMs, listens: ahead })
        ahead = false
      }
      settle(nowMs)
    },
    signalled: (signal) => {
      const nowMs = performance.now()
      lastMs = Math.max(lastMs, nowMs)
      if (signal === "START_SPEECH" || signal === "END_SPEECH") endRunning(nowMs)
      if (signal === "START_SPEECH") {
        for (const it of awaited) {
          if (it._tag !== "Flush") continue
          it.listens = true
          if (isOpen(it, nowMs)) it.untilMs = Math.max(it.untilMs, nowMs + options.nothingMs)
        }
        awaited.push({ _tag: "Speech", endedMs: undefined, byItself: false, takesNext: false, late: false, answers: 0 })
        ahead = false
      }
      settle(nowMs)
    },
    transcribed: (pass) => {
      const nowMs = performance.now()
      lastMs = Math.max(lastMs, nowMs)
      settle(nowMs)
      const speech = awaited.find((it) => it._tag === "Speech")
      if (speech === undefined) pass(awaited.shift() === undefined ? 0 : 1)
      else {
        if (speech.endedMs === undefined) end(speech, nowMs)
        awaited.splice(awaited.indexOf(speech), 1)
        ahead = speech.late && speech.takesNext
        pass(speech.answers)
      }
      writtenAtMs = nowMs
      settle(nowMs)
    }
  }
}
