/**
 * Use case: run a tool that an agent requests during a call. It never fails: an error is an answer for the model. A `toolCallId` runs once. A
 * repeated request gets the stored answer, or waits for the running tool. Each run has its audit entry before it begins. A tool whose process died is run
 * again where that does no harm; of any other the model is told that its outcome is not known.
 *
 * A tool does not run inside the request that asked for it. The request is dropped when the caller interrupts or hangs up, or the engine is
 * gone. The tool then runs to its end, unless it has `onInterruption: "cancel"`: then it is cancelled.
 */
import { Cause, Clock, Effect, Exit, Fiber, FiberMap, Option, Schedule } from "effect"
import { escalateToHuman, mayRunAgain } from "../../../ai/tools/Tool.ts"
import { parseToolArguments } from "../../../ai/tools/ToolArguments.ts"
import { toolFailed as failed, ToolRunner } from "../../../ai/tools/ToolRunner.ts"
import { traced } from "../../../basics/Traced.ts"
import { agentTools } from "../../agents/AgentConfigs.ts"
import { TestedAgents } from "../../agents/TestedAgents.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import type { EscalationPlan } from "../../engine/EscalationPlan.ts"
import type { ToolCallRequest, ToolCallResponse } from "../../engine/ToolCallRequest.ts"
import { type CallRecord, Calls, type RanToolCall } from "../records/CallRecord.ts"
import { makePlanEscalation } from "./PlanEscalation.ts"

/** The sentence about a plan for the model and the audit entry. */
const told = (plan: EscalationPlan): string => {
  switch (plan.outcome) {
    case "transfer":
      return "The call is being transferred to a human colleague."
    case "queue":
      return `All human colleagues are busy. The caller waits in line at place ${plan.position}.`
    case "nobody":
      return "No human can be reached by telephone. The team has been told and will get back to the caller."
  }
}

const cancelledByCaller = failed("Cancelled: the caller interrupted.")
const cancelledByStop = failed("Cancelled: the service was stopped.")

/** Of a tool that was begun by a process that died: `tellsLater`, since it may have done its work. */
const outcomeUnknown: ToolCallResponse = {
  ...failed(
    "This tool was begun and then interrupted: it may or may not have done its work. It was not run again. Tell the caller that you are not sure, and " +
      "check, or ask the caller, before you run it again."
  ),
  tellsLater: true
}

const keyOf = ({ organizationId, callId, toolCallId }: ToolCallRequest) =>
  JSON.stringify([organizationId, callId, toolCallId])

