/**
 * Checks the arguments that a model wrote against its tool's schema. Problems are sentences for the model. Pure, except for a cache of compiled
 * schemas.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv"
import { Predicate, Result } from "effect"
import { parsedJson } from "../../basics/Json.ts"
import type { ToolDefinition } from "./Tool.ts"
import { type CheckedSchema, checkSchema } from "./ToolSchema.ts"

export type Arguments = Readonly<Record<string, unknown>>

export type Parsed =
  | { readonly _tag: "Valid"; readonly value: Arguments }
  | { readonly _tag: "Invalid"; readonly problem: string }

interface Compiled {
  readonly schema: CheckedSchema
  readonly validate: ValidateFunction
}

/** A value as text, to compare it with choices: an agent's tools list choices as text, numbers too. */
const spelled = (value: unknown): string | undefined => {
  if (!Predicate.isObjectOrArray(value)) return String(value)
  return Array.isArray(value) && !value.some(Predicate.isObjectOrArray) ? String(value) : undefined
}

const isChoice = (choices: ReadonlyArray<unknown>) => {
  const all = new Set(choices)
  return (value: unknown) => all.has(value) || all.has(spelled(value))
}

/**
 * Each schema gets its own Ajv instance, because a shared one keeps everything that it ever compiled. A closure holds the choices, so that of all
 * texts in a schema only property names get into the generated code.
 */
const compile = (schema: CheckedSchema): Compiled => {
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    meta: false,
    validateSchema: false,
    ownProperties: true,
    verbose: true,
    logger: false,
    // The time of optimizing grows with the square of a schema's size: up to four times as long as all other steps.
    code: { optimize: false }
  })
  ajv.addKeyword({ keyword: "choices", schemaType: "array", compile: isChoice })
  return { schema, validate: ajv.compile(schema) }
}

/** The size of the cache in characters of schemas: about 10 MB of memory, or 900 schemas of five properties. */
const maxRemembered = 300_000

/** Compiled schemas by their JSON, the last used one at the end. */
const remembered = new Map<string, Result.Result<Compiled, string>>()
let rememberedCharacters = 0

const compiledOf = (parameters: unknown): Result.Result<Compiled, string> => {
  const key = JSON.stringify(parameters)
  const known = remembered.get(key)
  if (known !== undefined) {
    remembered.delete(key)
    remembered.set(key, known)
    return known
  }
  const compiled = Result.map(checkSchema(parameters), compile)
  remembered.set(key, compiled)
  rememberedCharacters += key.length
  for (const oldest of remembered.keys()) {
    if (rememberedCharacters <= maxRemembered) break
    remembered.delete(oldest)
    rememberedCharacters -= oldest.length
  }
  return compiled
}

const admitsNull = ({ type, choices, anyOf, oneOf }: CheckedSchema): boolean => {
  if (type !== undefined) return [type].flat().includes("null")
  if (choices !== undefined) return choices.includes(null)
  return (anyOf ?? oneOf)?.some(admitsNull) ?? true
}

/** Whether a schema names all properties that its objects can have. */
const isClosed = ({ additionalProperties, anyOf, oneOf, allOf }: CheckedSchema, isRoot: boolean): boolean =>
  (anyOf ?? oneOf ?? allOf) === undefined &&
  (additionalProperties === false || (isRoot && additionalProperties === undefined))

/** The value without properties that a closed schema does not name, and without `null` for optional ones. Properties are in the schema's order. */
const tidied = (schema: CheckedSchema, value: unknown, isRoot = false): unknown => {
  const { properties = {}, required = [], items } = schema
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => tidied(items, item))
  if (!Predicate.isObject(value)) return value
  const named = Object.entries(properties).flatMap(([name, property]) => {
    if (!Object.hasOwn(value, name)) return []
    const left = value[name] === null && !required.includes(name) && !admitsNull(property)
    return left ? [] : [[name, tidied(property, value[name])] as const]
  })
  const others = Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name))
  return Object.fromEntries(isClosed(schema, isRoot) ? named : [...named, ...others])
}

const titleOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  const names = keyword === "required" ? [...path, params.missingProperty] : path
  return names.length === 0 ? "The arguments" : `The argument "${names.join(".")}"`
}

const sentenceOf = (error: ErrorObject): string => {
  const title = titleOf(error)
  switch (error.keyword) {
    case "required":
      return `${title} is missing.`
    case "type":
      return `${title} must be of type ${[error.params.type].flat().join(" or ")}.`
    case "choices":
      return `${title} must be one of: ${[error.schema].flat().join(", ")}.`
    case "additionalProperties":
      return `${title} must not have "${error.params.additionalProperty}".`
    case "anyOf":
      return `${title} fits none of the forms it can have.`
    case "oneOf":
      return `${title} must fit exactly one of the forms it can have.`
    default:
      return `${title} ${error.message}.`
  }
}

/** The most sentences about the forms of an argument. */
const mostForms = 3

/** The sentences about all errors. The last error is that of the arguments; the errors before it say why its forms do not fit. */
const problemOf = (errors: ReadonlyArray<ErrorObject>): string => {
  const sentences = new Set([...errors.slice(-1), ...errors.slice(0, -1)].map(sentenceOf))
  return [...sentences].slice(0, mostForms + 1).join(" ")
}

/**
 * Parses and checks arguments. `text` is the model's JSON; an empty text counts as no arguments. Arguments that the tool does not name are dropped,
 * and so is `null` for an optional one: models write both, and asking the model again would cost the caller a second of silence.
 */
export const parseArguments = (spec: { readonly parameters: unknown }, text: string): Parsed => {
  const written = parsedJson(text === "" ? "{}" : text)
  if (!Predicate.isObject(written)) return { _tag: "Invalid", problem: "The arguments must be one JSON object." }
  const compiled = compiledOf(spec.parameters)
  if (Result.isFailure(compiled))
    return { _tag: "Invalid", problem: `The tool cannot be used: the schema of its parameters ${compiled.failure}` }
  const { schema, validate } = compiled.success
  const value = tidied(schema, written, true)
  if (validate(value) && Predicate.isObject(value)) return { _tag: "Valid", value }
  const problem = problemOf(validate.errors ?? [])
  // The errors hold the arguments; the cached validator must not keep them.
  validate.errors = null
  return { _tag: "Invalid", problem }
}

/** Any arguments: what knows their schema checks them. */
const anyArguments = { parameters: { type: "object", additionalProperties: true } }

/** `parseArguments` for a tool of an agent. The arguments of an MCP server's tool are checked where its approved schema is known. */
export const parseToolArguments = (tool: ToolDefinition, text: string): Parsed =>
  parseArguments(tool.handler?.type === "mcp" ? anyArguments : tool, text)
