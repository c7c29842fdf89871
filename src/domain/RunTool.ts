/**
 * Use case: run a tool an agent asked for in mid-call. Always a value: what goes wrong is an answer the model hears. A
 * `toolCallId` runs once; asked again it gets the stored answer. Each run leaves an audit entry.
 */
import { Clock, Context, Effect } from "effect"
import { Calls } from "./CallRecord.ts"
import type { ToolCallRequest, ToolCallResponse } from "./EngineProtocol.ts"
import { escalateToHuman, type ToolHandler } from "./Tool.ts"
import { type Arguments, parseArguments } from "./ToolArguments.ts"
import { VoiceAgents } from "./VoiceAgent.ts"

/** Port: runs one handler of one kind. `result` is at most 16 KB. */
export class ToolRunner extends Context.Service<
  ToolRunner,
  { readonly run: (handler: ToolHandler, input: Arguments) => Effect.Effect<ToolCallResponse> }
>()("parley/domain/ToolRunner") {}

const failed = (result: string): ToolCallResponse => ({ outcome: "error", result })

/** Needs its ports once; the function it gives needs nothing. */
export const makeRunTool = Effect.gen(function* () {
  const agents = yield* VoiceAgents
  const calls = yield* Calls
  const runner = yield* ToolRunner

  const execute = Effect.fnUntraced(function* (request: ToolCallRequest) {
    const agent = yield* agents.find(request.organizationId, request.agentId)
    if (agent === undefined) return failed("This agent no longer exists.")
    const own = agent.tools.find((tool) => tool.name === request.name)
    if (request.name === escalateToHuman.name) {
      const parsed = parseArguments(escalateToHuman, request.arguments)
      return parsed._tag === "Invalid"
        ? failed(parsed.problem)
        : { outcome: "ok" as const, result: "The call is being handed to a human colleague." }
    }
    if (own === undefined) return failed(`There is no tool named "${request.name}".`)
    if (own.handler === undefined) return failed(`The tool "${request.name}" has no handler.`)
    const parsed = parseArguments(own, request.arguments)
    return parsed._tag === "Invalid" ? failed(parsed.problem) : yield* runner.run(own.handler, parsed.value)
  })

  return Effect.fn("RunTool.run")(function* (request: ToolCallRequest): Effect.fn.Return<ToolCallResponse> {
    const { organizationId, callId, toolCallId } = request
    const earlier = yield* calls.findToolCall(organizationId, callId, toolCallId)
    if (earlier !== undefined) return { outcome: earlier.outcome, result: earlier.result }
    if ((yield* calls.find(organizationId, callId)) === undefined) return failed("This call does not exist.")
    const startedAt = yield* Clock.currentTimeMillis
    const response = yield* execute(request)
    const durationMs = (yield* Clock.currentTimeMillis) - startedAt
    const entry = { id: toolCallId, name: request.name, arguments: request.arguments, durationMs, ...response }
    yield* calls.recordToolCall(organizationId, callId, entry)
    return response
  })
})
