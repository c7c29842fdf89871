/** JSON Schemas as flat lists of fields, for tools that show a form with a line for each. */

export type Json = Readonly<Record<string, unknown>>

/** The types of fields. `text` has several lines; `json` is a text that holds JSON. */
export type FieldType = "string" | "text" | "integer" | "number" | "boolean" | "datetime" | "json"

export interface AutomationField {
  /** Unique in its operation: the names on the way to the value, joined by `__`. */
  readonly key: string
  readonly path: ReadonlyArray<string>
  readonly in: "path" | "query" | "body"
  readonly type: FieldType
  /** Whether it takes several values of the type. */
  readonly list: boolean
  readonly required: boolean
  readonly label: string
  /** All values there are. */
  readonly options?: ReadonlyArray<string>
  /** The key of the list of choices that has the values. */
  readonly choices?: string
  readonly sample?: unknown
}

/** What the schemas do not say of a field. */
export interface FieldHints {
  readonly label?: string
  readonly choices?: string
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly maxLength?: number
}

const words = (name: string): ReadonlyArray<string> => name.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[\s_]+/)

const wordAs: Readonly<Record<string, string>> = {
  id: "ID",
  ids: "IDs",
  url: "URL",
  sku: "SKU",
  json: "JSON",
  sla: "SLA",
  ai: "AI"
}

/** `scheduledAt` as people read it: `Scheduled At`. */
export const labelOf = (name: string): string =>
  words(name)
    .map((word) => wordAs[word.toLowerCase()] ?? word[0].toUpperCase() + word.slice(1).toLowerCase())
    .join(" ")

/** The longest text that fits one line of a form. */
const oneLineAtMost = 600
/** Objects inside objects become fields down to this depth; deeper ones are JSON. */
const deepest = 4

/** Follows references, and leaves out `null` where it is one of two. */
const plain = (schema: Schema, schemas: Json): Schema => {
  if (schema.$ref !== undefined) return plain((schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) as Schema, schemas)
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== "null")
  return others.length === 1 ? plain(others[0], schemas) : schema
}

const typeOf = (name: string, { type, maxLength = 0 }: Schema): FieldType => {
  if (type === "integer" || type === "number" || type === "boolean") return type
  if (type !== "string") return "json"
  if (/(At|^at)$/.test(name)) return "datetime"
  return maxLength > oneLineAtMost && !/url$/i.test(name) ? "text" : "string"
}

const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value
  )

export interface FieldsOf {
  readonly in: AutomationField["in"]
  /** The schemas that are referred to by name. */
  readonly schemas: Json
  /** A value that fits the schema; its parts become the samples of the fields. */
  readonly sample?: unknown
  readonly hints?: (path: ReadonlyArray<string>) => FieldHints | undefined
  /** Names that are left out at the top. */
  readonly without?: ReadonlyArray<string>
}

/** The fields of an object's schema: one for each value, those of inner objects among them. Lists of objects and values of several types are JSON. */
export const fieldsOf = (schema: unknown, how: FieldsOf): ReadonlyArray<AutomationField> => {
  const walk = (given: Schema, path: ReadonlyArray<string>, required: boolean): ReadonlyArray<AutomationField> => {
    const found = plain(given, how.schemas)
    const name = path.at(-1) ?? ""
    if (found.properties !== undefined && path.length < deepest)
      return Object.entries(found.properties).flatMap(([inner, part]) =>
        path.length === 0 && how.without?.includes(inner)
          ? []
          : walk(part, [...path, inner], required && (found.required ?? []).includes(inner))
      )
    const items = found.type === "array" && found.items !== undefined ? plain(found.items, how.schemas) : undefined
    const list = items !== undefined && typeOf(name, items) !== "json"
    const one = list ? items : found
    const options = one.type === "string" ? one.enum?.filter((value) => typeof value === "string") : undefined
    const sample = valueAt(how.sample, path)
    const { label = path.map(labelOf).join(" "), choices } = how.hints?.(path) ?? {}
    return [
      {
        ...{ key: path.join("__"), path, in: how.in, type: typeOf(name, one), list, required, label },
        ...(options === undefined ? {} : { options }),
        ...(choices === undefined ? {} : { choices }),
        ...(sample === undefined ? {} : { sample })
      }
    ]
  }
  return walk(schema as Schema, [], true)
}