/** Needs its ports; the function it returns needs nothing. Tools still running when the scope closes are cancelled. */
export const makeRunTool = Effect.gen(function* () {
  const agents = yield* VoiceAgents
  const tested = yield* TestedAgents
  const calls = yield* Calls
  const runner = yield* ToolRunner
  const { request: plan, planAgain } = yield* makePlanEscalation
  const running = yield* FiberMap.make<string, ToolCallResponse, never>()
  /** Keys of the tools being cancelled because the caller interrupted. */
  const interrupted = new Set<string>()

  /** The agent that asked: as it is saved, or as it is tested. */
  const asking = ({ organizationId, agentId, callId }: ToolCallRequest, { test }: CallRecord) =>
    test ? tested.find(organizationId, callId) : agents.find(organizationId, agentId)

  const execute = Effect.fnUntraced(function* (request: ToolCallRequest, call: CallRecord) {
    const agent = yield* asking(request, call)
    if (agent === undefined) return failed("This agent no longer exists.")
    const own = agentTools(agent).find((tool) => tool.name === request.name)
    if (request.name === escalateToHuman.name) {
      // The arguments are not checked: a missing or malformed reason must not keep the caller from a human.
      const escalation = yield* plan(call, request.toolCallId, agent.humanDestination)
      return { outcome: "ok" as const, result: told(escalation), escalation }
    }
    if (own === undefined) return failed(`There is no tool named "${request.name}".`)
    if (own.handler === undefined) return failed(`The tool "${request.name}" has no handler.`)
    const parsed = parseToolArguments(own, request.arguments)
    return parsed._tag === "Invalid"
      ? failed(parsed.problem)
      : yield* runner.run(own.handler, parsed.value, {
          organizationId: request.organizationId,
          agentId: request.agentId,
          knowledgeBases: agent.knowledgeBases,
          contactId: call.contactId,
          conversationId: call.conversationId,
          callId: request.callId,
          // Models number their tool calls per conversation, so the call belongs to the key.
          idempotencyKey: `${request.callId}:${request.toolCallId}`
        })
  })

  const responseOf = (request: ToolCallRequest, exit: Exit.Exit<ToolCallResponse>) => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause))
      return Effect.succeed(interrupted.delete(keyOf(request)) ? cancelledByCaller : cancelledByStop)
    return Effect.as(Effect.logError("a tool broke", exit.cause), failed("The tool is not available now."))
  }

  /** The stored answer of a tool call, with the same plan if it was an escalation. */
  const again = Effect.fnUntraced(function* ({ id, name, outcome, result, tellsLater }: RanToolCall, call: CallRecord) {
    const escalation = name === escalateToHuman.name ? yield* planAgain(call, id) : undefined
    const answer = { outcome, result, ...(tellsLater === true ? { tellsLater } : {}) }
    return escalation === undefined ? answer : { ...answer, escalation }
  })

  /**
   * A tool that was begun and is not running here: another process runs it, or has died with it. One that ends within a moment gives its answer.
   * Otherwise the entry as it was.
   */
  const endedElsewhere = ({ organizationId, callId }: ToolCallRequest, begun: RanToolCall) =>
    calls.findToolCall(organizationId, callId, begun.id).pipe(
      Effect.map((entry = begun) => entry),
      Effect.repeat({
        while: ({ begun }) => begun === true,
        schedule: Schedule.max([Schedule.spaced("200 millis"), Schedule.recurs(5)])
      })
    )

  /** Whether it does no harm to run the tool again. The plan of an escalation is made once for a tool call. */
  const repeatable = (request: ToolCallRequest, call: CallRecord) =>
    Effect.map(asking(request, call), (agent) => {
      const own = agent === undefined ? undefined : agentTools(agent).find((tool) => tool.name === request.name)
      return request.name === escalateToHuman.name || own?.handler === undefined || mayRunAgain(own.handler)
    })

  /** Runs a tool and writes its audit entry, at first before it runs. Only the tool itself can be interrupted, so it always leaves an entry. */
  const audited = Effect.fnUntraced(function* (request: ToolCallRequest) {
    const { organizationId, callId, toolCallId } = request
    const call = yield* calls.find(organizationId, callId)
    if (call === undefined) return failed("This call does not exist.")
    const { name, arguments: given } = request
    const begun = yield* calls.beginToolCall(organizationId, callId, { id: toolCallId, name, arguments: given })
    const earlier = begun?.begun === true ? yield* endedElsewhere(request, begun) : begun
    if (earlier !== undefined && earlier.begun !== true) return yield* again(earlier, call)
    const startedAt = yield* Clock.currentTimeMillis
    const runs = earlier === undefined || (yield* repeatable(request, call))
    const work = runs ? execute(request, call) : Effect.succeed(outcomeUnknown)
    const response = yield* responseOf(request, yield* Effect.exit(Effect.interruptible(work)))
    const durationMs = (yield* Clock.currentTimeMillis) - startedAt
    const { outcome, result, tellsLater = false } = response
    const entry = { id: toolCallId, name, arguments: given, durationMs, outcome, result, tellsLater }
    yield* calls.recordToolCall(organizationId, callId, entry)
    return response
  }, Effect.uninterruptible)

  /** Handles a dropped request: cancels the tool if it allows that. Resolves when the cancelled tool has left its entry. */
  const dropped = Effect.fnUntraced(function* (request: ToolCallRequest, fiber: Fiber.Fiber<ToolCallResponse>) {
    const call = yield* calls.find(request.organizationId, request.callId)
    const agent = call === undefined ? undefined : yield* asking(request, call)
    const tool = agent?.tools.find(({ name }) => name === request.name)
    if (tool?.onInterruption !== "cancel") return
    interrupted.add(keyOf(request))
    yield* Fiber.interrupt(fiber)
    interrupted.delete(keyOf(request))
  })

  return traced("RunTool.run")(function* (request: ToolCallRequest): Effect.fn.Return<ToolCallResponse> {
    const key = keyOf(request)
    const fiber =
      Option.getOrUndefined(FiberMap.getUnsafe(running, key)) ?? (yield* FiberMap.run(running, key, audited(request)))
    const exit = yield* Effect.onInterrupt(Fiber.await(fiber), () => dropped(request, fiber))
    // Another request for the same tool call was dropped and cancelled the tool.
    if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return cancelledByCaller
    return yield* exit
  })
})
