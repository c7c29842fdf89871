/**
 * One turn of the agent: moderate what the caller said, stream the model, moderate each clause, hand it to speech, run the tools the
 * model asks for, and again until it has answered. Interrupted as a whole by a barge-in; what it decided it offers as events.
 */
import { Effect, Result, Stream } from "effect"
import type { CallEvent } from "../../domain/Call.ts"
import { makeClauseSplitter } from "../../domain/Clauses.ts"
import { type AgentConfig, AppCallbacks } from "../../domain/EngineProtocol.ts"
import { Moderation } from "../../domain/Moderation.ts"
import { type ChatMessage, Reasoning, type ToolCall } from "../../domain/Reasoning.ts"
import { escalateToHuman } from "../../domain/Tool.ts"

/** Rounds of tool calls in one turn (peers allow 3 to 5). */
const maxToolRounds = 4

export type Services = Moderation | Reasoning | AppCallbacks

export interface Turn {
  readonly turn: number
  readonly callId: string
  readonly agent: AgentConfig
  readonly history: ReadonlyArray<ChatMessage>
  readonly text: string
  readonly say: (clause: string) => void
  readonly offer: (event: CallEvent) => void
  readonly onFirstToken: () => void
  readonly onToolCall: () => void
}

/** No verdict counts as flagged: every input and output passes the filter, or is not used. */
const judge = Effect.fnUntraced(function* (text: string) {
  const moderation = yield* Moderation
  const verdict = yield* Effect.result(moderation.check(text))
  if (Result.isSuccess(verdict))
    return verdict.success.flagged ? { text, categories: verdict.success.categories } : undefined
  yield* Effect.logWarning("moderation failed, closing", verdict.failure)
  return { text, categories: ["moderation_unavailable"] }
})

/** Streams one answer; resolves to what was said and which tools were asked for, or fails with the flagged clause. */
const answer = Effect.fnUntraced(function* (turn: Turn, messages: ReadonlyArray<ChatMessage>) {
  const reasoning = yield* Reasoning
  const splitter = makeClauseSplitter()
  const calls: Array<ToolCall> = []
  let said = ""
  const speak = Effect.fnUntraced(function* (clause: string) {
    const flag = yield* judge(clause)
    if (flag !== undefined) return yield* Effect.fail(flag)
    said = said === "" ? clause : `${said} ${clause}`
    turn.say(clause)
  })
  const tools = [escalateToHuman, ...turn.agent.tools.filter((tool) => tool.name !== escalateToHuman.name)]
  yield* Stream.runForEach(reasoning.stream({ messages, tools, user: turn.agent.organizationId }), (event) => {
    switch (event._tag) {
      case "Text":
        turn.onFirstToken()
        return Effect.forEach(splitter.push(event.text), speak, { discard: true })
      case "ToolCall":
        return Effect.sync(() => calls.push(event.call))
      case "End":
        return Effect.void
    }
  })
  const rest = splitter.end()
  if (rest !== undefined) yield* speak(rest)
  return { said, calls }
})

const runTool = Effect.fnUntraced(function* (turn: Turn, call: ToolCall) {
  const app = yield* AppCallbacks
  turn.onToolCall()
  const { organizationId, agentId } = turn.agent
  const response = yield* app
    .runTool({
      organizationId,
      agentId,
      callId: turn.callId,
      toolCallId: call.id,
      name: call.name,
      arguments: call.arguments
    })
    .pipe(
      Effect.catch((error) =>
        Effect.as(Effect.logWarning("tool call failed", error), {
          outcome: "error" as const,
          result: "The tool is not available now."
        })
      )
    )
  return { role: "tool", toolCallId: call.id, content: response.result } satisfies ChatMessage
})

const reasonOf = (call: ToolCall): string => {
  try {
    const parsed: unknown = JSON.parse(call.arguments)
    if (typeof parsed === "object" && parsed !== null && "reason" in parsed && typeof parsed.reason === "string")
      return parsed.reason
  } catch {
    // A malformed reason does not keep the caller from a human.
  }
  return "The agent asked for a human."
}

/** Never fails: every outcome is an event. */
export const think = Effect.fn("Thinking.think")(
  function* (turn: Turn) {
    const input = yield* judge(turn.text)
    if (input !== undefined) return turn.offer({ _tag: "Flagged", turn: turn.turn, direction: "input", ...input })
    let messages = turn.history
    for (let round = 0; round < maxToolRounds; round++) {
      const { said, calls } = yield* answer(turn, messages)
      if (calls.length === 0) return turn.offer({ _tag: "ReplyFinished", turn: turn.turn })
      const escalation = calls.find((call) => call.name === escalateToHuman.name)
      if (escalation !== undefined) {
        yield* runTool(turn, escalation)
        return turn.offer({ _tag: "EscalationRequested", turn: turn.turn, reason: reasonOf(escalation) })
      }
      const results = yield* Effect.forEach(calls, (call) => runTool(turn, call), { concurrency: "unbounded" })
      const exchange: ReadonlyArray<ChatMessage> = [{ role: "assistant", content: "", toolCalls: calls }, ...results]
      turn.offer({ _tag: "ToolExchange", turn: turn.turn, messages: exchange })
      messages = [...messages, ...(said === "" ? [] : [{ role: "assistant", content: said } as const]), ...exchange]
    }
    turn.offer({ _tag: "ReplyFailed", turn: turn.turn })
  },
  (effect, turn) =>
    Effect.catch(effect, (error) => {
      if (!("_tag" in error))
        return Effect.sync(() => turn.offer({ _tag: "Flagged", turn: turn.turn, direction: "output", ...error }))
      return Effect.logWarning("the model failed", error).pipe(
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
