/** Are the arguments a model wrote what its tool asks for? Pure; the answer is a sentence the model can act on. */
import { Predicate } from "effect"
import { parsedJson } from "../../basics/Json.ts"
import type { ToolSpec } from "./Tool.ts"

export type Arguments = Readonly<Record<string, unknown>>

export type Parsed =
  | { readonly _tag: "Valid"; readonly value: Arguments }
  | { readonly _tag: "Invalid"; readonly problem: string }

type Property = ToolSpec["parameters"]["properties"][string]

const matches: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: Predicate.isObject
}

/** The types a tool's property can have: those of JSON Schema. */
export const propertyTypes: ReadonlyArray<string> = Object.keys(matches)

const problemOf = (name: string, { type, enum: options }: Property, value: unknown): string | undefined => {
  const fits = matches[type]
  if (fits !== undefined && !fits(value)) return `The argument "${name}" must be of type ${type}.`
  if (options !== undefined && !options.includes(String(value)))
    return `The argument "${name}" must be one of: ${options.join(", ")}.`
  return undefined
}

/**
 * `text` is JSON as the model wrote it; empty text counts as no arguments. Arguments the tool does not name are dropped, and so is
 * `null` for an optional one: models write both, and asking again would cost the caller a second of silence.
 */
export const parseArguments = (spec: Pick<ToolSpec, "parameters">, text: string): Parsed => {
  const value = parsedJson(text === "" ? "{}" : text)
  if (!Predicate.isObject(value)) return { _tag: "Invalid", problem: "The arguments must be one JSON object." }
  const { properties, required = [] } = spec.parameters
  for (const name of required)
    if (!Object.hasOwn(value, name)) return { _tag: "Invalid", problem: `The argument "${name}" is missing.` }
  const kept: Array<readonly [string, unknown]> = []
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue
    if (value[name] === null && property.type !== "null" && !required.includes(name)) continue
    const problem = problemOf(name, property, value[name])
    if (problem !== undefined) return { _tag: "Invalid", problem }
    kept.push([name, value[name]])
  }
  return { _tag: "Valid", value: Object.fromEntries(kept) }
}
