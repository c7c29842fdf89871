/** The groups of operations that a client offers, with the names of their types. */
import {
  type DescribedOperation,
  type JsonSchema,
  jsonOf,
  nameInRef,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  parameterOf
} from "./OpenApiDocument.ts"
import { TypeScriptTypes } from "./TypeScriptTypes.ts"
import { docComment, pascal, singular } from "./Words.ts"

/** They take no key, and the same again changes nothing: the same bytes are the same file. */
const keyless: ReadonlySet<string> = new Set(["media.upload", "media.uploadShort"])

/** What an operation answers: JSON, a page of a list, a file, text, or events that go on coming. */
type AnswerKind = "json" | "list" | "file" | "text" | "events"

export interface ClientOperation {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: "json" | "form" | "raw" | undefined
  readonly takesQuery: boolean
  readonly takesKey: boolean
  readonly repeatable: boolean
  readonly answer: AnswerKind
  /** The method of the client as a declaration, with its comment. */
  readonly declaration: string
}

export interface ClientGroup {
  readonly name: string
  readonly description: string
  readonly operations: ReadonlyArray<ClientOperation>
}

const successOf = ({ operation }: DescribedOperation) =>
  Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, answer]) => answer)

/** A schema, where it is described. */
const described = (document: OpenApiDocument, schema: JsonSchema | undefined): JsonSchema | undefined =>
  schema?.$ref === undefined ? schema : document.components.schemas[nameInRef(schema.$ref)]

/** The item of a list, `{ data, page, limit, total, … }`, and whether its pages say more. */
const listIn = (schema: JsonSchema | undefined): { readonly item: JsonSchema; readonly extra: boolean } | undefined => {
  const { data, page, limit, total, nextCursor: _, ...others } = schema?.properties ?? {}
  if (data === undefined || page === undefined || limit === undefined || total === undefined) return undefined
  return typeof data.items === "object" ? { item: data.items, extra: Object.keys(others).length > 0 } : undefined
}

const answerKind = (document: OpenApiDocument, one: DescribedOperation): AnswerKind => {
  const contents = successOf(one).flatMap(({ content = {} }) => Object.entries(content))
  const [type, { schema }] = contents[0] ?? ["application/json", {}]
  if (type === "text/event-stream") return "events"
  if (type === "application/json") return listIn(described(document, schema)) === undefined ? "json" : "list"
  return type.startsWith("text/") && schema?.format !== "binary" ? "text" : "file"
}

const bodyKind = ({ operation: { requestBody } }: DescribedOperation): ClientOperation["body"] => {
  if (requestBody === undefined) return undefined
  // A form comes first: it takes a file of any of the types.
  if (requestBody.content["multipart/form-data"] !== undefined) return "form"
  return jsonOf(requestBody.content) === undefined ? "raw" : "json"
}

/** The query as the schema of a record. */
const queryOf = (parameters: ReadonlyArray<Parameter>): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.map(({ name, schema = {}, description }) => [
      name,
      { ...schema, ...(description === undefined ? {} : { description }) }
    ])
  ),
  required: parameters.filter(({ required }) => required === true).map(({ name }) => name)
})

/** Names of the parts of one operation: `ContactsCreate`. */
const prefixOf = (group: string, name: string): string => pascal(group) + pascal(name)

/** The name of what a list holds: `Contact` of `contacts.list`, `BroadcastsRecipient` of `broadcasts.recipients`. */
const itemName = (group: string, name: string): string => {
  if (name !== "list") return pascal(group) + pascal(singular(name))
  const one = singular(group)
  return pascal(one === group ? `${group} entry` : one)
}

/** The record that a group is about: `Disclosure` of `disclosure.get`. The types of other answers are named after their operation. */
const answerName = (group: string, name: string, prefix: string): string =>
  name === "get" || name === "read" ? pascal(singular(group)) : `${prefix}Answer`

/** The item of an answer that only holds a few: `{ data }`. */
const fewIn = (schema: JsonSchema | undefined): JsonSchema | undefined => {
  const { data, ...others } = schema?.properties ?? {}
  return Object.keys(others).length === 0 && typeof data?.items === "object" ? data.items : undefined
}

