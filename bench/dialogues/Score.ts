/**
 * Judges a played dialogue. What the caller heard decides whether a turn was cut short, answered late or never, and whether the
 * agent stopped; what the model was told decides whether the whole turn was answered, and once.
 */
import { type Answer, endOf, type Happening, type ObservedCall, type Span, startOf } from "./Observed.ts"

/** Longest wait for the rest of a turn that an agent may be set to (its default). */
const maxSilenceMs = 2_500
/** And then the answer needs its transcript, its model, its speech, and a machine that is busy. */
const answerWithinMs = 800
export const latestAnswerMs = maxSilenceMs + answerWithinMs
/** An interrupted agent is silent within this: minimum speech, decision, network, and some grace for soft first sounds. */
export const stopWithinMs = 1_000
/** How long it must then stay silent at least, if the caller's words are shorter. */
const staySilentMs = 400
/** Sound after at least this much quiet is a new utterance of the agent; pauses between its clauses are shorter. */
const onsetGapMs = 300
/** Both began at once: neither answered the other. */
const collisionMs = 200
/** An answer counts as said to its end when this share of it sounded. Speech that was resumed sounds a little different. */
const toTheEnd = 0.8
const frameMs = 20

export interface TurnVerdict {
  readonly _tag: "Turn"
  readonly text: string
  /** The agent began to speak in the middle of the turn, or answered a piece of it. */
  readonly early: boolean
  readonly late: boolean
  readonly twice: boolean
  readonly stuck: boolean
  /** Answered, but with words missing. */
  readonly incomplete: boolean
  /** The agent did not say the answer to its end though the caller was silent; null when the caller was not. */
  readonly cut: boolean | null
  /** From the end of the turn to the answer. */
  readonly answerMs: number | null
}

export interface InterruptionVerdict {
  readonly _tag: "Interruption"
  readonly missed: boolean
}

export interface DisturbanceVerdict {
  readonly _tag: "Disturbance"
  /** The agent stopped for good, or answered a noise. */
  readonly false: boolean
  /** The agent paused, and went on. */
  readonly resumed: boolean
}

export interface QuietVerdict {
  readonly _tag: "Quiet"
  /** The agent did not ask whether the caller is there. */
  readonly stuck: boolean
}

export type Verdict = TurnVerdict | InterruptionVerdict | DisturbanceVerdict | QuietVerdict

const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Share of the words of `text` that are in `said`, each as often as it is said. */
const shareSaid = (text: string, said: string): number => {
  const wanted = words(text)
  const there = [...words(said)]
  const found = wanted.filter((word) => {
    const at = there.indexOf(word)
    if (at >= 0) there.splice(at, 1)
    return at >= 0
  })
  return wanted.length === 0 ? 1 : found.length / wanted.length
}

const enough = 0.5
const contains = (answer: Answer, text: string): boolean => shareSaid(text, answer.said) >= enough

/** When the agent began to speak, each time. */
const onsets = (audible: ReadonlyArray<boolean>): ReadonlyArray<number> => {
  const found: Array<number> = []
  let quiet = Number.POSITIVE_INFINITY
  audible.forEach((sounds, frame) => {
    if (sounds && quiet * frameMs >= onsetGapMs) found.push(frame * frameMs)
    quiet = sounds ? 0 : quiet + 1
  })
  return found
}

const audibleMs = (audible: ReadonlyArray<boolean>, { startMs, endMs }: Span): number =>
  audible.slice(Math.ceil(startMs / frameMs), Math.floor(endMs / frameMs)).filter(Boolean).length * frameMs

type Turn = Extract<Happening, { readonly _tag: "Turn" }>

const textOf = (turn: Turn): string => turn.parts.map(({ text }) => text).join(" ")

