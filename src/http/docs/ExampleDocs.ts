/**
 * Puts an example at every body of the OpenAPI document. Examples are written as annotations (`examples`) where schemas are declared. A body whose own
 * schema has none gets one that is made of those of its parts, as a list is made of its items.
 */
import { isObject } from "effect/Predicate"

type Fields = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (isObject(value) ? (value as Fields) : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const mapped = (value: unknown, change: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, inner]) => [name, change(inner, name)]))

/** The examples of a schema; none when a part that it needs has none. */
const examplesOf = (schema: unknown, schemas: Schemas): ReadonlyArray<unknown> => {
  const { $ref, examples, enum: choices, type, anyOf, items, properties, required } = fieldsOf(schema)
  if (typeof $ref === "string") return examplesOf(schemas[$ref.slice($ref.lastIndexOf("/") + 1)], schemas)
  if (examples !== undefined) return listOf(examples)
  if (choices !== undefined) return listOf(choices).slice(0, 1)
  if (anyOf !== undefined)
    return (
      listOf(anyOf)
        .map((member) => examplesOf(member, schemas))
        .find(({ length }) => length > 0) ?? []
    )
  if (items !== undefined) {
    const [item] = examplesOf(items, schemas)
    return item === undefined ? [] : [[item]]
  }
  if (type !== "object" || properties === undefined) return []
  const made = Object.entries(fieldsOf(properties)).flatMap(([name, inner]) =>
    examplesOf(inner, schemas)
      .slice(0, 1)
      .map((example) => [name, example] as const)
  )
  const names = new Set<unknown>(made.map(([name]) => name))
  return listOf(required).every((name) => names.has(name)) ? [Object.fromEntries(made)] : []
}

/** Several examples are named by their `type` where they have one. */
const namedExamples = (examples: ReadonlyArray<unknown>): Fields =>
  Object.fromEntries(
    examples.map((value, index) => {
      const { type } = fieldsOf(value)
      return [typeof type === "string" ? type : `example${index + 1}`, { value }]
    })
  )

/** A schema without the examples in it. */
const bare = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(bare)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === "examples" && Array.isArray(value)))
      .map(([name, value]) => [name, bare(value)])
  )
}

const withExample = (media: unknown, schemas: Schemas): unknown => {
  const { schema, ...others } = fieldsOf(media)
  const examples = examplesOf(schema, schemas)
  return {
    ...others,
    schema: bare(schema),
    ...(examples.length === 0
      ? {}
      : examples.length === 1
        ? { example: examples[0] }
        : { examples: namedExamples(examples) })
  }
}

const methods = new Set(["get", "put", "post", "patch", "delete"])

/**
 * Adds the examples. Of the schemas only those with a name keep theirs. The bodies of webhooks have such schemas, and no example beside: linters take
 * a webhook for a request of a client, in which nothing may be that is read-only for the client.
 */
export const withExamples = <Document extends { readonly paths: object; readonly components?: object }>(
  document: Document
): Document => {
  const { schemas, ...others } = fieldsOf(document.components)
  const known = fieldsOf(schemas)
  const withContent = (described: unknown): unknown => {
    const { content, ...rest } = fieldsOf(described)
    return content === undefined
      ? described
      : { ...rest, content: mapped(content, (media) => withExample(media, known)) }
  }
  const operation = (described: unknown): unknown => {
    const { requestBody, responses } = fieldsOf(described)
    return {
      ...fieldsOf(described),
      ...(requestBody === undefined ? {} : { requestBody: withContent(requestBody) }),
      responses: mapped(responses, withContent)
    }
  }
  const operations = (items: unknown) =>
    mapped(items, (item) => mapped(item, (value, name) => (methods.has(name) ? operation(value) : value)))
  return {
    ...document,
    paths: operations(document.paths),
    components: {
      ...others,
      schemas: mapped(known, (schema) => {
        const examples = examplesOf(schema, known)
        return { ...fieldsOf(bare(schema)), ...(examples.length === 0 ? {} : { examples }) }
      })
    }
  }
}
