/** `tools/list` and `tools/call`. */
import { Cause, Effect, Option, Predicate } from "effect"
import { Acting } from "../../../domain/people/access/Audit.ts"
import { unanswered } from "../../wire/Errors.ts"
import { unstorable } from "../../wire/StorableBody.ts"
import type { AssistantCaller } from "../protocol/AssistantCaller.ts"
import type { Tool } from "../protocol/Tool.ts"
import { clip, type ToolAnswer } from "../protocol/ToolAnswer.ts"
import { ToolRefusal } from "../protocol/ToolRefusal.ts"
import { invalidParams } from "./ProtocolFailure.ts"
import { makeSendOnce, type SendLimits } from "./SendOnce.ts"

/** Whether the caller sees the tool: its key's scopes and the plan allow it, and the caller did not leave it out. */
export const isVisible = ({ principal, organization, narrowing }: AssistantCaller, tool: Tool): boolean =>
  principal.scopes.includes(tool.scope) &&
  tool.isInPlan(organization) &&
  (narrowing.toolsets?.has(tool.toolset) ?? true) &&
  (!narrowing.readonly || tool.kind === "reads")

/** A tool as `tools/list` shows it. */
export const toolEntry = ({ name, title, description, kind, hints, inputSchema, outputSchema }: Tool) => ({
  ...{ name, title, description, inputSchema, outputSchema },
  annotations: {
    title,
    readOnlyHint: kind === "reads",
    destructiveHint: hints.destructive,
    idempotentHint: hints.idempotent,
    openWorldHint: hints.openWorld
  }
})

const textContent = (text: string) => [{ type: "text" as const, text }]

const resultOf = ({ structured, text }: ToolAnswer) => ({ content: textContent(text), structuredContent: structured })
const errorOf = ({ message, next }: ToolRefusal) => ({ content: textContent(`${message}\n${next}`), isError: true })

const failed = new ToolRefusal({
  message: unanswered.error.replace("with the same Idempotency-Key if you sent one", "with the same arguments"),
  next: "If it fails again, tell the person that the service has a problem."
})

const objects = new ToolRefusal({
  message: "The arguments must be an object.",
  next: "Correct the arguments and call the tool again."
})

/** A defect is logged, and the model hears that we have a problem. */
const withoutDefects = <A>(name: string, work: Effect.Effect<A, ToolRefusal>): Effect.Effect<A, ToolRefusal> =>
  Effect.catchCause(work, (cause) => {
    const refusal = Option.getOrUndefined(Cause.findErrorOption(cause))
    if (refusal !== undefined) return Effect.fail(refusal)
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    return Effect.andThen(Effect.logError("an MCP tool failed", cause, { tool: name }), Effect.fail(failed))
  })

/** Needs what `SendOnce` needs. */
export const makeCallTool = Effect.fnUntraced(function* (table: ReadonlyArray<Tool>, limits: SendLimits) {
  const sendOnce = yield* makeSendOnce(limits)
  const known = new Map(table.map((tool) => [tool.name, tool]))

  const run = (tool: Tool, args: object, caller: AssistantCaller) => {
    if (tool.kind === "reads") return tool.run(args, caller)
    return tool.kind === "sends" && tool.acts(args)
      ? sendOnce(tool, args, caller)
      : Effect.uninterruptible(tool.run(args, caller))
  }

  const checked = (tool: Tool, args: unknown, caller: AssistantCaller): Effect.Effect<ToolAnswer, ToolRefusal> => {
    if (!Predicate.isObject(args)) return Effect.fail(objects)
    const problem = unstorable(JSON.stringify(args))
    return problem === undefined
      ? run(tool, args, caller)
      : Effect.fail(new ToolRefusal({ message: problem, next: "Correct the argument and call the tool again." }))
  }

  const callTool = Effect.fnUntraced(function* (params: Readonly<Record<string, unknown>>, caller: AssistantCaller) {
    const { name, arguments: args = {} } = params
    if (typeof name !== "string") return yield* invalidParams("name is missing: it must be the name of a tool.")
    const tool = known.get(name)
    if (tool === undefined || !isVisible(caller, tool))
      return yield* invalidParams(`Unknown tool: ${clip(name, 100)}. tools/list has those that you may call.`)
    const { principal, origin } = caller
    const acting = { actor: { type: "key" as const, id: principal.keyId }, ...origin }
    return yield* withoutDefects(name, Effect.provideService(checked(tool, args ?? {}, caller), Acting, acting)).pipe(
      Effect.match({ onSuccess: resultOf, onFailure: errorOf })
    )
  })

  const listTools = (caller: AssistantCaller) => ({
    tools: table.filter((tool) => isVisible(caller, tool)).map(toolEntry)
  })

  return { callTool, listTools }
})
