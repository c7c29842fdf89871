/** Every body in our description has an example, and each example is valid. */
import { Ajv2020 } from "ajv/dist/2020.js"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { AppApi } from "../../src/http/groups/Api.ts"

interface Media {
  readonly schema: object
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
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses?: Readonly<Record<string, Described>> }
}

const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(AppApi)))

/** Files are bytes: no text is an example of one. */
const isFile = (type: string) => /^(audio|application\/(zip|octet-stream)|multipart)/.test(type)

const bodies = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { requestBody, responses }]) =>
    [["request", requestBody] as const, ...Object.entries(responses)].flatMap(([name, described]) => {
      const { $ref } = described ?? {}
      const meant =
        $ref === undefined ? described : document.components.responses?.[$ref.slice($ref.lastIndexOf("/") + 1)]
      return Object.entries(meant?.content ?? {})
        .filter(([type]) => !isFile(type))
        .map(([type, media]) => [`${method.toUpperCase()} ${path}, ${name} (${type})`, media] as const)
    })
  )
)
const examplesOf = ({ example, examples = {} }: Media): ReadonlyArray<unknown> => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value)
]

describe("the examples of /openapi.json", () => {
  it("are at every request and every answer that has a body of text", () => {
    expect(bodies.length).toBeGreaterThan(800)
    expect(bodies.filter(([, media]) => examplesOf(media).length === 0).map(([name]) => name)).toEqual([])
  })

  it("fit the schemas of their bodies", { timeout: 60_000 }, () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
    ajv.addSchema({ $id: "api", components: document.components })
    const resolved = (schema: object): object =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))
    const problems = bodies.flatMap(([name, media]) => {
      const validate = ajv.compile(resolved(media.schema))
      return examplesOf(media).flatMap((example) =>
        validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]
      )
    })
    expect(problems).toEqual([])
  })
})
