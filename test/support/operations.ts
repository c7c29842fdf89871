/** The routes of an OpenAPI document, and requests that its schemas allow. */

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly default?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** What the document says of an operation, as far as requests need it. */
interface Described {
  readonly security?: ReadonlyArray<object>
  readonly parameters?: ReadonlyArray<Partial<Parameter> & { readonly $ref?: string }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

interface Document {
  readonly paths: Readonly<Record<string, object>>
  readonly components: unknown
}

export interface Operation {
  /** Upper case. */
  readonly method: string
  readonly path: string
  /** It needs an API key or a session. */
  readonly guarded: boolean
  readonly parameters: ReadonlyArray<Parameter>
  /** The media type of its body, and the schema of the body; undefined without a body. */
  readonly body: { readonly type: string; readonly schema: JsonSchema } | undefined
  /** The statuses that the document allows it to answer. */
  readonly statuses: ReadonlyArray<number>
}

/** A place in a JSON value: the names of fields; `[]` is the first element of a list. */
export type Place = ReadonlyArray<string>

/** Texts for the patterns and formats of the document. The first one that fits is taken. */
const texts = [
  "name",
  "+14155550123",
  "2026-11-24T00:00:00.000Z",
  "2026-11-24",
  "https://example.com/x",
  "asha@example.com",
  "en_US",
  "en-US",
  "09:00",
  "US",
  "5",
  "mon",
  "contact.*",
  "a-shortcut",
  "correct horse battery",
  "0".repeat(32)
]

const formats: Readonly<Record<string, RegExp>> = {
  "date-time": /^\d{4}-\d\d-\d\dT.*Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: /^https:/,
  email: /@/
}

export type Operations = ReturnType<typeof operationsOf>

/** Reads a document. */
export const operationsOf = (document: Document) => {
  const { schemas = {}, parameters: shared = {} } = document.components as {
    readonly schemas?: Readonly<Record<string, JsonSchema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
  const nameOf = (ref: string) => ref.split("/").at(-1) ?? ""

  /** The schema itself instead of its name, with all its parts as one. */
  const whole = (schema: JsonSchema): JsonSchema => {
    const found = schema.$ref === undefined ? schema : whole(schemas[nameOf(schema.$ref)] ?? {})
    return Object.assign({}, found, ...(found.allOf ?? []).map(whole))
  }
  const alternatives = (schema: JsonSchema): ReadonlyArray<JsonSchema> => schema.anyOf ?? schema.oneOf ?? []
  const isText = (schema: JsonSchema): boolean =>
    schema.type === "string" && schema.enum === undefined && schema.const === undefined

  /** Where a value of this schema has a free text. A schema within itself is entered once. */
  const textsIn = (schema: JsonSchema, entered: ReadonlyArray<string> = []): ReadonlyArray<Place> => {
    const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref)
    if (name !== undefined && entered.includes(name)) return []
    const inside = name === undefined ? entered : [...entered, name]
    const one = whole(schema)
    if (isText(one)) return [[]]
    const found = [
      ...alternatives(one).flatMap((part) => textsIn(part, inside)),
      ...Object.entries(one.properties ?? {}).flatMap(([field, of]) =>
        textsIn(of, inside).map((place) => [field, ...place])
      ),
      ...(one.items === undefined ? [] : textsIn(one.items, inside).map((place) => ["[]", ...place]))
    ]
    return [...new Map(found.map((place) => [place.join("."), place])).values()]
  }

  const reaches = (schema: JsonSchema, place: Place): boolean =>
    textsIn(schema).some((found) => found.join(".") === place.join("."))

  /** The schema of the text at this place; undefined when there is none. */
  const textAt = (schema: JsonSchema, [next, ...rest]: Place): JsonSchema | undefined => {
    const one = whole(schema)
    if (next === undefined && isText(one)) return one
    const inside = next === "[]" ? one.items : one.properties?.[next ?? ""]
    const found = inside === undefined ? undefined : textAt(inside, rest)
    if (found !== undefined) return found
    const place = next === undefined ? [] : [next, ...rest]
    for (const part of alternatives(one)) {
      const within = reaches(part, place) ? textAt(part, place) : undefined
      if (within !== undefined) return within
    }
    return undefined
  }

  const textOf = ({ pattern, format, minLength = 0, maxLength = 10_000 }: JsonSchema): string => {
    const fits = (text: string) =>
      (pattern === undefined || new RegExp(pattern, "u").test(text)) &&
      (format === undefined || formats[format]?.test(text) !== false) &&
      text.length >= minLength &&
      text.length <= maxLength
    const text = texts.find(fits)
    if (text === undefined) throw new Error(`no text of test/support/operations.ts fits ${pattern ?? format}`)
    return text
  }

  /** A value that the schema allows, with as few optional fields as possible, but with the one at `place`. */
  const sample = (schema: JsonSchema, place: Place = []): unknown => {
    const one = whole(schema)
    if (one.const !== undefined) return one.const
    if (one.enum !== undefined) return one.enum[0]
    if (one.default !== undefined && place.length === 0) return one.default
    const parts = alternatives(one)
    if (parts.length > 0 && one.properties === undefined) {
      const [first] = parts
      return sample(parts.find((part) => reaches(part, place)) ?? first, place)
    }
    const [next, ...rest] = place
    if (one.properties !== undefined) {
      const { properties, required = [] } = one
      const fields = Object.keys(properties).filter((field) => field === next || required.includes(field))
      return Object.fromEntries(fields.map((field) => [field, sample(properties[field], field === next ? rest : [])]))
    }
    if (one.items !== undefined)
      return next === "[]" || (one.minItems ?? 0) > 0 ? [sample(one.items, next === "[]" ? rest : [])] : []
    switch (one.type) {
      case "string":
        return textOf(one)
      case "integer":
      case "number":
        return one.minimum ?? 1
      case "boolean":
        return true
      case "null":
        return null
      case "array":
        return []
      default:
        return {}
    }
  }

  /** The value with `text` at this place. */
  const put = (value: unknown, [next, ...rest]: Place, text: string): unknown => {
    if (next === undefined) return text
    if (next === "[]") return Array.isArray(value) ? [put(value[0], rest, text), ...value.slice(1)] : value
    return { ...(value as object), [next]: put((value as Record<string, unknown>)[next], rest, text) }
  }

  /** Whether the value has a text at this place. */
  const has = (value: unknown, [next, ...rest]: Place): boolean => {
    if (next === undefined) return typeof value === "string"
    if (typeof value !== "object" || value === null) return false
    return has(Array.isArray(value) ? value[0] : (value as Record<string, unknown>)[next], rest)
  }

  /** The fields that are true or false. */
  const flagsOf = (schema: JsonSchema): ReadonlyArray<string> =>
    Object.entries(whole(schema).properties ?? {})
      .filter(([, of]) => whole(of).type === "boolean")
      .map(([name]) => name)

  const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Described>>).map(([method, described]) => {
      const [type] = Object.keys(described.requestBody?.content ?? {})
      const schema = described.requestBody?.content[type]?.schema
      return {
        method: method.toUpperCase(),
        path,
        guarded: (described.security ?? []).length > 0,
        parameters: (described.parameters ?? []).flatMap((parameter) => {
          const known = parameter.$ref === undefined ? parameter : shared[nameOf(parameter.$ref)]
          return known === undefined ? [] : [known as Parameter]
        }),
        body: schema === undefined ? undefined : { type, schema },
        statuses: Object.keys(described.responses).map(Number)
      }
    })
  )
  return { operations, textsIn, textAt, flagsOf, sample, has, put }
}
