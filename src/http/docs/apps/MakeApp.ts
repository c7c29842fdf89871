/**
 * A custom app of Make, as a project for its local development (the extension "Make Apps Editor" deploys it): a connection, an instant trigger with its
 * webhook, modules for actions and searches, and remote procedures that fill drop-downs.
 */
import type { AutomationChoices, AutomationDescription, AutomationOperation } from "../AutomationDocs.ts"
import type { AutomationField } from "../AutomationFields.ts"
import { type AppFile, type AppFileOptions, camel, jsonFile, template } from "./AppFile.ts"

type Json = Readonly<Record<string, unknown>>

/** A component of the app: what makecomapp.json says of it, and its files by the kind of their code. */
interface Component {
  readonly id: string
  readonly metadata: Json
  readonly codes: Readonly<Record<string, { readonly name: string; readonly value: unknown }>>
}

const hooks = "/api/integrations/hooks"
const sanitize = { sanitize: ["request.headers.authorization"] }
const authorization = "Bearer {{connection.apiKey}}"

const kebab = (id: string): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const capital = (text: string): string => text[0].toUpperCase() + text.slice(1)
const listId = ({ key }: Pick<AutomationChoices, "key">): string => camel(`list.${key}`)

const inputType = ({ type }: AutomationField): Json => {
  if (type === "text") return { type: "text", multiline: true }
  if (type === "datetime") return { type: "date" }
  if (type === "json") return { type: "text", multiline: true, help: "JSON." }
  return { type: type === "string" ? "text" : type }
}

const input = (field: AutomationField): Json => {
  const { key, label, list, required, options, choices } = field
  const name = { name: key, label, required }
  const multiple = list ? { multiple: true } : {}
  if (choices !== undefined)
    return { ...name, type: "select", ...multiple, options: `rpc://${listId({ key: choices })}` }
  if (options !== undefined)
    return { ...name, type: "select", ...multiple, options: options.map((value) => ({ label: value, value })) }
  return list ? { ...name, type: "array", spec: inputType(field) } : { ...name, ...inputType(field) }
}

/** The form that a value has, for those who map its parts to the next module. */
const outputOf = (name: string, value: unknown): Json => {
  const named = { name, label: capital(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()) }
  if (Array.isArray(value))
    return { ...named, type: "array", ...(value.length === 0 ? {} : { spec: partsOf(value[0]) }) }
  if (typeof value === "object" && value !== null) return { ...named, type: "collection", spec: partsOf(value) }
  if (typeof value === "boolean" || typeof value === "number") return { ...named, type: typeof value }
  return { ...named, type: typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? "date" : "text" }
}

const partsOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([name, part]) => outputOf(name, part))
    : { type: typeof value === "string" || value === null ? "text" : typeof value }

const valueOf = ({ key, type }: AutomationField): string =>
  type === "json" ? `{{if(parameters.${key}, parseJSON(parameters.${key}), undefined)}}` : `{{parameters.${key}}}`

const put = (body: Record<string, unknown>, [name, ...rest]: ReadonlyArray<string>, value: unknown): void => {
  if (rest.length === 0) {
    body[name] = value
    return
  }
  const inner = (body[name] ?? {}) as Record<string, unknown>
  body[name] = inner
  put(inner, rest, value)
}

const requestOf = ({ method, path, fixed, fields }: AutomationOperation): Json => {
  const query = fields.filter((field) => field.in === "query").map((field) => [field.key, valueOf(field)])
  const body: Record<string, unknown> = { ...fixed }
  for (const field of fields) if (field.in === "body") put(body, field.path, valueOf(field))
  return {
    url: path.replace(/\{(\w+)\}/g, (_, name: string) => `{{encodeURL(parameters.${name})}}`),
    method,
    ...(query.length === 0 ? {} : { qs: Object.fromEntries(query) }),
    ...(method === "GET" ? {} : { body })
  }
}

const moduleOf =
  (moduleType: "action" | "search") =>
  (operation: AutomationOperation): Component => {
    const { key, label, summary, items, sample, fields } = operation
    const record = items === null ? sample : (Reflect.get(Object(sample), items) as ReadonlyArray<unknown>)[0]
    const response = items === null ? { output: "{{body}}" } : { iterate: `{{body.${items}}}`, output: "{{item}}" }
    return {
      id: camel(key),
      metadata: { label, description: summary, moduleType, connection: "parley" },
      codes: {
        communication: { name: "communication", value: { ...requestOf(operation), response } },
        staticParams: { name: "static-params", value: [] },
        mappableParams: { name: "mappable-params", value: fields.map(input) },
        interface: { name: "interface", value: partsOf(record ?? {}) },
        samples: { name: "samples", value: record ?? {} }
      }
    }
  }

const rpcOf = (choice: AutomationChoices): Component => {
  const { label, path, query, items, value, text } = choice
  const response = { iterate: `{{body.${items}}}`, output: { label: `{{item.${text}}}`, value: `{{item.${value}}}` } }
  return {
    id: listId(choice),
    metadata: { label: `List ${label}`, connection: "parley" },
    codes: {
      communication: { name: "communication", value: { url: path, method: "GET", qs: query, response } },
      params: { name: "params", value: [] }
    }
  }
}

