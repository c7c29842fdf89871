/**
 * Makes sure that every flush is answered once, in order. The provider detects speech by its own rules. When it heard none before a flush, or has
 * already transcribed it, no transcript comes, and the caller of the flush would wait in vain. A provider that has heard speech and then sends
 * nothing more is stuck.
 *
 * For each speech the provider signals its start and its end, and sends its transcript, which may be empty. Transcripts come in the order of the
 * speech. The next speech may start before the transcript comes. The end may be signalled after the transcript, or never. Speech that was not ended
 * by a flush may have no transcript at all: it was noise that began like speech.
 *
 * A transcript does not say which flush it answers, so the order of flushes and signals decides:
 *
 * - A flush during speech ends that speech, and the transcript of the speech answers it.
 * - A flush after speech that the provider ended by itself is answered by the transcript of that speech, if it has not come yet.
 * - A flush in silence is answered by speech that is signalled and ended right after it: its signals were still on their way, or the provider had
 *   not heard all audio yet. Speech that does not end soon was said after the flush, and there was none before it. If the next flush comes before
 *   that is clear, one transcript answers both. Speech that ends late may be either: it answers that flush, and also the next flush that no speech
 *   follows.
 * - Speech that ended by itself and gets no transcript soon has none. It may have been given the transcript of the speech after it, and so on from
 *   one to the next; the last of them, which is left without one, is not waited for either. Only speech that a flush ended, and after which no
 *   transcript came, is owed a transcript.
 */
export interface FlushGuard {
  /** This much audio was sent, in milliseconds. Call it before `flushed`: audio that is sent faster than it is heard delays the flush. */
  readonly sent: (ms: number) => void
  /** A flush was sent. */
  readonly flushed: () => void
  /** The provider signalled `START_SPEECH` or `END_SPEECH`. */
  readonly signalled: (signal: string) => void
  /** A transcript came. Calls `pass` with the number of flushes it answers: 0 when the provider ended the speech by itself. */
  readonly transcribed: (pass: (answers: number) => void) => void
  readonly stop: () => void
}

export interface FlushGuardOptions {
  /** How long after a flush the provider may first show that it heard speech before it, ms; longer while it has not heard all audio. */
  readonly nothingMs: () => number
  /** How long after the end of speech its transcript comes at the latest, if it has one, ms. */
  readonly writtenMs: number
  /** No transcript answers a flush: there was no speech before it, or none with words. `listens`: the provider heard or transcribed later speech. */
  readonly onNothing: (listens: boolean) => void
  /** How long an owed transcript may take when nothing else comes, ms. */
  readonly overdueMs: number
  /** The owed transcript did not come, nor anything else. */
  readonly onOverdue: () => void
}

/** The provider hears audio that is sent at once (a replay, a recording) at least this many times as fast as it was spoken. */
const hearingPace = 4

/** A flush whose answer is not known yet. */
interface Flush {
  readonly _tag: "Flush"
  readonly sentMs: number
  /** Until then the provider may signal speech that ended with the flush. */
  untilMs: number
  /** Speech was signalled after it. */
  listens: boolean
}

/** Speech that was signalled and has no transcript yet. */
interface Speech {
  readonly _tag: "Speech"
  endedMs: number | undefined
  /** No flush can have ended it. */
  byItself: boolean
  /** Its transcript answers the next flush, too. */
  takesNext: boolean
  /** It answers a flush before it, though it may have been said after that flush. */
  late: boolean
  /** How many flushes its transcript answers. */
  answers: number
}

export const makeFlushGuard = (options: FlushGuardOptions): FlushGuard => {
  /** Flushes and speech in the order in which they were sent or signalled, which is the order of answers. Only the last speech may be running. */
  const awaited: Array<Flush | Speech> = []
  /** When the provider last sent something, or when it was due to begin. */
  let lastMs = 0
  /** When the last transcript came. */
  let writtenAtMs = Number.NEGATIVE_INFINITY
  /** When the provider has heard all audio that was sent. */
  let heardByMs = 0
  /** The last transcript may be of speech after the last flush: then one more flush that no speech follows already has its answer. */
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

  /** When it is clear that `it` gets no answer; undefined while a transcript is owed. */
  const givenUpAtMs = (it: Flush | Speech): number | undefined => {
    if (it._tag === "Flush") return it.untilMs
    const { endedMs, byItself } = it
    return endedMs !== undefined && (byItself || endedMs < writtenAtMs) ? endedMs + options.writtenMs : undefined
  }
  const giveUpFirst = (listens: boolean) => {
    const it = awaited.shift()
    for (let left = it?._tag === "Speech" ? it.answers : 1; left > 0; left--) options.onNothing(listens)
  }

  /** Gives up entries that get no answer any more, and sets the timer for the next one. */
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

  /** Ends speech. It answers the open flushes right before it, and those during it up to the one that ended it. */
  const end = (speech: Speech, nowMs: number): void => {
    const at = awaited.indexOf(speech)
    let from = at
    while (isOpen(awaited[from - 1], nowMs)) from--
    let to = at + 1
    for (let open = false; !open && awaited[to]?._tag === "Flush"; to++) open = isOpen(awaited[to], nowMs)
    const taken = awaited.splice(from, to - from, speech)
    const [first] = taken
    speech.late = first._tag === "Flush" && nowMs > first.sentMs + options.nothingMs()
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
        const untilMs = Math.max(nowMs, heardByMs) + options.nothingMs()
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
          if (isOpen(it, nowMs)) it.untilMs = Math.max(it.untilMs, nowMs + options.nothingMs())
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
