/**
 * Reads the JSON schema of a tool's parameters and rebuilds it from the keywords that are checked here. Schemas are input of strangers: customers write them,
 * and tools of other servers bring theirs. A schema is compiled to code, so a compiler gets only what this file made: known keywords with values of the
 * right kind, no reference, no regular expression, bounded in depth and size. Pure.
 */
import { Predicate, Result } from "effect"

/** The types a value can have: those of JSON Schema. */
export const jsonTypes = ["string", "number", "integer", "boolean", "null", "array", "object"] as const
export type JsonType = (typeof jsonTypes)[number]

type Scalar = string | number | boolean | null

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
/** Keywords whose value is one number, and the numbers it can be. */
const limits: ReadonlyMap<string, (value: unknown) => value is number> = new Map([
  ["minimum", isFiniteNumber],
  ["maximum", isFiniteNumber],
  ["exclusiveMinimum", isFiniteNumber],
  ["exclusiveMaximum", isFiniteNumber],
  ["multipleOf", (value: unknown): value is number => isFiniteNumber(value) && value > 0],
  ["minLength", isCount],
  ["maxLength", isCount],
  ["minItems", isCount],
  ["maxItems", isCount],
  ["minProperties", isCount],
  ["maxProperties", isCount]
])

/**
 * Keywords that the model is told and nobody checks here. Of these `format`, `pattern` and `uniqueItems` are checked by the tool's own server: a regular
 * expression of a stranger can run for minutes, and comparing all items with each other takes the square of their number.
 */
const annotations: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "format",
  "pattern",
  "uniqueItems",
  "contentEncoding",
  "contentMediaType"
])

/** A schema made of keywords that are checked. Keywords of `limits` are there as well. */
export interface CheckedSchema {
  readonly type?: JsonType | ReadonlyArray<JsonType>
  /** What `enum` and `const` allow. */
  readonly choices?: ReadonlyArray<Scalar>
  readonly properties?: Readonly<Record<string, CheckedSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | CheckedSchema
  readonly items?: CheckedSchema
  readonly anyOf?: ReadonlyArray<CheckedSchema>
  readonly oneOf?: ReadonlyArray<CheckedSchema>
  readonly allOf?: ReadonlyArray<CheckedSchema>
}

const maxCharacters = 65_536
const maxDepth = 16
/**
 * Schemas within the schema, their keywords and the names they require; a definition counts each time it is referred to. Compiling blocks the process for
 * some tens of milliseconds at this bound, once for each schema.
 */
const maxParts = 400

const isScalar = (value: unknown): value is Scalar => value === null || /^(string|number|boolean)$/.test(typeof value)
const isType = (value: unknown): value is JsonType => jsonTypes.some((type) => type === value)
const isText = (value: unknown): value is string => typeof value === "string"

class Refused extends Error {}

class Reader {
  readonly #root: unknown
  #parts = 0

  constructor(root: unknown) {
    this.#root = root
  }

  /** `name`: of the argument that the schema describes; empty for all of them. Throws `Refused`. */
  read(schema: unknown, name: string, depth: number): CheckedSchema {
    this.#count(1)
    if (depth > maxDepth) throw new Refused(`is nested deeper than ${maxDepth} levels, or refers to itself.`)
    if (schema === true) return {}
    if (!Predicate.isObject(schema)) throw new Refused(`has something in place of a schema${this.#of(name)}.`)
    if (Object.hasOwn(schema, "$ref")) return this.read(this.#referred(schema, name), name, depth + 1)
    const checked = Object.entries(schema).flatMap(([keyword, value]) =>
      annotations.has(keyword) ? [] : [this.#keyword(keyword, value, name, depth + 1)]
    )
    return Object.fromEntries(checked)
  }

  #keyword(keyword: string, value: unknown, name: string, depth: number): readonly [string, unknown] {
    const wrong = () => new Refused(`has a value of "${keyword}"${this.#of(name)} that it cannot have.`)
    this.#count(1)
    const fits = limits.get(keyword)
    if (fits !== undefined) {
      if (!fits(value)) throw wrong()
      return [keyword, value]
    }
    switch (keyword) {
      case "type":
        if (!isType(value) && !(Array.isArray(value) && value.length > 0 && value.every(isType))) throw wrong()
        return [keyword, Array.isArray(value) ? [...new Set(value)] : value]
      case "const":
        if (!isScalar(value)) throw wrong()
        return ["choices", [value]]
      case "enum":
        if (!Array.isArray(value) || value.length === 0 || !value.every(isScalar)) throw wrong()
        return ["choices", value]
      case "required":
        // The compiler takes a missing argument with an empty name for none.
        if (!Array.isArray(value) || !value.every(isText) || value.includes("")) throw wrong()
        this.#count(value.length)
        return [keyword, [...new Set(value)]]
      case "properties":
        if (!Predicate.isObject(value) || Object.hasOwn(value, "__proto__")) throw wrong()
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([property, schema]) => [
              property,
              this.read(schema, name === "" ? property : `${name}.${property}`, depth)
            ])
          )
        ]
      case "additionalProperties":
        return [keyword, typeof value === "boolean" ? value : this.read(value, `${name}.*`, depth)]
      case "items":
        return [keyword, this.read(value, `${name}.*`, depth)]
      case "anyOf":
      case "oneOf":
      case "allOf":
        if (!Array.isArray(value) || value.length === 0) throw wrong()
        return [keyword, value.map((schema) => this.read(schema, name, depth))]
      default:
        throw new Refused(`uses the keyword "${keyword.slice(0, 40)}"${this.#of(name)}, which is not supported.`)
    }
  }

  /** What a schema refers to: a definition of its own document. */
  #referred({ $ref, ...beside }: Readonly<Record<string, unknown>>, name: string): unknown {
    const [, place, escaped] = /^#\/(\$defs|definitions)\/([^/]{1,200})$/.exec(String($ref)) ?? []
    const definitions = Predicate.isObject(this.#root) && place !== undefined ? this.#root[place] : undefined
    const key = escaped?.replaceAll("~1", "/").replaceAll("~0", "~")
    if (key === undefined || !Predicate.isObject(definitions) || !Object.hasOwn(definitions, key))
      throw new Refused(`has a "$ref"${this.#of(name)} that is not a definition in its own "$defs".`)
    if (!Object.keys(beside).every((keyword) => annotations.has(keyword)))
      throw new Refused(`has keywords beside "$ref"${this.#of(name)}.`)
    return definitions[key]
  }

  #count(parts: number): void {
    this.#parts += parts
    if (this.#parts > maxParts) throw new Refused(`has more than ${maxParts} parts.`)
  }

  #of(name: string): string {
    return name === "" ? "" : ` of "${name}"`
  }
}

/**
 * The schema of a tool's parameters, or why it is not taken, as the end of a sentence about it. It has `type: "object"`. Definitions in `$defs` are put in
 * where they are referred to; one that refers to itself is not taken. A property named `__proto__` is not taken, nor is one with an empty name required.
 */
export const checkSchema = (parameters: unknown): Result.Result<CheckedSchema, string> => {
  if (!Predicate.isObject(parameters)) return Result.fail("is not a JSON object.")
  if (JSON.stringify(parameters).length > maxCharacters)
    return Result.fail(`is longer than ${maxCharacters} characters as JSON.`)
  try {
    const schema = new Reader(parameters).read(parameters, "", 1)
    return schema.type === "object" ? Result.succeed(schema) : Result.fail(`does not have the type "object".`)
  } catch (cause) {
    if (cause instanceof Refused) return Result.fail(cause.message)
    throw cause
  }
}
