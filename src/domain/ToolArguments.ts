/** Are the arguments a model wrote what its tool asks for? Pure; the answer is a sentence the model can act on. */
import type { ToolSpec } from "./Tool.ts"

export type Arguments = Readonly<Record<string, unknown>>

export type Parsed =
  | { readonly _tag: "Valid"; readonly value: Arguments }
  | { readonly _tag: "Invalid"; readonly problem: string }

const matches: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text === "" ? "{}" : text)
  } catch {
    return undefined
  }
}

const isArguments = (value: unknown): value is Arguments => matches.object(value)

/** `text` is JSON as the model wrote it; empty text counts as no arguments. Properties the tool does not name are let through. */
export const parseArguments = (spec: Pick<ToolSpec, "parameters">, text: string): Parsed => {
  const value = parse(text)
  if (!isArguments(value)) return { _tag: "Invalid", problem: "The arguments must be one JSON object." }
  const { properties, required = [] } = spec.parameters
  for (const name of required)
    if (!Object.hasOwn(value, name)) return { _tag: "Invalid", problem: `The argument "${name}" is missing.` }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue
    const fits = matches[property.type]
    if (fits !== undefined && !fits(value[name]))
      return { _tag: "Invalid", problem: `The argument "${name}" must be of type ${property.type}.` }
    if (property.enum !== undefined && !property.enum.includes(String(value[name])))
      return { _tag: "Invalid", problem: `The argument "${name}" must be one of: ${property.enum.join(", ")}.` }
  }
  return { _tag: "Valid", value }
}
