/**
 * Says of schemas what clients see, where the library writes how the service decodes: parameters are numbers and not text, numbers have no
 * "Infinity", whole numbers have no bounds of the machine, and what only an answer has is read-only.
 */
import { isObject } from "effect/Predicate"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (isObject(value) ? (value as Fields) : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const mapped = (value: unknown, change: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, inner]) => [name, change(inner, name)]))

const isNotFinite = (schema: unknown): boolean => listOf(fieldsOf(schema).enum).includes("NaN")

/** A number without what JSON cannot hold; the schema itself when it is no number. */
const finite = (schema: Fields): Fields => {
  const { anyOf, ...others } = schema
  const members = listOf(anyOf)
  if (!members.some(isNotFinite)) return schema
  const left = members.filter((member) => !isNotFinite(member))
  return left.length === 1 ? { ...fieldsOf(left[0]), ...others } : { ...others, anyOf: left }
}

const withoutMachineBounds = ({ minimum, maximum, ...others }: Fields): Fields => ({
  ...others,
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
})

/** Examples and fixed values are data, in which nothing is to be changed. */
const data: ReadonlySet<string> = new Set(["examples", "example", "enum", "default", "const", "required"])

/** What is said of the schemas in any part of the document. `x-effect-stream` is the library's note to itself. */
const told = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(told)
  if (!isObject(part)) return part
  const changed = Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) =>
      name === "x-effect-stream" ? [] : [[name, data.has(name) ? value : told(value)] as const]
    )
  )
  const whole = finite(changed)
  return whole.type === "integer" ? withoutMachineBounds(whole) : whole
}

const withParameter = (parameter: unknown): unknown => {
  const { schema, ...others } = fieldsOf(parameter)
  const { contentSchema } = fieldsOf(schema)
  return contentSchema === undefined ? parameter : { ...others, schema: contentSchema }
}

const withOperation = (operation: unknown): unknown => {
  const { parameters } = fieldsOf(operation)
  return parameters === undefined
    ? operation
    : { ...fieldsOf(operation), parameters: listOf(parameters).map(withParameter) }
}

interface Document {
  readonly paths: object
  readonly components?: { readonly schemas?: object }
}

/** The name of the schema of a JSON body; undefined when it has none. */
const namedIn = (described: unknown): string | undefined => {
  const { $ref } = fieldsOf(fieldsOf(fieldsOf(fieldsOf(described).content)["application/json"]).schema)
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined
}

/** The fields of each record that no request to change it has, by the name of the record. */
const readOnlyOf = (document: Document): ReadonlyMap<string, ReadonlySet<string>> => {
  const schemas = fieldsOf(document.components?.schemas)
  const propertiesOf = (described: unknown): ReadonlyArray<string> => {
    const { schema } = fieldsOf(fieldsOf(fieldsOf(described).content)["application/json"])
    const name = namedIn(described)
    const { properties, anyOf } = fieldsOf(name === undefined ? schema : schemas[name])
    return [properties, ...listOf(anyOf).map((member) => fieldsOf(member).properties)].flatMap((of) =>
      Object.keys(fieldsOf(of))
    )
  }
  const found = new Map<string, ReadonlySet<string>>()
  for (const item of Object.values(document.paths)) {
    const { get, put, patch } = fieldsOf(item)
    const change = fieldsOf(patch ?? put)
    const name = namedIn(fieldsOf(fieldsOf(get).responses)["200"])
    if (name === undefined || change.requestBody === undefined) continue
    const changeable = new Set(propertiesOf(change.requestBody))
    const fields = Object.keys(fieldsOf(fieldsOf(schemas[name]).properties)).filter((field) => !changeable.has(field))
    // A body that is read and written as a whole has nothing that is only read.
    if (namedIn(change.requestBody) !== name) found.set(name, new Set(fields))
  }
  return found
}

/**
 * Moves schemas that have a title to the components. The library does this with schemas that have an identifier, and then writes the identifier where
 * a sentence about a wrong body should say what the body must be.
 */
export const withNamedSchemas = <Given extends Document>(document: Given): Given => {
  const named = new Map<string, unknown>()
  const moved = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(moved)
    if (!isObject(part)) return part
    const inside = mapped(part, (value, name) => (data.has(name) ? value : moved(value)))
    const { title, ...schema } = inside
    if (typeof title !== "string" || (schema.type === undefined && schema.anyOf === undefined)) return inside
    const known = named.get(title)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas have the title ${title}.`)
    named.set(title, schema)
    return { $ref: `#/components/schemas/${title}` }
  }
  const changed = moved(document) as Given
  return {
    ...changed,
    components: {
      ...changed.components,
      schemas: { ...changed.components?.schemas, ...Object.fromEntries(named) }
    }
  }
}

/** Corrects the schemas of a document. */
export const withTrueSchemas = <Given extends Document>(document: Given): Given => {
  const readOnly = readOnlyOf(document)
  const changed = told(document) as Given
  return {
    ...changed,
    paths: mapped(changed.paths, (item) => mapped(item, withOperation)),
    components: {
      ...changed.components,
      schemas: mapped(changed.components?.schemas, (schema, name) => {
        const fields = readOnly.get(name)
        const { properties } = fieldsOf(schema)
        if (fields === undefined || properties === undefined) return schema
        const marked = mapped(properties, (property, field) =>
          fields.has(field) ? { ...fieldsOf(property), readOnly: true } : property
        )
        return { ...fieldsOf(schema), properties: marked }
      })
    }
  }
}
