/**
 * One turn of the agent. It moderates what the caller said, and asks the model (`ModelAnswer`). It runs the tools that the model asks for, and asks
 * it again until there is an answer. Arguments of tools and their answers are moderated too. A barge-in interrupts all of it. Results are
 * offered as events.
 */
import { Deferred, Effect, Fiber, Result, type Scope } from "effect"
import { type Flag, judgeText, judgeTexts, withheld } from "../../../domain/ai/providers/JudgeTexts.ts"
import type { Moderation, ModerationError } from "../../../domain/ai/providers/Moderation.ts"
import type { ChatMessage, Reasoning, ToolCall } from "../../../domain/ai/providers/Reasoning.ts"
import { escalateToHuman } from "../../../domain/ai/tools/Tool.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { type CallInput, withFacts } from "../../../domain/voice/dialogue/Call.ts"
import { AppCallbacks } from "../../../domain/voice/engine/EnginePorts.ts"
import { nobody } from "../../../domain/voice/engine/EscalationPlan.ts"
import type { ToolCallResponse } from "../../../domain/voice/engine/ToolCallRequest.ts"
import type { Briefing } from "./Briefing.ts"
import { sayFillerLines, type WaitingTurn } from "./FillerLines.ts"
import { type AnsweredTurn, modelAnswer } from "./ModelAnswer.ts"
import { beginLookUp, type InformedTurn, withKnowledge } from "./TurnKnowledge.ts"

/** Rounds of tool calls in one turn (other products allow 3 to 5). */
const maxToolRounds = 4

export type Services = Moderation | Reasoning | AppCallbacks

export interface Turn extends AnsweredTurn, InformedTurn, WaitingTurn {
  readonly turn: number
  readonly callId: string
  /** The id of a tool call within this call, from the id that the model gave it. */
  readonly toolCallId: (id: string) => string
  readonly history: ReadonlyArray<ChatMessage>
  /** Waits until the instructions of the agent, and the facts about the call, are judged. */
  readonly briefing: Effect.Effect<Briefing, ModerationError, Moderation>
  /** Records what was kept from a tool, or from the model. */
  readonly withhold: (what: "tool_arguments" | "tool_result", call: ToolCall, flag: Flag) => Effect.Effect<void>
  /** Whether the model is asked to begin with a mark. */
  readonly marked: boolean
  readonly offer: (event: CallInput) => void
  readonly onToolCall: () => void
  /** Tools that were asked in this turn before another engine took the call: they come first. */
  readonly asked: ReadonlyArray<ToolCall>
  /** Keeps which tools are asked, before they are: whoever takes the call over asks them again by their ids. */
  readonly keepTools: (tools: ReadonlyArray<ToolCall>) => Effect.Effect<void>
  /** A tool has said that more about it will be known later. */
  readonly onTellsLater: () => void
  /** The scope of tools that go on after an interruption. */
  readonly callScope: Scope.Scope
}

/** Sent to a model that said nothing, so that the caller would wait in silence. */
const speakNow: ChatMessage = { role: "system", content: "The caller is waiting. Answer now, in words." }

/** It may have begun all the same: whoever ran it may have died before the answer. So what comes of it is listened for. */
const notAvailable: ToolCallResponse = { outcome: "error", result: "The tool is not available now.", tellsLater: true }

const runTool = traced("Thinking.runTool")(function* (turn: Turn, call: ToolCall) {
  yield* Effect.annotateCurrentSpan("tool.name", call.name)
  const app = yield* AppCallbacks
  turn.onToolCall()
  const { organizationId, agentId } = turn.agent
  return yield* app
    .runTool({
      organizationId,
      agentId,
      callId: turn.callId,
      toolCallId: turn.toolCallId(call.id),
      name: call.name,
      arguments: call.arguments
    })
    .pipe(Effect.catch((error) => Effect.as(Effect.logWarning("tool call failed", error), notAvailable)))
})

const canBeCancelled = (turn: Turn, call: ToolCall): boolean =>
  turn.agent.tools.find((tool) => tool.name === call.name)?.onInterruption === "cancel"

