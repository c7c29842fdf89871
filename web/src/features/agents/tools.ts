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

const unnamed = "new_tool"

/** A name that no other tool has: `wanted` itself, or with a number behind it. */
export const freeName = (others: ReadonlyArray<string>, wanted = unnamed): string => {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}_${n}`
    if (!others.includes(name)) return name
  }
}

/** The name that a tool has by what runs it. */
const givenName = ({ handler }: Tool): string | undefined => {
  switch (handler?.type) {
    case "builtin":
      return handler.name
    case "mcp":
      return handler.tool.replace(/[^a-zA-Z0-9_-]/g, "_")
    default:
      return undefined
  }
}

const isNumbered = (name: string, base: string) => name === base || new RegExp(`^${base}_\\d+$`).test(name)

/** The tool, run by something that says itself what it is for and what it is asked with. A name that somebody has chosen stays. */
export const runBy = (
  tool: Tool,
  given: Pick<Tool, "name" | "description" | "parameters" | "handler">,
  others: ReadonlyArray<string>
): Tool => {
  const isChosen = [unnamed, givenName(tool)].every((base) => base === undefined || !isNumbered(tool.name, base))
  return { ...tool, ...given, name: isChosen ? tool.name : freeName(others, given.name) }
}
