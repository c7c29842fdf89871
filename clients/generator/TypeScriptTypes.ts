/** TypeScript types of the schemas of an OpenAPI document, as a person would write them: named interfaces with comments. */
import { type JsonSchema, nameInRef, type OpenApiDocument } from "./OpenApiDocument.ts"
import { docComment, pascal, singular } from "./Words.ts"

/** Keywords that say nothing about which values are possible. */
const notes = new Set(["description", "title", "examples", "example", "default"])

/** A text that two schemas share when the same values fit them. */
const shapeOf = (schema: unknown): string =>
  JSON.stringify(schema, (key, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([name]) => key === "properties" || !notes.has(name))
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
        )
      : value
  )

const partsOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => [
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? []),
  ...(schema.prefixItems ?? []),
  ...Object.values(schema.properties ?? {}),
  ...[schema.items, schema.additionalProperties].filter((part) => typeof part === "object")
]

const isRecord = (schema: JsonSchema): boolean => Object.keys(schema.properties ?? {}).length > 0

/** The only value of a field, if it has one: `"text"` of `{ "enum": ["text"] }`. */
const literalOf = (schema: JsonSchema | undefined): string | undefined => {
  const value = schema?.const ?? (schema?.enum?.length === 1 ? schema.enum[0] : undefined)
  return typeof value === "string" ? value : undefined
}

/** The field by which the alternatives of a union are told apart. */
const tagOf = (alternatives: ReadonlyArray<JsonSchema>): string | undefined => {
  const tags = Object.keys(alternatives[0]?.properties ?? {}).filter(
    (name) =>
      new Set(alternatives.map(({ properties }) => literalOf(properties?.[name])).filter((one) => one !== undefined))
        .size === alternatives.length
  )
  return tags.find((name) => name === "type") ?? tags[0]
}

const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER

const amount = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 })

const between = (least: number | undefined, most: number | undefined, unit: string): string | undefined => {
  const [from, to] = [
    isBound(least) ? amount.format(least) : undefined,
    isBound(most) ? amount.format(most) : undefined
  ]
  if (from !== undefined && to !== undefined && from !== to) return `${from} to ${to}${unit}.`
  if (to !== undefined) return `${from === to ? "Exactly" : "At most"} ${to}${unit}.`
  return from === undefined || (unit !== "" && least === 0) ? undefined : `At least ${from}${unit}.`
}

const units: ReadonlyArray<readonly [ending: RegExp, unit: string]> = [
  [/Ms$/, "In milliseconds."],
  [/Seconds$/, "In seconds."],
  [/Minutes$/, "In minutes."],
  [/Days$/, "In days."],
  [/Bytes$/, "In bytes."]
]

/** What a comment says of a field: its description, its unit, its bounds and its default. */
const noteOf = (name: string, schema: JsonSchema): string => {
  const plain = schema.anyOf?.find(({ type }) => type !== "null") ?? schema
  const isNumber = plain.type === "integer" || plain.type === "number"
  const unit = isNumber ? units.find(([ending]) => ending.test(name))?.[1] : undefined
  const told = [
    schema.description ?? plain.description,
    unit,
    between(plain.minLength, plain.maxLength, " characters"),
    between(plain.minItems, plain.maxItems, " entries"),
    between(plain.minimum, plain.maximum, ""),
    schema.default === undefined ? undefined : `Default: ${JSON.stringify(schema.default)}.`
  ]
  return told.filter((text) => text !== undefined).join(" ")
}

const quoted = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

/** A union, on one line if it is short. */
const choice = (types: ReadonlyArray<string>, indent: string): string => {
  const line = types.join(" | ")
  return line.length < 100 || line.includes("\n") ? line : types.map((type) => `\n  ${indent}| ${type}`).join("")
}

/** A type behind a colon or an equals sign. */
const spaced = (type: string): string => (type.startsWith("\n") ? type : ` ${type}`)

/** Where a nested schema is: the declaration that holds it and the nearest field. */
interface Place {
  readonly root: string
  readonly field: string
  readonly indent: string
}

