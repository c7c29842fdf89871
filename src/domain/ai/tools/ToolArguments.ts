/** Are the arguments a model wrote what its tool asks for? Pure, but for the compiled schemas it remembers; the answer is a sentence the model can act on. */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv"
import { Predicate, Result } from "effect"
import { parsedJson } from "../../basics/Json.ts"
import { type CheckedSchema, checkSchema } from "./ToolSchema.ts"

export type Arguments = Readonly<Record<string, unknown>>

export type Parsed =
  | { readonly _tag: "Valid"; readonly value: Arguments }
  | { readonly _tag: "Invalid"; readonly problem: string }

interface Compiled {
  readonly schema: CheckedSchema
  readonly validate: ValidateFunction
}

/** A value as its choices spell it: an agent's tools list them as text, also those of numbers. */
const spelled = (value: unknown): string | undefined => {
  if (!Predicate.isObjectOrArray(value)) return String(value)
  return Array.isArray(value) && !value.some(Predicate.isObjectOrArray) ? String(value) : undefined
}

const isChoice = (choices: ReadonlyArray<unknown>) => {
  const all = new Set(choices)
  return (value: unknown) => all.has(value) || all.has(spelled(value))
}

/**
 * An instance for each schema: one that is shared keeps all it ever compiled. Choices are held by a closure, so that of a schema's texts only names of
 * properties get into the code that is generated.
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
    // Optimizing takes the square of a schema's size: up to four times as long as all the rest.
    code: { optimize: false }
  })
  ajv.addKeyword({ keyword: "choices", schemaType: "array", compile: isChoice })
  return { schema, validate: ajv.compile(schema) }
}

/** Characters of the schemas whose compiled form is remembered: about 10 MB of memory, or 900 schemas of five properties. */
const maxRemembered = 300_000

/** By the schema as JSON, what was used last at the end. */
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

/** Whether a schema names all that its objects can have. */
const isClosed = ({ additionalProperties, anyOf, oneOf, allOf }: CheckedSchema, isRoot: boolean): boolean =>
  (anyOf ?? oneOf ?? allOf) === undefined &&
  (additionalProperties === false || (isRoot && additionalProperties === undefined))

/** Without what the schema does not name, and without `null` for what is optional. Arguments are in the schema's order. */
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

/** How many sentences say what is wrong with each form of an argument. */
const mostForms = 3

/** The last error is the one of the arguments; what comes before it says why its forms do not fit. */
const problemOf = (errors: ReadonlyArray<ErrorObject>): string => {
  const sentences = new Set([...errors.slice(-1), ...errors.slice(0, -1)].map(sentenceOf))
  return [...sentences].slice(0, mostForms + 1).join(" ")
}

/**
 * `text` is JSON as the model wrote it; empty text counts as no arguments. Arguments the tool does not name are dropped, and so is
 * `null` for an optional one: models write both, and asking again would cost the caller a second of silence.
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
  // The errors hold the arguments, and the validator is kept.
  validate.errors = null
  return { _tag: "Invalid", problem }
}
