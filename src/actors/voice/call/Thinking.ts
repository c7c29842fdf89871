/**
 * One turn of the agent: moderate what the caller said, stream the model, hand each clause to speech while it is moderated (it is
 * heard only after that), run the tools the model asks for, and again until it has answered. Interrupted as a whole by a barge-in; what it decided it offers as events.
 */
import { Deferred, Effect, Fiber, type Scope, Stream } from "effect"
import { Moderation, type ModerationError } from "../../../domain/ai/providers/Moderation.ts"
import { type ChatMessage, Reasoning, type ToolCall } from "../../../domain/ai/providers/Reasoning.ts"
import { escalateToHuman } from "../../../domain/ai/tools/Tool.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import type { CallInput } from "../../../domain/voice/dialogue/Call.ts"
import { makeClauseSplitter } from "../../../domain/voice/dialogue/ClauseSplitter.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { AppCallbacks } from "../../../domain/voice/engine/EnginePorts.ts"
import { nobody } from "../../../domain/voice/engine/EscalationPlan.ts"
import type { ToolCallResponse } from "../../../domain/voice/engine/ToolCallRequest.ts"
import { Verdict } from "./Verdict.ts"

/** Rounds of tool calls in one turn (peers allow 3 to 5). */
const maxToolRounds = 4
/** A caller who hears nothing for so long after a turn is told that the agent is at it. */
const fillerAfter = "1200 millis"

export type Services = Moderation | Reasoning | AppCallbacks

export interface Turn {
  readonly turn: number
  readonly callId: string
  /** What a tool call that the model numbers so is called in this call. */
  readonly toolCallId: (id: string) => string
  readonly agent: AgentConfig
  readonly history: ReadonlyArray<ChatMessage>
  /** All that the caller said and the filter has not judged. */
  readonly text: string
  /** A clause to be spoken, once its verdict says that it may be. */
  readonly say: (clause: string, verdict: Verdict) => void
  /** Says that it will take a moment, when the agent does that. */
  readonly saySomething: () => void
  readonly offer: (event: CallInput) => void
  readonly onFirstToken: () => void
  readonly onToolCall: () => void
  /** Done when the turn is certain: what is made before is a guess that may be dropped, so tools wait for it. */
  readonly certain: Deferred.Deferred<void>
  /** Where tools go on running that an interruption does not stop. */
  readonly callScope: Scope.Scope
}

/** What may not be said, or was said and may not be answered. */
interface Flag {
  readonly text: string
  readonly categories: ReadonlyArray<string>
}

/** Every input and output passes the filter, or is not used: without a verdict the turn fails. */
const judge = Effect.fnUntraced(function* (text: string) {
  const { flagged, categories } = yield* (yield* Moderation).check(text)
  return flagged ? { text, categories } : undefined
})

/** Told to a model whose answer broke off: what it has said stands. */
const goOn: ChatMessage = {
  role: "system",
  content: "The line to you broke off there. Go on from exactly there, and do not repeat what you have said."
}

/**
 * Streams one answer; resolves to what was said and which tools were asked for, or fails with the flagged clause. A model whose answer breaks off, or
 * stalls, is asked once to go on; one that begins anew all the same is heard from where it was.
 */
const answer = Effect.fnUntraced(function* (turn: Turn, messages: ReadonlyArray<ChatMessage>, speak: Turn["say"]) {
  const reasoning = yield* Reasoning
  const tools = [escalateToHuman, ...turn.agent.tools.filter((tool) => tool.name !== escalateToHuman.name)]
  let splitter = makeClauseSplitter()
  let calls: Array<ToolCall> = []
  const said: Array<string> = []
  /** Clauses from before the answer broke off that the model is expected to repeat, and how many of them it has. */
  let before: ReadonlyArray<string> = []
  let repeated = 0
  let begun = false
  // No generator function here, nor anywhere that runs for each turn (docs/performance.md).
  const check = (clause: string): Effect.Effect<unknown, Flag | ModerationError, Moderation> => {
    if (before[repeated] === clause) {
      repeated++
      return Effect.void
    }
    before = []
    const verdict = new Verdict()
    speak(clause, verdict)
    return judge(clause).pipe(
      // What comes next is not to wait behind it.
      Effect.tapError(() => Effect.sync(() => verdict.give(false))),
      Effect.flatMap((flag) => {
        if (flag !== undefined) return Effect.fail(flag)
        said.push(clause)
        return Effect.sync(() => verdict.give(true))
      })
    )
  }
  const stream = (asked: ReadonlyArray<ChatMessage>) =>
    Stream.runForEach(reasoning.stream({ messages: asked, tools, user: turn.agent.organizationId }), (event) => {
      begun = true
      switch (event._tag) {
        case "Text":
          turn.onFirstToken()
          return Effect.forEach(splitter.push(event.text), check, { discard: true })
        case "ToolCall":
          return Effect.sync(() => calls.push(event.call))
        case "End":
          return Effect.void
      }
    })
  yield* Effect.catchIf(
    stream(messages),
    (error) => "_tag" in error && error._tag === "ReasoningError" && begun,
    (error) => {
      before = [...said]
      calls = []
      splitter = makeClauseSplitter()
      const context = said.length === 0 ? [] : [{ role: "assistant", content: said.join(" ") } as const, goOn]
      return Effect.andThen(
        Effect.logWarning("the model broke off, asked to go on", error),
        stream([...messages, ...context])
      )
    }
  )
  const rest = splitter.end()
  if (rest !== undefined) yield* check(rest)
  return { said: said.join(" "), calls }
})