/** Everything of an interface that the generated files say. `repeatable`: the operations that may be sent again without a key. */
export const clientOf = (document: OpenApiDocument, repeatable = keyless) => {
  const types = new TypeScriptTypes(document)
  const all = operationsOf(document).map((one) => {
    const [group, name] = one.operation.operationId.split(".")
    const parameters = (one.operation.parameters ?? []).map((parameter) => parameterOf(document, parameter))
    return { ...one, group, name, parameters }
  })

  const ids = new Set(all.map(({ operation }) => operation.operationId))
  const unknown = [...repeatable].filter((id) => !ids.has(id))
  if (unknown.length > 0) throw new Error(`${unknown.join(", ")} may be repeated, but there is no such operation.`)

  const schemas = all.flatMap((one) => [
    ...Object.values(one.operation.requestBody?.content ?? {}),
    ...successOf(one).flatMap(({ content = {} }) => Object.values(content))
  ])
  for (const { schema } of schemas) if (schema !== undefined) types.count(schema)

  // Records that lists hold get their name first: an operation that answers one of them shares it.
  for (const one of all) {
    const schema = described(document, jsonOf(successOf(one)[0]?.content))
    const item = listIn(schema)?.item ?? fewIn(schema)
    if (item !== undefined) types.named(item, itemName(one.group, one.name))
  }

  const methodOf = (one: (typeof all)[number]): ClientOperation => {
    const { group, name, method, path, operation, parameters } = one
    const prefix = prefixOf(group, name)
    const inQuery = parameters.filter((parameter) => parameter.in === "query")
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    const body = bodyKind(one)
    const answer = answerKind(document, one)
    const given = inPath.map((parameter) => `${parameter}: string`)
    if (body !== undefined) {
      const optional = operation.requestBody?.required === true ? "" : "?"
      const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {}
      given.push(`body${optional}: ${body === "raw" ? "FileInput" : types.named(schema, `${prefix}Body`)}`)
    }
    if (inQuery.length > 0) {
      const optional = inQuery.some(({ required }) => required === true) ? "" : "?"
      given.push(`query${optional}: ${types.named(queryOf(inQuery), `${prefix}Query`)}`)
    }
    given.push(`options?: ${answer === "events" ? "StreamOptions" : "RequestOptions"}`)
    return {
      group,
      name,
      method,
      path,
      body,
      takesQuery: inQuery.length > 0,
      takesKey: parameters.some((parameter) => parameter.in === "header" && parameter.name === "Idempotency-Key"),
      repeatable: repeatable.has(operation.operationId),
      answer,
      declaration: `${docComment([`\`${method} ${path}\`:`, operation.summary, operation.description].join(". ").replace(":. ", ": "), "  ")}  ${name}(${given.join(", ")}): ${answerType(one, prefix)}\n`
    }
  }

  const answerType = (one: (typeof all)[number], prefix: string): string => {
    switch (answerKind(document, one)) {
      case "file":
        return "Promise<ReceivedFile>"
      case "text":
        return "Promise<string>"
      case "events":
        return "EventStream"
      case "list": {
        const schema = jsonOf(successOf(one)[0].content) ?? {}
        const list = listIn(described(document, schema))
        if (list === undefined) throw new Error(`${one.operation.operationId} is no list`)
        const item = types.named(list.item, itemName(one.group, one.name))
        return list.extra ? `Listed<${item}, ${types.named(schema, `${prefix}Page`)}>` : `Listed<${item}>`
      }
      case "json": {
        const answers = successOf(one).flatMap(({ content }) => jsonOf(content) ?? [])
        const names = answers.map((schema, at) =>
          types.named(
            schema,
            at === 0 ? answerName(one.group, one.name, prefix) : `${prefix}Answer`,
            undefined,
            `${prefix}Answer`
          )
        )
        return `Promise<${[...new Set(names)].join(" | ") || "void"}>`
      }
    }
  }

  const operations = all.map(methodOf)
  const groups: ReadonlyArray<ClientGroup> = [...new Set(operations.map(({ group }) => group))].map((name) => ({
    name,
    description: document.tags?.find((tag) => tag.name === name)?.description ?? "",
    operations: operations.filter(({ group }) => group === name)
  }))

  const webhooks = Object.values(document.webhooks ?? {}).flatMap((item) =>
    Object.values(item).flatMap(({ requestBody, summary }) => {
      const schema = jsonOf(requestBody?.content)
      return schema === undefined ? [] : [types.named(schema, "Webhook", summary)]
    })
  )
  if (document.components.schemas.Event !== undefined) types.named({ $ref: "#/components/schemas/Event" }, "Event")
  return { groups, webhooks, types }
}
