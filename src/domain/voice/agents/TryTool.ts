/** Use case: run one tool of an agent once, with given arguments, also as it is in changes that are not saved. Nothing is simulated: the tool really runs. */
import { Clock, Effect, Exit, Schema } from "effect"
import { parseToolArguments } from "../../ai/tools/ToolArguments.ts"
import { AnswerSource, type ToolAnswer, ToolRunner, toolFailed } from "../../ai/tools/ToolRunner.ts"
import { exampleOf } from "../../basics/Examples.ts"
import { newId } from "../../basics/Ids.ts"
import { JsonRecord } from "../../basics/Json.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { agentTools } from "./AgentConfigs.ts"
import { VoiceAgentChanges } from "./AgentInput.ts"
import { makeSaveVoiceAgent } from "./SaveVoiceAgent.ts"
import type { VoiceAgent } from "./VoiceAgent.ts"

export const ToolTryRequest = Schema.Struct({
  /** As a model would write them; they are checked by the tool's parameters. */
  arguments: JsonRecord,
  /** Changes of the agent that apply to this try only. Absent: the agent as it is saved. */
  draft: Schema.optionalKey(VoiceAgentChanges)
}).annotate({
  title: "NewToolTry",
  examples: [{ arguments: { orderNumber: "2041" }, draft: exampleOf(VoiceAgentChanges) }]
})
export type ToolTryRequest = typeof ToolTryRequest.Type

export const ToolTry = Schema.Struct({
  outcome: Schema.Literals(["ok", "error"]),
  /** What the model would be told: text, or JSON as text; at most 32 KB. */
  result: Schema.String,
  durationMs: Schema.Int,
  /** Where the answer is from, if it is from knowledge bases. */
  sources: Schema.optionalKey(Schema.Array(AnswerSource))
}).annotate({ title: "ToolTry", examples: [{ outcome: "ok", result: '{"state":"ready"}', durationMs: 128 }] })
export type ToolTry = typeof ToolTry.Type

/** HTTP 404: the agent has no such tool of its own. */
export class NoSuchTool extends Schema.TaggedError<NoSuchTool>()("NoSuchTool", { name: Schema.String }) {}

/**
 * Needs what `SaveVoiceAgent` needs, and ToolRunner. The function it gives fails as a draft of `SaveVoiceAgent` does, and with NoSuchTool; a tool that
 * fails is an answer. The audit log gets which tool ran and how it ended, not what it was asked: it keeps its entries for good.
 */
export const makeTryTool = Effect.gen(function* () {
  const runner = yield* ToolRunner
  const audit = yield* Audit
  const { draft } = yield* makeSaveVoiceAgent

  const run = (agent: VoiceAgent, name: string, given: object, now: number) => {
    const tool = agentTools(agent).find((one) => one.name === name)
    if (tool === undefined) return undefined
    if (tool.handler === undefined) return Effect.succeed(toolFailed(`The tool "${name}" has no handler.`))
    const parsed = parseToolArguments(tool, JSON.stringify(given))
    if (parsed._tag === "Invalid") return Effect.succeed(toolFailed(parsed.problem))
    return runner.run(tool.handler, parsed.value, {
      organizationId: agent.organizationId,
      agentId: agent.id,
      knowledgeBases: agent.knowledgeBases,
      contactId: null,
      conversationId: null,
      callId: null,
      idempotencyKey: newId("idk", now)
    })
  }

  return traced("TryTool.try")(function* (
    organizationId: string,
    agentId: string,
    name: string,
    request: ToolTryRequest
  ) {
    const { agent } = yield* draft(organizationId, agentId, request.draft ?? {})
    const startedAt = yield* Clock.currentTimeMillis
    const running = run(agent, name, request.arguments, startedAt)
    if (running === undefined) return yield* new NoSuchTool({ name })
    const tried = Effect.gen(function* () {
      const exit = yield* Effect.exit(Effect.interruptible<ToolAnswer, never, never>(running))
      const durationMs = Math.round((yield* Clock.currentTimeMillis) - startedAt)
      const outcome = Exit.isSuccess(exit) ? exit.value.outcome : "cancelled"
      yield* audit.recorded(organizationId, Effect.void, () => ({
        action: "voice_agent.tool_tried",
        subjectId: agentId,
        after: { tool: name, outcome, durationMs }
      }))
      const { result, sources, outcome: ended } = yield* exit
      const answer: ToolTry = { outcome: ended, result, durationMs, ...(sources === undefined ? {} : { sources }) }
      return answer
    })
    return yield* Effect.uninterruptible(tried)
  })
})
