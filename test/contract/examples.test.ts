/** Every body in our description has an example, and each example is valid. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { CustomersApi, OperatorsApi } from "../../src/http/groups/Api.ts"

interface Media {
  readonly schema: { readonly $ref?: string }
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Described {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, Media>>
}
interface Operation {
  readonly requestBody?: Described
  readonly responses: Readonly<Record<string, Described>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly responses?: Readonly<Record<string, Described>>
    readonly schemas?: Readonly<Record<string, { readonly examples?: ReadonlyArray<unknown> }>>
  }
}

const documents: ReadonlyArray<Document> = [OpenApi.fromApi(CustomersApi), OpenApi.fromApi(OperatorsApi)].map(
  (document) => JSON.parse(JSON.stringify(document))
)

/** Files are bytes: no text is an example of one. */
const isFile = (type: string) => /^(audio|image|video|application\/(zip|pdf|vnd)|multipart|\*)/.test(type)

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1)

/** The bodies of a document: their names, schemas and examples. The example of a webhook is that of its schema. */
const bodiesOf = ({ paths, webhooks = {}, components: { responses: shared = {}, schemas = {} } }: Document) =>
  [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses }]) =>
      [["request", requestBody] as const, ...Object.entries(responses)].flatMap(([name, described]) => {
        const { $ref } = described ?? {}
        const { content = {} } = ($ref === undefined ? described : shared[nameIn($ref)]) ?? {}
        return Object.entries(content)
          .filter(([type]) => !isFile(type))
          .map(([type, { schema, example, examples = {} }]) => {
            const own = [
              ...(example === undefined ? [] : [example]),
              ...Object.values(examples).map(({ value }) => value)
            ]
            const named =
              path in webhooks && schema.$ref !== undefined ? schemas[nameIn(schema.$ref)].examples : undefined
            return { name: `${method.toUpperCase()} ${path}, ${name} (${type})`, schema, examples: named ?? own }
          })
      })
    )
  )

describe("the examples of /openapi.json and /openapi-operators.json", () => {
  it("are at every request and every answer that has a body of text", () => {
    const bodies = documents.flatMap(bodiesOf)
    expect(bodies.length).toBeGreaterThan(800)
    expect(bodies.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([])
  })

  it("fit the schemas of their bodies", () => {
    const problems = documents.flatMap((document) => {
      const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
      ajv.addSchema({ $id: "api", components: document.components })
      const compiled = new Map<string, ValidateFunction>()
      const validatorOf = (schema: object): ValidateFunction => {
        const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')
        const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
        compiled.set(text, validate)
        return validate
      }
      return bodiesOf(document).flatMap(({ name, schema, examples }) => {
        const validate = validatorOf(schema)
        return examples.flatMap((example) => (validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]))
      })
    })
    expect(problems).toEqual([])
  })
})
