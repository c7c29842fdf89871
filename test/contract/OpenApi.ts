/** Checks our answers against our own `/openapi.json`. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"

interface Described {
  readonly content: Readonly<Record<string, { readonly schema: object }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Described } }>>
  readonly components: { readonly responses?: Readonly<Record<string, Response>> }
}
/** The form of an event in the live feed. */
interface FeedEvent {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly data: unknown
}
interface Operation {
  readonly summary?: string
  readonly operationId: string
  readonly security?: ReadonlyArray<object>
  readonly parameters?: ReadonlyArray<object>
  readonly requestBody?: Described
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>
}
type Response = Partial<Described> & { readonly headers?: object }

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`)

export interface JudgedAnswer {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  readonly type: string | undefined
  readonly json: unknown
}

export type Contract = ReturnType<typeof contractOf>

/** A check by a document: it throws when an answer to a described route differs from its description. */
export const contractOf = (document: Document) => {
  // Each schema judges a few answers: to compile it fast counts for more than that it runs fast.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
  ajv.addSchema({ $id: "api", components: document.components })
  const resolved = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))

  // A literal path is described more exactly than a template that fits too, so it comes first.
  const templates = Object.keys(document.paths)
    .sort((a, b) => a.split("{").length - b.split("{").length)
    .map((template) => ({ template, pattern: patternOf(template) }))
  const operationOf = (method: string, path: string): Operation | undefined => {
    const found = templates.find(({ pattern }) => pattern.test(path))
    return found === undefined ? undefined : document.paths[found.template][method.toLowerCase()]
  }

  const compiled = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const validate = compiled.get(schema) ?? ajv.compile(resolved(schema))
    compiled.set(schema, validate)
    return validate
  }

  /** The answer that an operation is described to give with this status. */
  const responseOf = ({ responses }: Operation, status: number): Response | undefined => {
    const response: Operation["responses"][string] | undefined = responses[status]
    const name = response?.$ref?.split("/").at(-1)
    return name === undefined ? response : document.components.responses?.[name]
  }

  const problem = (method: string, path: string, status: number, body: unknown): string | undefined => {
    const operation = operationOf(method, path)
    if (operation === undefined) return undefined
    const response = responseOf(operation, status)
    if (response === undefined) return `${method} ${path} is not described to answer ${status}`
    const schema = response.content?.["application/json"]?.schema
    if (schema === undefined)
      return body === undefined ? undefined : `${method} ${path} ${status} has a body that is not described`
    const validate = validatorOf(schema)
    return validate(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`
  }
  /** `body` is the parsed JSON, or `undefined` without a body. */
  const check = (method: string, url: string, status: number, body: unknown): void => {
    const found = problem(method, url.split("?")[0], status, body)
    if (found !== undefined) throw new Error(found)
  }

  /**
   * What is wrong with an answer: its status, its type or its JSON. `undefined` when nothing is, or when the document does not have the address.
   * `type` is the media type, `undefined` without a body; `json` is the parsed body when it is JSON.
   */
  const answerProblem = ({ method, path, status, type, json }: JudgedAnswer): string | undefined => {
    const operation = operationOf(method === "HEAD" ? "GET" : method, path)
    if (operation === undefined) return undefined
    const what = `${method} ${path} ${status}`
    const response = responseOf(operation, status)
    if (response === undefined) return `${what}: this status is not described`
    if (type === undefined || method === "HEAD") return undefined
    const [name] = type.split(";")
    const { [name]: exact, "*/*": any } = response.content ?? {}
    if (exact === undefined && any === undefined) return `${what}: the type ${name} is not described`
    if (exact === undefined || name !== "application/json") return undefined
    const validate = validatorOf(exact.schema)
    return validate(json) ? undefined : `${what}: ${ajv.errorsText(validate.errors)}`
  }

  /** A webhook as a customer's server received it. */
  const webhookProblem = (body: { readonly type: string }): string | undefined => {
    const { type } = body
    if (!Object.hasOwn(document.webhooks, type)) return `a webhook ${type} is not described`
    const validate = validatorOf(document.webhooks[type].post.requestBody.content["application/json"].schema)
    return validate(body) ? undefined : `webhook ${type}: ${ajv.errorsText(validate.errors)}`
  }
  const feedSchema = { $ref: "#/components/schemas/Event" }
  /** Checks an event both as one of the feed and as a webhook. */
  const eventProblem = (event: FeedEvent): string | undefined => {
    const { id, type, createdAt: timestamp, data } = event
    const problem = webhookProblem({ id, type, timestamp, data } as { readonly type: string })
    if (problem !== undefined) return problem
    const validate = validatorOf(feedSchema)
    return validate(event) ? undefined : `event ${type}: ${ajv.errorsText(validate.errors)}`
  }

  return { document, check, responseOf, answerProblem, webhookProblem, eventProblem }
}