const exchange = (
  calls: ReadonlyArray<ToolCall>,
  results: ReadonlyArray<{ readonly call: ToolCall; readonly told: Told }>
): ReadonlyArray<ChatMessage> => [
  { role: "assistant", content: "", toolCalls: calls },
  ...results.map(({ call, told }): ChatMessage => ({ role: "tool", toolCallId: call.id, content: told.content }))
]

/** Hands the caller to a human, whatever moderation says of the reason: the verdict on that is only recorded. */
const escalate = Effect.fnUntraced(function* (turn: Turn, call: ToolCall) {
  const judged = Effect.flatMap(judgeArguments([call]), ([flag]) =>
    flag === undefined ? Effect.void : turn.withhold("tool_arguments", call, flag)
  ).pipe(Effect.catch((error) => Effect.logWarning("there is no verdict on the reason of an escalation", error)))
  yield* Effect.forkIn(judged, turn.callScope)
  const { escalation = nobody } = yield* runTool(turn, call)
  return turn.offer({ _tag: "EscalationRequested", turn: turn.turn, plan: escalation })
})

const noArguments = /^\s*(\{\s*\})?\s*$/

/** The flags of the arguments, in order of the calls. Arguments without content have none. */
const judgeArguments = (calls: ReadonlyArray<ToolCall>) =>
  judgeTexts(calls.map((call) => (noArguments.test(call.arguments) ? "" : call.arguments)))

/** What the model is told about a tool call; `isUnchecked`: there was no verdict on the tool's answer. */
interface Told {
  readonly content: string
  readonly isUnchecked: boolean
}

const tell = (content: string): Told => ({ content, isUnchecked: false })

/** Runs a tool. The model is told its answer only if moderation passes it. */
const runJudged = Effect.fnUntraced(function* (turn: Turn, call: ToolCall) {
  const { result, sources = [], tellsLater = false } = yield* runTool(turn, call)
  turn.onSources(sources)
  if (tellsLater) turn.onTellsLater()
  const flag = yield* Effect.result(judgeText(result))
  if (Result.isFailure(flag)) {
    yield* Effect.logWarning("there is no verdict on a tool's answer", flag.failure)
    return { content: withheld.unchecked, isUnchecked: true }
  }
  if (flag.success === undefined) return tell(result)
  yield* turn.withhold("tool_result", call, flag.success)
  return tell(withheld.answer(flag.success))
})

/** A tool call that is not run. The model does not read its own flagged arguments again. */
const notRun = Effect.fnUntraced(function* (turn: Turn, call: ToolCall, flag: Flag) {
  yield* turn.withhold("tool_arguments", call, flag)
  return tell(withheld.arguments(flag))
})

/**
 * Runs the tools of one round in parallel, in the call's scope. An interruption of the turn cancels the tools that allow it; the others
 * finish. Either way the model gets the results, in this turn or in the next.
 */
const runTools = Effect.fnUntraced(function* (
  turn: Turn,
  calls: ReadonlyArray<ToolCall>,
  flags: ReadonlyArray<Flag | undefined>
) {
  const running = yield* Effect.forEach(calls, (call, index) => {
    const flag = flags[index]
    const work = flag === undefined ? runJudged(turn, call) : notRun(turn, call, flag)
    return Effect.map(Effect.forkIn(work, turn.callScope), (fiber) => ({ call, fiber }))
  })
  const shown = calls.map((call, index) => (flags[index] === undefined ? call : { ...call, arguments: "{}" }))
  const results = Effect.forEach(
    running,
    ({ call, fiber }) =>
      Effect.map(Fiber.await(fiber), (exit) => ({
        call,
        told: exit._tag === "Success" ? exit.value : tell("Cancelled: the caller interrupted.")
      })),
    { concurrency: "unbounded" }
  )
  const afterInterruption = Effect.forEach(
    running.filter(({ call }) => canBeCancelled(turn, call)),
    ({ fiber }) => Fiber.interrupt(fiber),
    { concurrency: "unbounded", discard: true }
  ).pipe(
    Effect.andThen(results),
    Effect.map((late) => turn.offer({ _tag: "ToolExchange", messages: exchange(shown, late) })),
    (late) => Effect.forkIn(late, turn.callScope),
    Effect.asVoid
  )
  const done = yield* Effect.onInterrupt(results, () => afterInterruption)
  return { messages: exchange(shown, done), isUnchecked: done.some(({ told }) => told.isUnchecked) }
})