const notAvailable: ToolCallResponse = { outcome: "error", result: "The tool is not available now." }

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
  results: ReadonlyArray<{ readonly call: ToolCall; readonly result: string }>
): ReadonlyArray<ChatMessage> => [
  { role: "assistant", content: "", toolCalls: calls },
  ...results.map(({ call, result }): ChatMessage => ({ role: "tool", toolCallId: call.id, content: result }))
]

/**
 * Runs the tools of one round side by side, in the call's scope: an interruption of the turn cancels those that may be cancelled,
 * and the others finish. Either way the model is told, in this turn or in the next.
 */
const runTools = Effect.fnUntraced(function* (turn: Turn, calls: ReadonlyArray<ToolCall>) {
  const running = yield* Effect.forEach(calls, (call) =>
    Effect.map(Effect.forkIn(runTool(turn, call), turn.callScope), (fiber) => ({ call, fiber }))
  )
  const results = Effect.forEach(
    running,
    ({ call, fiber }) =>
      Effect.map(Fiber.await(fiber), (exit) => ({
        call,
        result: exit._tag === "Success" ? exit.value.result : "Cancelled: the caller interrupted."
      })),
    { concurrency: "unbounded" }
  )
  const afterInterruption = Effect.forEach(
    running.filter(({ call }) => canBeCancelled(turn, call)),
    ({ fiber }) => Fiber.interrupt(fiber),
    { concurrency: "unbounded", discard: true }
  ).pipe(
    Effect.andThen(results),
    Effect.map((late) => turn.offer({ _tag: "ToolExchange", messages: exchange(calls, late) })),
    (late) => Effect.forkIn(late, turn.callScope),
    Effect.asVoid
  )
  return yield* Effect.onInterrupt(results, () => afterInterruption)
})

/** Rounds of model and tools until there is an answer. */
const converse = Effect.fnUntraced(function* (turn: Turn, speak: Turn["say"]) {
  const input = yield* judge(turn.text)
  if (input !== undefined) return turn.offer({ _tag: "Flagged", turn: turn.turn, direction: "input", ...input })
  turn.offer({ _tag: "InputPassed", turn: turn.turn, text: turn.text })
  let messages = turn.history
  let speechless = true
  let askedAgain = false
  for (let round = 0; round < maxToolRounds; round++) {
    const { said, calls } = yield* answer(turn, messages, speak)
    if (said !== "") speechless = false
    if (calls.length === 0) {
      if (!speechless) return turn.offer({ _tag: "ReplyFinished", turn: turn.turn })
      // The caller would wait in silence. (A model that thinks before it speaks may have used up its words for that.)
      yield* Effect.logWarning("the model said nothing")
      if (askedAgain) break
      askedAgain = true
      continue
    }
    yield* Deferred.await(turn.certain)
    const escalation = calls.find((call) => call.name === escalateToHuman.name)
    if (escalation !== undefined) {
      const { escalation: plan = nobody } = yield* runTool(turn, escalation)
      return turn.offer({ _tag: "EscalationRequested", turn: turn.turn, plan })
    }
    const told = exchange(calls, yield* runTools(turn, calls))
    turn.offer({ _tag: "ToolExchange", messages: told })
    messages = [...messages, ...(said === "" ? [] : [{ role: "assistant", content: said } as const]), ...told]
  }
  turn.offer({ _tag: "ReplyFailed", turn: turn.turn })
})

/** Never fails: every outcome is an event. */
export const think = traced("Thinking.think")(
  function* (turn: Turn) {
    let quiet = true
    const breakSilence = Effect.sync(() => {
      if (quiet) turn.saySomething()
    })
    if (turn.agent.use_fillers)
      yield* Effect.forkChild(Effect.andThen(Deferred.await(turn.certain), Effect.delay(breakSilence, fillerAfter)))
    yield* converse(turn, (clause, verdict) => {
      quiet = false
      turn.say(clause, verdict)
    })
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
  // A bug in here must not leave the caller waiting for an answer that never comes.
  (effect, turn) =>
    Effect.catchDefect(effect, (defect) =>
      Effect.logError("thinking broke", defect).pipe(
        Effect.andThen(Effect.sync(() => turn.offer({ _tag: "ReplyFailed", turn: turn.turn })))
      )
    )
)
