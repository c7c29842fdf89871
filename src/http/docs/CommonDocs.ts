/** The parts of `/openapi.json` that all addresses share: the general rules, how to repeat a POST, and the common answers. */

import { withScope } from "./SecurityDocs.ts"

/** The general rules, for readers who have only `/docs`. */
export const generalRules = `Customer messaging, and voice agents that answer and place real phone calls.

**Key.** \`Authorization: Bearer mk_…\`. A key has scopes; one that is missing is 403 and named. People sign in with \`POST /api/session\` and may ask the same with the session's cookie;
everything but \`GET\` and \`HEAD\` then needs the session's \`csrfToken\` in the header \`X-CSRF-Token\`.

**Errors** are \`{ "error": "a sentence" }\` with 400, 401, 403, 404, 405 (and \`Allow\`), 409, 429 or 500, and nothing else. A field or parameter that is not known is 400 with the nearest known name. What belongs to another organization is 404. A body has at most 256 KB unless its address says another number (\`x-max-body-bytes\`).

**Repeating a POST.** With an \`Idempotency-Key\` the same request again within 24 hours gets the first answer again (\`Idempotent-Replayed: true\`), and nothing is done twice. The same key with another body is 409.

**Limits.** 120 requests a minute per address. Answers say where the caller stands: \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds). One too many is 429 with \`Retry-After\`.

**Lists** are newest first: \`{ "data", "page", "limit", "total" }\`, \`page\` from 1, \`limit\` from 1 to 100. Long ones also answer \`nextCursor\`: sent back as \`cursor\` it goes on where the part ended, whatever was added meanwhile.

**Times** are ISO 8601 in UTC; durations name their unit. Every answer has an \`X-Request-Id\`.`

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 printable ASCII characters, without spaces: the same request again gets the first answer again.",
  schema: { type: "string", minLength: 1, maxLength: 255 }
}

const whole = (description: string) => ({ description, required: true, schema: { type: "integer" } })

const headers = {
  RateLimitLimit: whole("How often it may be asked."),
  RateLimitRemaining: whole("How often it may still be asked."),
  RateLimitReset: whole("Seconds until it may be asked again."),
  RetryAfter: whole("Seconds until it may be asked again.")
}

/** The components of `Errors.ts`, as the library names them, with what clients are told of each. */
const errors = {
  BadRequest: "The request is not valid: the sentence names the field",
  Unauthorized: "No valid key or session",
  Forbidden: "The key, the role or the plan does not allow it",
  NotFound: "There is no such record in this organization",
  Conflict:
    "The record does not allow it now. Or the Idempotency-Key was used with another body, or its first request is still under way",
  TooMany: "Asked too often",
  ServerError: "Something went wrong on our side"
} as const
type ErrorName = keyof typeof errors
const errorNames = Object.keys(errors) as ReadonlyArray<ErrorName>

const limited = {
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
  "Retry-After": { $ref: "#/components/headers/RetryAfter" }
}

/** The library's name of an error's schema: the body differs from the class by its methods alone. */
const encodedName = (name: ErrorName) => `${name}Encoded`

const errorSchema = {
  type: "object",
  description: "A sentence that says what to do.",
  properties: { error: { type: "string" } },
  required: ["error"],
  additionalProperties: false
}

const exampleIn = (schemas: Readonly<Record<string, unknown>>, name: ErrorName): object => {
  const { properties } = (schemas[encodedName(name)] ?? {}) as {
    readonly properties?: { readonly error?: { readonly examples?: ReadonlyArray<string> } }
  }
  return { error: properties?.error?.examples?.[0] ?? errors[name] }
}

const responsesOf = (schemas: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    errorNames.map((name) => [
      name,
      {
        description: errors[name],
        ...(name === "TooMany" ? { headers: limited } : {}),
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/Error" }, example: exampleIn(schemas, name) }
        }
      }
    ])
  )

const referTo = (name: ErrorName) => ({ $ref: `#/components/responses/${name}` })

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>
}

/** The answer, or the name of the common answer that it is. */
const named = (response: Response) => {
  const ref = response.content?.["application/json"]?.schema?.$ref
  const name = errorNames.find((one) => ref === `#/components/schemas/${encodedName(one)}`)
  return name === undefined ? response : referTo(name)
}

interface Operation {
  readonly tags?: ReadonlyArray<string>
  readonly description?: string
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters?: ReadonlyArray<unknown>
  readonly requestBody?: { readonly content: object }
  readonly responses: Readonly<Record<string, Response>>
}

/**
 * Adds the common answers to an operation. The POST of an operation that needs a key or a session can be repeated, unless it takes nothing but forms:
 * the body of a form differs each time it is sent. Operators have no keys of this kind: what they do is refused the second time.
 */
const withCommonAnswers = (method: string, operation: Operation) => {
  const { security = [], parameters = [], requestBody, responses } = operation
  const types = Object.keys(requestBody?.content ?? {})
  const onlyForms = types.length > 0 && types.every((type) => type === "multipart/form-data")
  const byOperator = security.some((way) => Object.hasOwn(way, "operator"))
  const repeatable = security.length > 0 && !byOperator && method === "post" && !onlyForms
  return {
    ...withScope(operation),
    parameters: repeatable ? [...parameters, { $ref: "#/components/parameters/IdempotencyKey" }] : parameters,
    responses: {
      ...(repeatable ? { 409: referTo("Conflict") } : {}),
      429: referTo("TooMany"),
      500: referTo("ServerError"),
      ...Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, named(response)]))
    }
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly parameters?: object; readonly schemas?: Readonly<Record<string, unknown>> }
}

/** The parts that the document refers to. */
const used = (kind: "responses" | "parameters", parts: object, document: string) =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => document.includes(`"#/components/${kind}/${name}"`)))

/** Adds the common parts to an OpenAPI document. */
export const withCommon = <Given extends Document>(document: Given) => {
  const schemas = document.components?.schemas ?? {}
  const encoded = new Set<string>(errorNames.map(encodedName))
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, withCommonAnswers(method, operation)])
      )
    ])
  )
  const text = JSON.stringify(paths)
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: {
        Error: { ...errorSchema, examples: [exampleIn(schemas, "BadRequest")] },
        ...Object.fromEntries(Object.entries(schemas).filter(([name]) => !encoded.has(name)))
      },
      responses: used("responses", responsesOf(schemas), text),
      headers,
      parameters: {
        ...document.components?.parameters,
        ...used("parameters", { IdempotencyKey: idempotencyKey }, text)
      }
    }
  }
}