export class TypeScriptTypes {
  readonly #document: OpenApiDocument
  readonly #declarations = new Map<string, string>()
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    for (const [name, schema] of Object.entries(document.components.schemas)) this.#names.set(shapeOf(schema), name)
  }

  /** Counts the records in a schema. Those that occur more than once get a name. To be called for every schema before the first is printed. */
  readonly count = (schema: JsonSchema, seen = new Set<string>()): void => {
    if (schema.$ref !== undefined) {
      const name = nameInRef(schema.$ref)
      if (seen.has(name)) return
      this.count(this.#document.components.schemas[name], seen.add(name))
      return
    }
    if (isRecord(schema)) this.#uses.set(shapeOf(schema), (this.#uses.get(shapeOf(schema)) ?? 0) + 1)
    for (const part of partsOf(schema)) this.count(part, seen)
  }

  /** Gives a schema a name where it has none, and declares its type. Returns the type. `otherwise` is the name if the first one is taken. */
  readonly named = (schema: JsonSchema, name: string, description?: string, otherwise = name): string => {
    if (schema.$ref !== undefined) return this.#component(nameInRef(schema.$ref))
    const shape = shapeOf(schema)
    const known = this.#names.get(shape)
    if (known !== undefined) {
      // A name of a component, whose schema occurs unreferenced.
      if (!this.#declarations.has(known)) this.#declare(known, schema, description)
      return known
    }
    const free = this.#free(this.#free(name) === name ? name : otherwise)
    this.#names.set(shape, free)
    this.#declare(free, schema, description)
    return free
  }

  /** All types that were declared, in the order of their names. */
  readonly print = (): string =>
    [...this.#declarations]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join("\n")

  /** The names of all types that were declared. */
  readonly declared = (): ReadonlyArray<string> => [...this.#declarations.keys()].toSorted()

  #free(name: string): string {
    const taken = new Set(this.#names.values())
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}${number}`
      if (!taken.has(candidate)) return candidate
    }
  }

  #component(name: string): string {
    if (!this.#declarations.has(name)) this.#declare(name, this.#document.components.schemas[name])
    return name
  }

  #declare(name: string, schema: JsonSchema, description?: string): void {
    // Entered first: a schema may refer to itself.
    this.#declarations.set(name, "")
    const comment = docComment(schema.description ?? description ?? "", "")
    const place = { root: name, field: "", indent: "" }
    const text = isRecord(schema)
      ? `export interface ${name} ${this.#record(schema, place)}\n`
      : `export type ${name} =${spaced(this.#type(schema, place))}\n`
    this.#declarations.set(name, comment + text)
  }

  #record({ properties = {}, required = [] }: JsonSchema, place: Place): string {
    const indent = `${place.indent}  `
    const fields = Object.entries(properties).map(([name, schema]) => {
      const optional = !required.includes(name)
      const type = this.#type(schema, { ...place, field: name, indent })
      const whole = optional ? `${type} | undefined` : type
      return `${docComment(noteOf(name, schema), indent)}${indent}readonly ${quoted(name)}${optional ? "?" : ""}:${spaced(whole)}\n`
    })
    return `{\n${fields.join("")}${place.indent}}`
  }

  #nested(schema: JsonSchema, place: Place): string {
    const shape = shapeOf(schema)
    const known = this.#names.get(shape)
    if (known !== undefined) return this.named(schema, known)
    const size = Object.keys(schema.properties ?? {}).length
    const worthy = size >= 5 || (size >= 2 && (this.#uses.get(shape) ?? 0) > 1)
    return worthy ? this.named(schema, place.root + pascal(place.field)) : this.#record(schema, place)
  }

  #union(alternatives: ReadonlyArray<JsonSchema>, place: Place): string {
    const records = alternatives.filter(isRecord)
    const tag = records.length > 1 ? tagOf(records) : undefined
    const long = place.root + pascal(place.field)
    const short = place.field === "" ? place.root : pascal(place.field)
    const types = alternatives.flatMap((alternative) =>
      tag !== undefined && isRecord(alternative)
        ? this.named(
            alternative,
            pascal(literalOf(alternative.properties?.[tag]) ?? "") + short,
            undefined,
            pascal(literalOf(alternative.properties?.[tag]) ?? "") + long
          )
        : (alternative.enum?.map((value) => JSON.stringify(value)) ?? this.#type(alternative, place))
    )
    const distinct = [...new Set(types)]
    return choice(distinct, place.indent)
  }

  #type(schema: JsonSchema, place: Place): string {
    if (schema.$ref !== undefined) return this.#component(nameInRef(schema.$ref))
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined)
      return choice(
        schema.enum.map((value) => JSON.stringify(value)),
        place.indent
      )
    const alternatives = schema.anyOf ?? schema.oneOf
    // Alternatives beside `properties` only say which of the fields go together.
    if (alternatives !== undefined && !isRecord(schema)) return this.#union(alternatives, place)
    if (schema.allOf !== undefined && !isRecord(schema)) {
      const [only, ...others] = schema.allOf.filter(
        (part) => partsOf(part).length > 0 || part.type !== undefined || part.$ref !== undefined
      )
      if (schema.type === undefined && only !== undefined)
        return [only, ...others].map((part) => this.#type(part, place)).join(" & ")
    }
    if (isRecord(schema)) return this.#nested(schema, place)
    switch (schema.type) {
      case "integer":
      case "number":
        return "number"
      case "string":
        return schema.format === "binary" ? "FileInput" : "string"
      case "boolean":
        return "boolean"
      case "null":
        return "null"
      case "array": {
        const items = typeof schema.items === "object" ? schema.items : schema.prefixItems?.[0]
        return `ReadonlyArray<${items === undefined ? "unknown" : this.#type(items, { ...place, field: singular(place.field) })}>`
      }
      case "object": {
        const { additionalProperties } = schema
        const value = typeof additionalProperties === "object" ? this.#type(additionalProperties, place) : "unknown"
        return `Readonly<Record<string, ${value}>>`
      }
      default:
        return "unknown"
    }
  }
}
