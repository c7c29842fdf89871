/**
 * What an automation tool (Zapier, Make, n8n) needs to know of the interface: triggers, actions, searches, choices, and how to sign in. All of it is
 * taken from the description of the routes, so it says what they say.
 */
import { eventScope } from "../../domain/events/EventFilter.ts"
import { type TriggerType, triggerTypes } from "../../domain/events/Hook.ts"
import { type AutomationField, type FieldHints, fieldsOf, type Json, labelOf } from "./AutomationFields.ts"
import {
  choicesByName,
  type WantedOperation,
  wantedActions,
  wantedChoices,
  wantedSearches
} from "./AutomationOperations.ts"

interface Media {
  readonly schema: Json
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly schema?: Json
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
}

/** The parts of the OpenAPI document that are used. */
export interface AutomationSource {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas?: Readonly<Record<string, { readonly examples?: ReadonlyArray<unknown> }>> }
}

/** Parameters of lists that forms do not show: tools ask for one page. */
const paging = ["page", "cursor", "asOf"]

const hooks = "/api/integrations/hooks"

const scopeOf = ({ security = [] }: Operation) => security.flatMap((way) => way.bearer ?? []).at(0) ?? null

/** The names of the schemas that a value refers to, and those that these refer to. */
const referredTo = (value: unknown, schemas: Json, found = new Set<string>()): ReadonlySet<string> => {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name) || schemas[name] === undefined) continue
    found.add(name)
    referredTo(schemas[name], schemas, found)
  }
  return found
}

/** The one of several schemas whose fields may have these values. */
const variantOf = (schema: Json, schemas: Json, fixed: Readonly<Record<string, string>>): Json => {
  const named = typeof schema.$ref === "string" ? (schemas[schema.$ref.split("/").at(-1) ?? ""] as Json) : schema
  const fits = (part: Json) =>
    Object.entries(fixed).every(([name, value]) => {
      const properties = part.properties as Readonly<Record<string, { readonly enum?: ReadonlyArray<unknown> }>>
      return properties[name]?.enum?.includes(value)
    })
  return ((named.anyOf ?? []) as ReadonlyArray<Json>).find(fits) ?? schema
}

const examplesOf = (media: Media | undefined, schemas: Json): ReadonlyArray<unknown> => {
  const name = typeof media?.schema.$ref === "string" ? media.schema.$ref.split("/").at(-1) : undefined
  const named = (name === undefined ? undefined : schemas[name]) as
    | { readonly examples?: ReadonlyArray<unknown> }
    | undefined
  return [
    ...(media?.example === undefined ? [] : [media.example]),
    ...Object.values(media?.examples ?? {}).map(({ value }) => value),
    ...(named?.examples ?? [])
  ]
}

const hintsOf =
  ({ fields = {} }: WantedOperation) =>
  (path: ReadonlyArray<string>): FieldHints => {
    const choices = choicesByName[path.at(-1) ?? ""]
    return { ...(choices === undefined ? {} : { choices }), ...fields[path.join(".")] }
  }

