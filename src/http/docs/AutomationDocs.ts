/**
 * What an automation tool (Zapier, Make, n8n) needs to know of the interface: triggers, actions, searches, and how to sign in. All of it is taken from the
 * description of the routes, so it says what they say.
 */
import { type EventType, eventTypes } from "../../domain/events/Event.ts"
import { eventScope } from "../../domain/events/EventFilter.ts"

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Json>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>
  }
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>> }
    >
  >
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
}

/** The parts of the OpenAPI document that are used. */
export interface AutomationSource {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas?: Readonly<Record<string, { readonly examples?: ReadonlyArray<unknown> }>> }
}

const actions = [
  "messages.send",
  "contacts.create",
  "contacts.update",
  "messagingConsents.optIn",
  "messagingConsents.optOut",
  "conversationNotes.create",
  "broadcasts.create"
]
const searches = ["contacts.list", "contacts.get", "chats.list", "chats.get"]
/** Lists that fill the choices of a field. */
const choices = ["templates.list", "voiceAgents.list", "quickReplies.list"]

/** Events about an organization's own set-up start no automation. */
const isTrigger = (type: EventType) => !type.startsWith("webhook.")

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

export const automationOf = ({ info, paths, webhooks = {}, components }: AutomationSource) => {
  const schemas = components.schemas ?? {}
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const described = (ids: ReadonlyArray<string>) =>
    ids.flatMap((id) => {
      const found = operations.find(({ operation }) => operation.operationId === id)
      if (found === undefined) return []
      const { path, method, operation } = found
      const { summary = "", description = "", parameters = [], requestBody, responses } = operation
      const input = requestBody?.content["application/json"]
      const output = (responses["200"] ?? responses["201"])?.content?.["application/json"]
      return [
        {
          ...{ key: id, label: summary, description, method, path, scope: scopeOf(operation) },
          parameters: parameters.filter((parameter) => parameter.in === "path" || parameter.in === "query"),
          input: input?.schema ?? null,
          output: output?.schema ?? null,
          sample: output?.example ?? null
        }
      ]
    })
  const triggers = eventTypes.filter(isTrigger).map((type) => {
    const operation = webhooks[type]?.post
    const schema = operation?.requestBody?.content["application/json"]?.schema ?? {}
    const [name] = referredTo(schema, schemas)
    return {
      ...{ key: type, label: operation?.summary ?? type, scope: eventScope(type) },
      subscribe: {
        method: "POST",
        path: "/api/webhook-endpoints",
        scope: "admin",
        body: { url: "{targetUrl}", events: [type] }
      },
      unsubscribe: { method: "DELETE", path: "/api/webhook-endpoints/{id}", scope: "admin" },
      schema,
      sample: schemas[name]?.examples?.[0] ?? null
    }
  })
  const parts = { triggers, actions: described(actions), searches: described(searches), choices: described(choices) }
  const used = referredTo(parts, schemas)
  return {
    ...{ name: info.title, version: info.version },
    auth: { type: "bearer", header: "Authorization", test: { method: "GET", path: "/api/messaging-api/status" } },
    ...parts,
    components: { schemas: Object.fromEntries([...used].sort().map((name) => [name, schemas[name]])) }
  }
}