const connection = ({ auth }: AutomationDescription, baseUrl: string | undefined): Component => ({
  id: "parley",
  metadata: { label: "Parley", connectionType: "basic" },
  codes: {
    communication: {
      name: "communication",
      value: {
        url: `{{parameters.baseUrl}}${auth.test.path}`,
        headers: { authorization: "Bearer {{parameters.apiKey}}" },
        response: {
          error: { message: "[{{statusCode}}] {{body.error}}" },
          metadata: { type: "text", value: "{{parameters.baseUrl}}" }
        },
        log: sanitize
      }
    },
    params: {
      name: "params",
      value: [
        {
          ...{ name: "baseUrl", label: "Address", type: "url", required: true },
          ...{
            help: "The address of the service, without a slash at its end.",
            ...(baseUrl === undefined ? {} : { default: baseUrl })
          }
        },
        { name: "apiKey", label: "API Key", type: "password", required: true }
      ]
    }
  }
})

const webhook = ({ triggers }: AutomationDescription): Component => ({
  id: "events",
  metadata: { label: "Events", webhookType: "web", connection: "parley" },
  codes: {
    communication: { name: "communication", value: { respond: { status: 200 }, output: "{{body}}" } },
    params: {
      name: "params",
      value: [
        {
          ...{ name: "event", label: "Event", type: "select", required: true },
          options: triggers.map(({ key, label, summary }) => ({ label, value: key, description: summary }))
        }
      ]
    },
    attach: {
      name: "attach",
      value: {
        ...{ url: hooks, method: "POST", body: { targetUrl: "{{webhook.url}}", event: "{{parameters.event}}" } },
        response: { data: { externalHookId: "{{body.id}}" } }
      }
    },
    detach: {
      name: "detach",
      value: {
        ...{ url: hooks, method: "DELETE", qs: { id: "{{webhook.externalHookId}}" } },
        // A hook that has ended before counts as detached.
        response: { valid: "{{statusCode < 400 || statusCode = 404}}" }
      }
    },
    requiredScope: { name: "required-scope", value: [] }
  }
})

const watchEvents = ({ triggers }: AutomationDescription): Component => {
  const [{ sample }] = triggers
  const { data, ...rest } = Object(sample) as Json
  return {
    id: "watchEvents",
    metadata: {
      ...{ label: "Watch Events", description: "Triggers when something happens in Parley." },
      ...{ moduleType: "instant_trigger", webhook: "events" }
    },
    codes: {
      communication: { name: "communication", value: { output: "{{body}}" } },
      staticParams: { name: "static-params", value: [] },
      interface: {
        name: "interface",
        value: [
          ...Object.entries(rest).map(([name, part]) => outputOf(name, part)),
          { name: "data", label: "Data", type: "any" }
        ]
      },
      samples: { name: "samples", value: { ...rest, data } }
    }
  }
}

const fileOf = (kind: string, id: string, name: string): string => `${kind}s/${kebab(id)}/${kebab(id)}.${name}.iml.json`

const metadataOf = (kind: string, components: ReadonlyArray<Component>) =>
  Object.fromEntries(
    components.map(({ id, metadata, codes }) => {
      const files = Object.entries(codes).map(([code, { name }]) => [code, fileOf(kind, id, name)])
      const common = kind === "connection" ? { common: null } : {}
      return [id, { ...metadata, codeFiles: { ...Object.fromEntries(files), ...common } }]
    })
  )

/** The files of the app. */
export const makeApp = (description: AutomationDescription, { baseUrl }: AppFileOptions): ReadonlyArray<AppFile> => {
  const components: Readonly<Record<string, ReadonlyArray<Component>>> = {
    connection: [connection(description, baseUrl)],
    webhook: [webhook(description)],
    module: [
      watchEvents(description),
      ...description.actions.map(moduleOf("action")),
      ...description.searches.map(moduleOf("search"))
    ],
    rpc: description.choices.map(rpcOf),
    function: [],
    endpoint: []
  }
  const files = Object.entries(components).flatMap(([kind, some]) =>
    some.flatMap(({ id, codes }) =>
      Object.values(codes).map(({ name, value }) => jsonFile(fileOf(kind, id, name), value))
    )
  )
  const idsOf = (operations: ReadonlyArray<AutomationOperation>) => operations.map(({ key }) => camel(key))
  return [
    jsonFile("makecomapp.json", {
      fileVersion: 1,
      generalCodeFiles: {
        ...{ base: "general/base.iml.json", common: null, readme: "README.md", groups: "modules/groups.json" }
      },
      components: Object.fromEntries(Object.entries(components).map(([kind, some]) => [kind, metadataOf(kind, some)])),
      origins: []
    }),
    jsonFile("general/base.iml.json", {
      baseUrl: "{{connection.baseUrl}}",
      headers: { authorization },
      response: {
        error: {
          message: "[{{statusCode}}] {{body.error}}",
          "401": { type: "ConnectionError", message: "[401] {{body.error}}" },
          "429": { type: "RateLimitError", message: "[429] {{body.error}}" }
        }
      },
      log: sanitize
    }),
    jsonFile("modules/groups.json", [
      { label: "Triggers", modules: ["watchEvents"] },
      { label: "Actions", modules: idsOf(description.actions) },
      { label: "Searches", modules: idsOf(description.searches) }
    ]),
    template("make", "README.md", { scopes: description.auth.scopes.map((scope) => `\`${scope}\``).join(", ") }),
    ...files
  ]
}