export const score = (call: ObservedCall): ReadonlyArray<Verdict> => {
  const { happenings, audible } = call
  const starts = onsets(audible)
  const heard = call.answers.filter((answer) => answer.heard)
  const nextStart = (index: number) =>
    happenings[index + 1] === undefined ? audible.length * frameMs : startOf(happenings[index + 1])

  /** The turn whose end an answer is to: of those begun before it the one it holds most of, the latest of equals. */
  const turnOf = (answer: Answer): Turn | undefined => {
    let [best, most] = [undefined as Turn | undefined, enough]
    for (const happening of happenings) {
      if (happening._tag !== "Turn" || startOf(happening) > answer.atMs) continue
      const share = shareSaid(happening.parts[happening.parts.length - 1].text, answer.said)
      if (share >= most) [best, most] = [happening, share]
    }
    return best
  }

  /** Whether the caller stays silent until the agent has finished. */
  const undisturbed = (index: number): boolean => {
    const next = happenings[index + 1]
    return next === undefined || (next._tag === "Turn" ? !next.interrupts : next._tag === "Quiet" || !next.over)
  }

  const judgeTurn = (turn: Turn, index: number): TurnVerdict => {
    const [first, last] = [turn.parts[0], turn.parts[turn.parts.length - 1]]
    const from = turn.interrupts ? first.endMs : first.startMs + collisionMs
    const begun = starts.find((at) => at > last.endMs && at < nextStart(index))
    const answering = heard.filter((answer) => answer.atMs >= first.startMs && contains(answer, last.text))
    const said = answering.map((answer) => answer.said).join(" ")
    const pieceOnly = answering.length > 0 && turn.parts.some((part) => shareSaid(part.text, said) < enough)
    const latest = answering[answering.length - 1]
    const early = starts.some((at) => at > from && at < last.endMs) || (turn.intelligible && pieceOnly)
    return {
      _tag: "Turn",
      text: textOf(turn),
      early,
      late: begun !== undefined && !early && begun - last.endMs > latestAnswerMs,
      twice: heard.filter((answer) => turnOf(answer) === turn).length > 1,
      stuck: turn.intelligible && answering.length === 0,
      incomplete: answering.length > 0 && shareSaid(textOf(turn), said) < 1,
      cut:
        latest === undefined || early || !undisturbed(index)
          ? null
          : audibleMs(audible, { startMs: last.endMs, endMs: nextStart(index) }) < toTheEnd * latest.soundsMs,
      answerMs: begun === undefined || early ? null : begun - last.endMs
    }
  }

  const judgeInterruption = (turn: Turn): InterruptionVerdict => {
    const startMs = turn.parts[0].startMs + stopWithinMs
    const endMs = Math.max(turn.parts[0].endMs, startMs + staySilentMs)
    // The end of the window may be the answer to a short interruption already.
    const begun = starts.find((at) => at > startMs && at < endMs) ?? endMs
    return { _tag: "Interruption", missed: audibleMs(audible, { startMs, endMs: begun }) > 2 * frameMs }
  }

  const noTurns = (answer: Answer): boolean =>
    !happenings.some((it) => it._tag === "Turn" && it.parts.some(({ text }) => contains(answer, text)))

  const judgeDisturbance = (
    { span, over }: Extract<Happening, { readonly _tag: "Disturbance" }>,
    index: number
  ): DisturbanceVerdict => {
    const endMs = nextStart(index)
    const answered = heard.some((answer) => answer.atMs > span.startMs && answer.atMs < endMs && noTurns(answer))
    const spoken = starts.some((at) => at > span.startMs && at < span.endMs + latestAnswerMs && at < endMs)
    if (!over) return { _tag: "Disturbance", false: answered || spoken, resumed: false }
    const turn = happenings[index - 1]
    const startMs = turn === undefined ? 0 : endOf(turn)
    const disturbed = heard.findLast(({ atMs }) => atMs < span.startMs)
    const complete = disturbed !== undefined && audibleMs(audible, { startMs, endMs }) >= toTheEnd * disturbed.soundsMs
    const wrong = answered || !complete
    const cleared = call.clearsMs.some((at) => at >= span.startMs && at < span.endMs + stopWithinMs)
    return { _tag: "Disturbance", false: wrong, resumed: !wrong && cleared }
  }

  const judge = (happening: Happening, index: number): ReadonlyArray<Verdict> => {
    switch (happening._tag) {
      case "Turn": {
        const verdict = judgeTurn(happening, index)
        return happening.interrupts ? [verdict, judgeInterruption(happening)] : [verdict]
      }
      case "Disturbance":
        return [judgeDisturbance(happening, index)]
      case "Quiet":
        return [{ _tag: "Quiet", stuck: audibleMs(audible, happening.span) === 0 }]
    }
  }
  return happenings.flatMap(judge)
}
