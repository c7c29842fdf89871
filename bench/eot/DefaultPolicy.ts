/**
 * The service's own policy on a turn: the real `CallAudio` (framing, voice activity, turn, rules) and the real reducer of a call, without fibers. The
 * clock is that of the media, so the result is the same each time. Speech-to-text knows a word 500 ms after its end, as in the sweep.
 */
import { CallAudio } from "../../src/actors/voice/sound/CallAudio.ts"
import { encode } from "../../src/audio/frames/Mulaw.ts"
import { type CallAction, type CallInput, initialCall, step } from "../../src/domain/voice/dialogue/Call.ts"
import type { AgentConfig } from "../../src/domain/voice/engine/AgentConfig.ts"
import { callsFinished, type Judge } from "./Judge.ts"
import { FRAME_MS, transcriptLagMs } from "./Spans.ts"
import { type SpokenTurn, saidUntil } from "./TurnSet.ts"

const FRAME = 160

export interface Variant {
  readonly name: string
  /** Undefined: the words alone (`endpointing.semantic: "off"`). */
  readonly judge: Judge | undefined
  /** From the request to the mark, ms. */
  readonly modelMs: number
}

/** What is done later, in order of time. */
interface Due {
  readonly atMs: number
  readonly run: () => void
}

/** When the agent would have begun to answer, ms from the beginning of the recording. After each time the caller goes on, it begins anew. */
export const answersTo = (
  turn: SpokenTurn,
  line: Int16Array,
  agent: AgentConfig,
  { judge, modelMs }: Variant
): { readonly answersMs: ReadonlyArray<number>; readonly requests: number } => {
  const { semantic: _, ...bounds } = agent.endpointing
  const config: AgentConfig = { ...agent, endpointing: { ...bounds, semantic: judge === undefined ? "off" : "auto" } }
  let nowMs = 0
  let due: Array<Due> = []
  const later = (atMs: number, run: () => void) => due.push({ atMs, run })
  const mailbox: Array<CallInput> = []
  let delivered = 0
  let requests = 0
  /** An answer that may be heard, unless its mark takes it back: since when. */
  let answer: { readonly turn: number; readonly sinceMs: number; readonly untilMs: number } | undefined
  const answersMs: Array<number> = []

  const session = new CallAudio({
    streamSid: "MZ1",
    line: { send: () => undefined, close: () => undefined },
    agent: config,
    now: () => nowMs,
    tell: (event) => {
      if (
        event._tag === "TurnLikely" ||
        event._tag === "TurnEnded" ||
        event._tag === "TurnLost" ||
        event._tag === "WaitOver"
      )
        mailbox.push(event)
    },
    sink: {
      hear: () => undefined,
      pause: () => {
        const pausedMs = nowMs
        const words = turn.words.filter(({ endMs }) => endMs <= pausedMs)
        const knownMs = (words.at(-1)?.endMs ?? 0) + transcriptLagMs
        later(Math.max(nowMs, knownMs), () => {
          session.transcript(
            words
              .slice(delivered)
              .map(({ text }) => text)
              .join(" ")
          )
          delivered = Math.max(delivered, words.length)
        })
      }
    }
  })
  const drained = (text: string): CallInput => ({
    _tag: "Drained",
    spoken: { text, unheard: "", startMs: 0, endMs: 0 }
  })
  // The caller has heard the beginning of the call.
  const welcomed: ReadonlyArray<CallInput> = [
    { _tag: "Answered" },
    drained(config.disclosureText),
    drained(config.welcomeMessage)
  ]
  let state = welcomed.reduce((before, event) => step(before, event)[0], initialCall(config))

  const begun = new Map<number, number>()
  const act = (action: CallAction) => {
    switch (action._tag) {
      case "Think": {
        requests++
        begun.set(action.turn, nowMs)
        if (!action.guess)
          answer = { turn: action.turn, sinceMs: nowMs, untilMs: nowMs + (action.marked ? modelMs : 0) }
        if (!action.marked || judge === undefined) return
        const { text, isAll } = saidUntil(turn, nowMs - transcriptLagMs)
        const mark = callsFinished(judge, text, isAll) ? "finished" : "unfinished"
        later(nowMs + modelMs, () =>
          mailbox.push({ _tag: "Judged", turn: action.turn, mark, silentMs: nowMs - session.voicedAt })
        )
        return
      }
      case "Commit":
        // As above, nothing of the answer can be heard before its mark.
        answer = {
          turn: action.turn,
          sinceMs: nowMs,
          untilMs: Math.max(nowMs, (begun.get(action.turn) ?? 0) + modelMs)
        }
        return
      case "StopThinking":
        answer = undefined
        return
      case "EndTurnSoon":
        return session.endTurnSoon(action.text)
      case "AwaitMore":
        return session.run(action)
    }
  }
  const settle = () => {
    for (let event = mailbox.shift(); event !== undefined; event = mailbox.shift()) {
      const [next, actions] = step(state, event)
      state = next
      for (const action of actions) act(action)
    }
  }
  const takeDue = () => {
    const ready = due.filter(({ atMs }) => atMs <= nowMs)
    due = due.filter(({ atMs }) => atMs > nowMs)
    return ready
  }
  for (let frame = 0; (frame + 1) * FRAME <= line.length; frame++) {
    nowMs = frame * FRAME_MS
    session.look()
    session.media(encode(line.subarray(frame * FRAME, (frame + 1) * FRAME)), nowMs)
    settle()
    for (let ready = takeDue(); ready.length > 0; ready = takeDue())
      for (const { run } of ready) {
        run()
        settle()
      }
    if (answer === undefined || nowMs < answer.untilMs) continue
    answersMs.push(answer.sinceMs)
    answer = undefined
    // The caller hears the beginning of it: whatever is said next is another turn.
    mailbox.push({ _tag: "BargedIn", spoken: { text: "Yes.", unheard: "", startMs: nowMs, endMs: nowMs }, meant: true })
    settle()
  }
  return { answersMs, requests }
}
