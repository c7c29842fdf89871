/** The parts of an OpenAPI 3.1 document that the client and the check for breaking changes are made from. */
import { OpenApi } from "effect/http-api"
import { CustomersApi, OperatorsApi } from "../../src/http/groups/Api.ts"

/** A JSON Schema of our own document: only the keywords that it uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: boolean | JsonSchema
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly contentSchema?: JsonSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly default?: unknown
  readonly title?: string
  readonly description?: string
}

export interface Content {
  readonly schema?: JsonSchema
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JsonSchema
}

export interface RequestBody {
  readonly required?: boolean
  readonly content: Readonly<Record<string, Content>>
}

export interface Answer {
  readonly description?: string
  readonly content?: Readonly<Record<string, Content>>
}

export interface Operation {
  readonly operationId: string
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly security?: ReadonlyArray<object>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Answer>>
  readonly "x-max-body-bytes"?: number
}

export interface OpenApiDocument {
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
}

/** The document that the service would serve now. */
export const currentDocument = (): OpenApiDocument => JSON.parse(JSON.stringify(OpenApi.fromApi(CustomersApi)))

/** What operators do in their part of the dashboard, of the document for operators. */
export const operatorsDocument = (): OpenApiDocument => {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(OpenApi.fromApi(OperatorsApi)))
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith("/api/operator/"))
  return { ...document, paths: Object.fromEntries(paths) }
}

/** The name in `#/components/schemas/<name>`. */
export const nameInRef = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** A parameter, where it is described. */
export const parameterOf = (document: OpenApiDocument, parameter: Parameter): Parameter =>
  parameter.$ref === undefined ? parameter : (document.components.parameters?.[nameInRef(parameter.$ref)] ?? parameter)

/** The schema of a body in JSON, if it has one. */
export const jsonOf = (content: Readonly<Record<string, Content>> | undefined): JsonSchema | undefined =>
  content?.["application/json"]?.schema

export interface DescribedOperation {
  /** `GET`, `POST`, … */
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export const operationsOf = (document: OpenApiDocument): ReadonlyArray<DescribedOperation> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )
