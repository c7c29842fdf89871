/**
 * One answer of the model: it is streamed and cut into clauses. Each clause is given to speech while moderation judges it, together with those that are
 * ready by then; the caller hears a clause only after its verdict.
 */
import { Effect, Stream } from "effect"
import { judgeTexts } from "../../../domain/ai/providers/JudgeTexts.ts"
import type { Moderation, ModerationError } from "../../../domain/ai/providers/Moderation.ts"
import { type Attempts, type ChatMessage, Reasoning, type ToolCall } from "../../../domain/ai/providers/Reasoning.ts"
import { escalateToHuman } from "../../../domain/ai/tools/Tool.ts"
import { makeClauseSplitter } from "../../../domain/voice/dialogue/ClauseSplitter.ts"
import { askForMark, MarkReader, type TurnMark } from "../../../domain/voice/dialogue/TurnMark.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { Verdict } from "./Verdict.ts"

/** The turn that is answered. */
export interface AnsweredTurn {
  readonly agent: AgentConfig
  /** Clauses of the answer that are said already. */
  readonly said: ReadonlyArray<string>
  /** Tells the mark, or that there is none: at most once, and first of all. The answer goes on when this is done; it is interrupted otherwise. */
  readonly judge: (mark: TurnMark | "none") => Effect.Effect<void>
  /** Speaks a clause once its verdict allows it. */
  readonly say: (clause: string, verdict: Verdict) => void
  /** The requests to models that may fail in this turn of the caller. */
  readonly attempts: Attempts
  readonly onFirstToken: () => void
}

/** A clause of the agent that moderation flagged: it may not be said. */
interface FlaggedClause {
  readonly text: string
  readonly categories: ReadonlyArray<string>
}

/** Sent to a model whose answer broke off, after the part it has already said. */
const goOn: ChatMessage = {
  role: "system",
  content: "The line to you broke off there. Go on from exactly there, and do not repeat what you have said."
}

/**
 * Streams one answer. Returns the spoken text and the requested tool calls, or fails with the flagged clause. When the answer breaks off or
 * stalls, the model is asked once to go on. If it starts again from the beginning, the clauses it repeats are skipped.
 */
export const modelAnswer = Effect.fnUntraced(function* (
  turn: AnsweredTurn,
  messages: ReadonlyArray<ChatMessage>,
  marked: boolean,
  speak: AnsweredTurn["say"]
) {
  const reasoning = yield* Reasoning
  const tools = [escalateToHuman, ...turn.agent.tools.filter((tool) => tool.name !== escalateToHuman.name)]
  let splitter = makeClauseSplitter()
  let marks = new MarkReader()
  let judged = !marked
  let calls: Array<ToolCall> = []
  const said: Array<string> = []
  /** Clauses from before the answer broke off that the model may repeat, and how many it has repeated so far. */
  let before = turn.said
  let repeated = 0
  let begun = false
  /** Words that were given out and not read yet. */
  let unread = ""
  /** Words in the middle of a clause are not worth waking up for: nothing is said before the clause is complete. The first ones are, for the clock. */
  const enough = (words: string): boolean => {
    if (begun && judged && splitter.count(unread + words) === splitter.count(unread)) return false
    unread += words
    return true
  }
  /** Whether the model only repeats this clause, after its answer broke off. */
  const isRepeated = (clause: string): boolean => {
    if (before[repeated] !== clause) {
      before = []
      return false
    }
    repeated++
    return true
  }
  /** Speaks clauses that are ready together, and has them judged in one request. Fails with the first one that is flagged. */
  const check = (ready: ReadonlyArray<string>): Effect.Effect<void, FlaggedClause | ModerationError, Moderation> => {
    const clauses = ready.filter((clause) => !isRepeated(clause))
    if (clauses.length === 0) return Effect.void
    const verdicts = clauses.map((clause) => {
      const verdict = new Verdict()
      speak(clause, verdict)
      return verdict
    })
    return judgeTexts(clauses).pipe(
      // The next clauses must not wait for these.
      Effect.tapError(() => Effect.sync(() => verdicts.forEach((verdict) => void verdict.give(false)))),
      Effect.flatMap((flags) => {
        const flagged = flags.findIndex((flag) => flag !== undefined)
        const passed = flagged < 0 ? clauses.length : flagged
        said.push(...clauses.slice(0, passed))
        verdicts.forEach((verdict, at) => void verdict.give(at < passed))
        const categories = flags[flagged]?.categories
        return categories === undefined ? Effect.void : Effect.fail({ text: clauses[flagged], categories })
      })
    )
  }
  /** Speaks a piece of the answer, or its end, without marks. A model that was not asked for one has none. */
  const read = (piece: string | undefined) => {
    if (!marked) return piece === undefined ? Effect.void : spoken(piece)
    const rest = piece === undefined ? marks.end() : marks.push(piece)
    if (judged || marks.mark === undefined) return spoken(rest)
    judged = true
    return Effect.andThen(turn.judge(marks.mark), spoken(rest))
  }
  const withQuestion = (asked: ReadonlyArray<ChatMessage>) => (judged ? asked : [...asked, askForMark])
  const spoken = (text: string) => check(splitter.push(text))
  const stream = (asked: ReadonlyArray<ChatMessage>) =>
    // What came while a verdict was waited for comes together.
    Stream.runForEachArray(
      reasoning.stream({ messages: asked, tools, user: turn.agent.organizationId, attempts: turn.attempts, enough }),
      (events) => {
        begun = true
        let text = ""
        for (const event of events) {
          if (event._tag === "Text") text += event.text
          else if (event._tag === "ToolCall") calls.push(event.call)
        }
        if (text === "") return Effect.void
        unread = unread.slice(text.length)
        turn.onFirstToken()
        return read(text)
      }
    )
  yield* Effect.catchIf(
    stream(withQuestion(messages)),
    (error) => "_tag" in error && error._tag === "ReasoningError" && begun,
    (error) => {
      before = [...said]
      calls = []
      splitter = makeClauseSplitter()
      unread = ""
      marks = new MarkReader()
      const context = said.length === 0 ? [] : [{ role: "assistant", content: said.join(" ") } as const, goOn]
      return Effect.andThen(
        Effect.logWarning("the model broke off, asked to go on", error),
        stream([...withQuestion(messages), ...context])
      )
    }
  )
  yield* read(undefined)
  const rest = splitter.end()
  if (rest !== undefined) yield* check([rest])
  return { said: said.join(" "), calls }
})
