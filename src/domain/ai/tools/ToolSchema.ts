/**
 * Reads the JSON schema of a tool's parameters and rebuilds it from known keywords. Schemas are untrusted input: customers write them, and tools of
 * other servers bring their own. A schema is compiled to code, so the compiler gets only the rebuilt schema: known keywords with values of the right
 * type, no references, no regular expressions, and limits on depth and size. Pure.
 */
import { Predicate, Result } from "effect"

/** The types of JSON Schema. */
export const jsonTypes = ["string", "number", "integer", "boolean", "null", "array", "object"] as const
export type JsonType = (typeof jsonTypes)[number]

type Scalar = string | number | boolean | null

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
/** Keywords whose value is a number, with the check of that number. */
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
 * Keywords that only the model sees; they are not checked here. The tool's own server checks `format`, `pattern` and `uniqueItems`: an untrusted
 * regular expression can run for minutes, and the time to compare all items with each other grows with the square of their number.
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
  "contentMediaType",
  // An MCP server wants the argument in a header, too. The protocol's library checks its value and does it.
  "x-mcp-header"
])

/** A schema of checked keywords. It also has those of `limits`. */
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
 * The most parts of a schema: schemas within it, their keywords and their required names. A definition counts for each reference to it. Compiling a
 * schema of this size blocks the process for some tens of milliseconds, once for each schema.
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

  /** Reads one schema. `name`: the argument that it describes; empty for all arguments. Throws `Refused`. */
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
        // The compiler does not report a missing argument with an empty name.
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

  /** The definition, in the same document, that a schema refers to. */
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
 * The checked schema of a tool's parameters, which has `type: "object"`; or why it is refused, as the end of a sentence about it. Definitions in
 * `$defs` replace the references to them. A definition that refers to itself is refused, and so are a property `__proto__` and a required empty name.
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