/** Rounds of model and tools until there is an answer. */
const converse = Effect.fnUntraced(function* (turn: Turn, speak: AnsweredTurn["say"]) {
  const found = yield* beginLookUp(turn)
  const input = yield* judgeText(turn.text)
  // It has been judged since the call began.
  const briefing = yield* turn.briefing
  const flagged = { _tag: "Flagged", turn: turn.turn, direction: "input" } as const
  if (input !== undefined) return turn.offer({ ...flagged, text: turn.text, categories: input.categories })
  turn.offer({ _tag: "InputPassed", turn: turn.turn, text: turn.text })
  if (briefing.instructionsFlag !== undefined) {
    const { found, categories } = briefing.instructionsFlag
    return turn.offer({ ...flagged, text: found, categories, what: "instructions" })
  }
  let messages = withKnowledge(withFacts(turn.history, briefing.facts), yield* found)
  // Since the newest answers of tools: whoever says "One moment" before a tool has not answered yet.
  let speechless = turn.said.length === 0
  let askedAgain = false
  for (let round = 0; round < maxToolRounds; round++) {
    const marked = turn.marked && round === 0
    const { said, calls } =
      round === 0 && turn.asked.length > 0
        ? { said: "", calls: turn.asked }
        : yield* modelAnswer(turn, askedAgain ? [...messages, speakNow] : messages, marked, speak)
    if (said !== "") speechless = false
    if (calls.length === 0) {
      if (!speechless) return turn.offer({ _tag: "ReplyFinished", turn: turn.turn })
      // The caller would wait in silence, so it is asked once more. A reasoning model may have spent all its tokens on reasoning.
      yield* Effect.logWarning("the model said nothing")
      if (askedAgain) break
      askedAgain = true
      continue
    }
    const escalation = calls.find((call) => call.name === escalateToHuman.name)
    if (escalation !== undefined) {
      yield* Deferred.await(turn.certain)
      yield* turn.keepTools([escalation])
      return yield* escalate(turn, escalation)
    }
    // Arguments are judged while the end of the turn is still being waited for.
    const [flags] = yield* Effect.all([judgeArguments(calls), Deferred.await(turn.certain)], { concurrency: 2 })
    yield* turn.keepTools(calls)
    const told = yield* runTools(turn, calls, flags)
    turn.offer({ _tag: "ToolExchange", messages: told.messages })
    if (told.isUnchecked) break
    messages = [...messages, ...(said === "" ? [] : [{ role: "assistant", content: said } as const]), ...told.messages]
    speechless = true
    askedAgain = false
  }
  turn.offer({ _tag: "ReplyFailed", turn: turn.turn })
})

/** Runs one turn. Never fails: every outcome is offered as an event. */
export const think = traced("Thinking.think")(
  function* (turn: Turn) {
    yield* Effect.forkChild(sayFillerLines(turn))
    yield* converse(turn, turn.say)
  },
  (effect, turn) =>
    Effect.catch(effect, (error) => {
      if (!("_tag" in error))
        return Effect.sync(() => turn.offer({ _tag: "Flagged", turn: turn.turn, direction: "output", ...error }))
      const what = error._tag === "ModerationError" ? "there is no verdict on what was said" : "the model failed"
      return Effect.logWarning(what, error).pipe(
        Effect.andThen(Effect.sync(() => turn.offer({ _tag: "ReplyFailed", turn: turn.turn })))
      )
    }),
  // A bug in this file must not leave the caller waiting for an answer.
  (effect, turn) =>
    Effect.catchDefect(effect, (defect) =>
      Effect.logError("thinking broke", defect).pipe(
        Effect.andThen(Effect.sync(() => turn.offer({ _tag: "ReplyFailed", turn: turn.turn })))
      )
    )
)
