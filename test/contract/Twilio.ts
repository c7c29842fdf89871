/**
 * The vendor's own description of its REST interface as a judge: what disagrees with it in a request of ours or in an answer of the
 * simulator is a sentence in `problems`.
 */
import { Effect } from "effect"
import { listen, readBody } from "../../simulators/support/Loopback.ts"
import { description as vendorDescription } from "./vendors.ts"

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly nullable?: boolean
  readonly enum?: ReadonlyArray<unknown>
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
}

interface Operation {
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const known = vendorDescription<Description>("twilio/twilio_api_v2010.json")
const description: Description = known ?? { paths: {}, components: { schemas: {} } }

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(description.components.schemas[schema.$ref.split("/").at(-1)!])

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => kinds.object(value)

/** What is wrong with a JSON value. Fields that the description does not know are wrong too. */
const problemsOf = (where: string, raw: Schema, value: unknown): ReadonlyArray<string> => {
  const schema = resolved(raw)
  // The description writes `nullable` only on fields of its own, never beside a reference.
  if (value === null) return schema.nullable === true || raw.$ref !== undefined ? [] : [`${where} is null`]
  if (schema.type !== undefined && !kinds[schema.type](value)) return [`${where} is no ${schema.type}`]
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${where} is not one of ${schema.enum}`]
  if (typeof value === "string") {
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
      return [`${where} is not ${schema.pattern}`]
    if (value.length < (schema.minLength ?? 0)) return [`${where} is too short`]
    if (value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) return [`${where} is too long`]
  }
  if (typeof value === "number") {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
    return value < minimum || value > maximum ? [`${where} is out of range`] : []
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => problemsOf(`${where}[${i}]`, schema.items ?? {}, item))
  if (!isObject(value) || schema.properties === undefined) return []
  const missing = (schema.required ?? [])
    .filter((name) => !(name in value))
    .map((name) => `${where}.${name} is missing`)
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, field]) => {
      const property = schema.properties?.[name]
      return property === undefined ? [`${where}.${name} is unknown`] : problemsOf(`${where}.${name}`, property, field)
    })
  ]
}

/** A form's text as the value that its schema means. */
const fromForm = (schema: Schema, values: ReadonlyArray<string>): unknown => {
  const { type, items } = resolved(schema)
  if (type === "array") return values.map((value) => fromForm(items ?? {}, [value]))
  const [text] = values
  if ((type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true"
  return text
}

const valuesOf = (schemas: Readonly<Record<string, Schema>>, form: URLSearchParams) =>
  Object.fromEntries([...new Set(form.keys())].map((name) => [name, fromForm(schemas[name] ?? {}, form.getAll(name))]))

const operationOf = (method: string, pathname: string) => {
  // Literal segments win over `{Sid}`.
  const fitting = Object.keys(description.paths)
    .map((path) => ({
      path,
      match: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+?)")}$`).exec(pathname)
    }))
    .filter(({ match }) => match !== null)
    .sort((a, b) => (a.path.match(/\{/g)?.length ?? 0) - (b.path.match(/\{/g)?.length ?? 0))[0]
  const operation = fitting && description.paths[fitting.path][method.toLowerCase()]
  return operation && { operation, pathValues: fitting.match?.groups ?? {} }
}

export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly form: string
  readonly status: number
  readonly body: string
}

/** What the description has against a request and its answer, if there is one; answers that are errors are outside of it. */
const problemsWith = ({ method, url, form, status, body }: Exchange): ReadonlyArray<string> => {
  if (known === undefined) return []
  const { pathname, searchParams } = new URL(url, "http://provider")
  const what = `${method} ${pathname}`
  const found = operationOf(method, pathname)
  if (found === undefined) return [`${what} is not described`]
  const { operation, pathValues } = found
  const parametersIn = (place: string): Schema => {
    const inPlace = (operation.parameters ?? []).filter((parameter) => parameter.in === place)
    return {
      type: "object",
      properties: Object.fromEntries(inPlace.map(({ name, schema }) => [name, schema])),
      required: inPlace.filter(({ required }) => required).map(({ name }) => name)
    }
  }
  const query = parametersIn("query")
  const sent = resolved(
    operation.requestBody?.content["application/x-www-form-urlencoded"].schema ?? { type: "object", properties: {} }
  )
  const problems = [
    ...problemsOf(`${what} path`, parametersIn("path"), { ...pathValues }),
    ...problemsOf(`${what} query`, query, valuesOf(query.properties ?? {}, searchParams)),
    ...problemsOf(`${what} form`, sent, valuesOf(sent.properties ?? {}, new URLSearchParams(form)))
  ]
  if (status >= 400) return problems
  const answer = operation.responses[String(status)]
  if (answer === undefined) return [...problems, `${what}: the status ${status} is not described`]
  const schema = answer.content?.["application/json"]?.schema
  if (schema === undefined) return body === "" ? problems : [...problems, `${what}: a body where none belongs`]
  return [...problems, ...problemsOf(`${what} answer`, schema, JSON.parse(body))]
}

/** Stands before a simulated provider and judges what passes; lives as long as the scope. */
export const judge = (provider: string) =>
  Effect.gen(function* () {
    const exchanges: Array<Exchange> = []
    const problems: Array<string> = []
    const server = yield* Effect.acquireRelease(
      Effect.promise(() =>
        listen(async (request, response) => {
          const { method = "GET", url = "/" } = request
          const form = await readBody(request)
          const { authorization = "", "content-type": type = "" } = request.headers
          const headers = { authorization, ...(method === "POST" ? { "content-type": type } : {}) }
          const answer = await fetch(provider + url, { method, headers, ...(method === "POST" ? { body: form } : {}) })
            .then(async (given) => ({ status: given.status, body: await given.text() }))
            .catch(() => undefined)
          if (answer === undefined) return void response.destroy()
          const exchange = { method, url, form, ...answer }
          exchanges.push(exchange)
          problems.push(...problemsWith(exchange))
          response
            .writeHead(answer.status, answer.body === "" ? {} : { "content-type": "application/json" })
            .end(answer.body)
        })
      ),
      ({ close }) => Effect.promise(close)
    )
    return { url: server.url, exchanges, problems }
  })
