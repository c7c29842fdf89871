/** The parts of `/openapi.json` that all addresses share: the general rules, how to repeat a POST, and the common answers. */

/** The general rules, for readers who have only `/docs`. */
export const generalRules = `Customer messaging, and voice agents that answer and place real phone calls.

**Key.** \`Authorization: Bearer mk_…\`. A key has scopes; one that is missing is 403 and named. People sign in with \`POST /api/session\` and may ask the same with the session's cookie;
everything but \`GET\` and \`HEAD\` then needs the session's \`csrfToken\` in the header \`X-CSRF-Token\`.

**Errors** are \`{ "error": "a sentence" }\` with 400, 401, 403, 404, 409, 429 or 500, and nothing else. What belongs to another organization is 404. A body has at most 256 KB unless its address says another number (\`x-max-body-bytes\`).

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

const schema = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } })

const tooMany = {
  description: "Asked too often",
  headers: {
    "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
    "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
    "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
    "Retry-After": { $ref: "#/components/headers/RetryAfter" }
  },
  content: schema("TooManyEncoded")
}
const failed = { description: "Something went wrong on our side", content: schema("ServerErrorEncoded") }
const conflict = {
  description: "The Idempotency-Key was used with another body, or its first request is still under way",
  content: schema("ConflictEncoded")
}

interface Operation {
  readonly security?: ReadonlyArray<unknown>
  readonly parameters?: ReadonlyArray<unknown>
  readonly requestBody?: { readonly content: object }
  readonly responses: object
}

/**
 * Adds the common answers to an operation. An operation that needs a key or a session has a rate limit, and its POST can be repeated, except for
 * forms: the body of a form differs each time it is sent.
 */
const withCommonAnswers = (method: string, operation: Operation): Operation => {
  const { security = [], parameters = [], requestBody, responses } = operation
  if (security.length === 0) return { ...operation, responses: { 500: failed, ...responses } }
  const repeatable = method === "post" && !Object.hasOwn(requestBody?.content ?? {}, "multipart/form-data")
  return {
    ...operation,
    parameters: repeatable ? [...parameters, { $ref: "#/components/parameters/IdempotencyKey" }] : parameters,
    responses: { ...(repeatable ? { 409: conflict } : {}), 500: failed, ...responses, 429: tooMany }
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly parameters?: object }
}

/** Adds the common parts to an OpenAPI document. */
export const withCommon = <Given extends Document>(document: Given) => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, withCommonAnswers(method, operation)])
      )
    ])
  ),
  components: {
    ...document.components,
    headers,
    parameters: { ...document.components?.parameters, IdempotencyKey: idempotencyKey }
  }
})