const operationsOf = ({ paths, components }: AutomationSource) => {
  const schemas = (components.schemas ?? {}) as Json
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const find = (id: string) => all.find(({ operation }) => operation.operationId === id)

  const described = (wanted: WantedOperation) => {
    const found = find(wanted.id)
    if (found === undefined) return []
    const { path, method, operation } = found
    const { summary = "", description = "", parameters = [], requestBody, responses } = operation
    const { variant, label, fixed = {} } = wanted
    const hints = hintsOf(wanted)
    const body = requestBody?.content["application/json"]
    const input = body === undefined ? null : variantOf(body.schema, schemas, fixed)
    const example = examplesOf(body, schemas).find((value) =>
      Object.entries(fixed).every(([name, is]) => Reflect.get(Object(value), name) === is)
    )
    const output = (responses["200"] ?? responses["201"])?.content?.["application/json"]
    const ofParameters = parameters.flatMap((parameter): ReadonlyArray<AutomationField> => {
      const { name, in: place, required = false, schema = {} } = parameter
      if (name === undefined || (place !== "path" && place !== "query") || paging.includes(name)) return []
      const part = { type: "object", properties: { [name]: schema }, required: required ? [name] : [] }
      return fieldsOf(part, { in: place, schemas, hints })
    })
    const ofBody =
      input === null
        ? []
        : fieldsOf(input, { in: "body", schemas, sample: example, hints, without: Object.keys(fixed) })
    const sample = examplesOf(output, schemas)[0] ?? null
    return [
      {
        ...{ key: variant === undefined ? wanted.id : `${wanted.id}.${variant}`, label, summary, description },
        ...{ method, path, scope: scopeOf(operation), fixed, fields: [...ofParameters, ...ofBody] },
        ...{ parameters: parameters.filter((parameter) => parameter.in === "path" || parameter.in === "query") },
        ...{ input, output: output?.schema ?? null, sample },
        /** The field of the answer that has the records; null when the answer is the record. */
        items: Array.isArray(Reflect.get(Object(sample), "data")) ? "data" : null
      }
    ]
  }
  const choices = wantedChoices.flatMap(({ id, label, value, text }) => {
    const found = find(id)
    if (found === undefined) return []
    const { path, method, operation } = found
    const limit = operation.parameters?.some(({ name }) => name === "limit") === true
    const at = { method, path, scope: scopeOf(operation), query: limit ? { limit: 100 } : {} }
    return [{ key: id, label, ...at, items: "data", value, text }]
  })
  return { actions: wantedActions.flatMap(described), searches: wantedSearches.flatMap(described), choices }
}

const triggerOf = ({ webhooks = {}, components }: AutomationSource) => {
  const schemas = (components.schemas ?? {}) as Json
  return (type: TriggerType) => {
    const operation = webhooks[type]?.post
    const schema = operation?.requestBody?.content["application/json"]?.schema ?? {}
    const sample = examplesOf({ schema }, schemas)[0] ?? null
    return {
      ...{ key: type, label: type.split(/[._]/).map(labelOf).join(" "), summary: operation?.summary ?? type },
      scope: eventScope(type),
      subscribe: {
        method: "POST",
        path: hooks,
        scope: "integrations:write",
        body: { targetUrl: "{targetUrl}", event: type }
      },
      unsubscribe: { method: "DELETE", path: `${hooks}?id={id}`, scope: "integrations:write" },
      exists: { method: "GET", path: `${hooks}?id={id}`, scope: "integrations:write" },
      samples: { method: "GET", path: `${hooks}/samples/${type}`, scope: "integrations:read" },
      fields: fieldsOf(schema, { in: "body", schemas, sample }),
      ...{ schema, sample }
    }
  }
}

/** How a tool signs in: with an API key, at the address of this service. */
const auth = {
  ...{ type: "bearer", header: "Authorization" },
  fields: [
    { key: "baseUrl", label: "Address", type: "string", secret: false },
    { key: "apiKey", label: "API Key", type: "string", secret: true }
  ],
  test: { method: "GET", path: "/api/messaging-api/status", scope: "status:read" }
}

/** The description for automation tools, made from the OpenAPI document. */
export const automationOf = (source: AutomationSource) => {
  const schemas = (source.components.schemas ?? {}) as Json
  const triggers = triggerTypes.map(triggerOf(source))
  const parts = { triggers, ...operationsOf(source) }
  const scopes = new Set([
    ...[auth.test.scope, "integrations:read", "integrations:write"],
    ...[...parts.triggers, ...parts.actions, ...parts.searches, ...parts.choices].flatMap(({ scope }) => scope ?? [])
  ])
  const used = referredTo(parts, schemas)
  return {
    ...{ name: source.info.title, version: source.info.version },
    auth: { ...auth, scopes: [...scopes].sort() },
    ...parts,
    components: { schemas: Object.fromEntries([...used].sort().map((name) => [name, schemas[name]])) }
  }
}

export type AutomationDescription = ReturnType<typeof automationOf>
export type AutomationOperation = AutomationDescription["actions"][number]
export type AutomationTrigger = AutomationDescription["triggers"][number]
export type AutomationChoices = AutomationDescription["choices"][number]
