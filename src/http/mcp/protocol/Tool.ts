/** A tool as models see it, and what it does. It runs the use cases of the REST interface. */
import { Effect } from "effect"
import { z } from "zod"
import type { Scope } from "../../../domain/people/access/Access.ts"
import type { Organization } from "../../../domain/people/organizations/Organization.ts"
import type { AssistantCaller } from "./AssistantCaller.ts"
import type { ToolAnswer } from "./ToolAnswer.ts"
import { ToolRefusal } from "./ToolRefusal.ts"
import { argumentsSchema, type JsonSchema, readArguments, resultSchema } from "./ToolSchema.ts"
import type { Toolset } from "./Toolset.ts"

/** `sends`: it reaches somebody outside, or asks for money. Such tools have a limit of their own, run once for a key, and are audited. */
export type ToolKind = "reads" | "writes" | "sends"

export interface ToolHints {
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly toolset: Toolset
  readonly kind: ToolKind
  /** The key needs it to see the tool. */
  readonly scope: Scope
  /** Whether the organization's plan has what the tool does. */
  readonly isInPlan: (organization: Organization) => boolean
  readonly hints: Required<ToolHints>
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** False for a call of a tool that sends, when this one only looks. */
  readonly acts: (args: object) => boolean
  readonly run: (args: unknown, caller: AssistantCaller) => Effect.Effect<ToolAnswer, ToolRefusal>
}

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** What it is for, when not to use it, units, and one example. */
  readonly description: string
  readonly toolset: Toolset
  readonly kind: ToolKind
  readonly scope: Scope
  readonly isInPlan?: Tool["isInPlan"]
  readonly hints?: ToolHints
  readonly input: I
  readonly output: O
  readonly acts?: Tool["acts"]
  readonly run: (args: z.output<I>, caller: AssistantCaller) => Effect.Effect<ToolAnswer<z.input<O>>, ToolRefusal>
}

/** Of tools that send. */
const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,100}$/, "must have 1 to 100 printable ASCII characters, without spaces")
  .optional()
  .describe(
    "Leave it out, or send a new one to do the same thing again on purpose. Calls with one key act once in 24 hours; without a key, calls with " +
      "the same arguments do."
  )

const repeatedMeans =
  "True: an earlier call did this, and nothing was done now. Send a new idempotencyKey to do it again on purpose."

/** The arguments that the tool itself gets, and those that it has because of its kind. */
const inputOf = <I extends z.ZodObject>(input: I, kind: ToolKind): z.ZodObject =>
  kind === "sends" ? input.extend({ idempotencyKey }) : input

const outputOf = (output: z.ZodObject, kind: ToolKind): z.ZodObject =>
  kind === "sends" ? output.extend({ repeated: z.boolean().describe(repeatedMeans) }) : output

export const defineTool = <I extends z.ZodObject, O extends z.ZodObject>(spec: ToolSpec<I, O>): Tool => {
  const { input, output, run, isInPlan = () => true, acts = () => true, hints = {}, ...named } = spec
  const whole = inputOf(input, spec.kind)
  const reads = spec.kind === "reads"
  return {
    ...named,
    ...{ isInPlan, acts },
    hints: {
      destructive: false,
      idempotent: reads || spec.kind === "sends",
      openWorld: spec.kind === "sends",
      ...hints
    },
    inputSchema: argumentsSchema(whole),
    outputSchema: resultSchema(outputOf(output, spec.kind)),
    run: (args, caller) => {
      const checked = readArguments(whole, args)
      if ("problem" in checked)
        return Effect.fail(
          new ToolRefusal({ message: checked.problem, next: "Correct the argument and call the tool again." })
        )
      const { idempotencyKey: _, ...own } = checked.value
      const read = input.parse(own)
      return run(read, caller)
    }
  }
}
