/** The parameters and headers of a tool as rows of a form, and back. Pure; `test/web/agents.test.ts`. */
import type { Tool } from "./draft.ts"

export interface Parameter {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly required: boolean
  /** Separated by commas; empty: any value. */
  readonly choices: string
}

export const types = ["string", "number", "integer", "boolean", "array", "object"] as const

export const parametersOf = ({ parameters: { properties, required = [] } }: Tool): ReadonlyArray<Parameter> =>
  Object.entries(properties).map(([name, { type, description = "", enum: choices = [] }]) => ({
    name,
    type,
    description,
    required: required.includes(name),
    choices: choices.join(", ")
  }))

const choicesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((choice) => choice.trim())
    .filter((choice) => choice !== "")

export const withParameters = (tool: Tool, rows: ReadonlyArray<Parameter>): Tool => {
  const required = rows.filter((row) => row.required).map(({ name }) => name)
  const properties = rows.map(({ name, type, description, choices }) => {
    const options = choicesOf(choices)
    return [
      name,
      {
        type,
        ...(description === "" ? {} : { description }),
        ...(options.length === 0 ? {} : { enum: options })
      }
    ] as const
  })
  return {
    ...tool,
    parameters: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required })
    }
  }
}

/** Arguments to begin a try with: a value of each parameter's type. */
export const sampleArguments = ({ parameters: { properties } }: Tool): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type, enum: choices }]) => {
      const empty: Readonly<Record<string, unknown>> = { number: 0, integer: 1, boolean: true, array: [], object: {} }
      return [name, choices?.[0] ?? empty[type] ?? ""]
    })
  )

/** A name that no tool of the list has. */
export const freeName = (tools: ReadonlyArray<Tool>): string => {
  for (let n = 1; ; n++) {
    const name = n === 1 ? "new_tool" : `new_tool_${n}`
    if (tools.every((tool) => tool.name !== name)) return name
  }
}
