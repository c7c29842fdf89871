/** The operations as properties of an n8n node: a choice of operations, and the fields of each, with the requests that they make. */
import type { AutomationChoices, AutomationDescription, AutomationOperation } from "../AutomationDocs.ts"
import { type AutomationField, labelOf } from "../AutomationFields.ts"
import { camel } from "./AppFile.ts"

type Property = Readonly<Record<string, unknown>>

/** The text that n8n has under every list that is loaded. */
const fromList = (many: boolean): string =>
  many
    ? 'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>'
    : 'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>'

/** The method of the node that loads a list of choices. */
export const loaderOf = ({ key }: Pick<AutomationChoices, "key">): string => camel(`load.${key}`)

const byDisplayName = (a: Property, b: Property) => String(a.displayName).localeCompare(String(b.displayName))
const byName = (a: Property, b: Property) => String(a.name).localeCompare(String(b.name))

/** Title case as n8n wants it: short words in lower case inside. */
const title = (text: string): string =>
  text.replace(/ (A|An|And|At|By|In|Of|On|Or|The|To)(?= )/g, (word) => word.toLowerCase())

const capital = (text: string): string => text[0].toUpperCase() + text.slice(1)

const send = (field: AutomationField): Property => ({
  send: {
    type: field.in === "query" ? "query" : "body",
    property: field.path.join("."),
    ...(field.path.length > 1 ? { propertyInDotNotation: true } : {}),
    ...(field.type === "json" ? { value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}' } : {})
  }
})

const kindOf = ({ type, list, options, choices, label }: AutomationField): Property => {
  if (choices !== undefined)
    return {
      displayName: list ? `${label} Names or IDs` : `${label.replace(/ (ID|Name)$/, "")} Name or ID`,
      type: list ? "multiOptions" : "options",
      typeOptions: { loadOptionsMethod: loaderOf({ key: choices }) },
      default: list ? [] : "",
      description: fromList(list)
    }
  if (options !== undefined)
    return {
      type: "options",
      options: [...options].sort().map((value) => ({ name: title(labelOf(value.toLowerCase())), value })),
      default: options[0]
    }
  if (type === "boolean") return { type: "boolean", default: false, description: `Whether to set ${label}` }
  if (type === "integer" || type === "number") return { type: "number", default: label === "Limit" ? 50 : 0 }
  if (type === "datetime") return { type: "dateTime", default: "" }
  if (type === "json") return { type: "json", default: "[]" }
  return {
    type: "string",
    default: list ? [] : "",
    ...(list ? { typeOptions: { multipleValues: true } } : {}),
    ...(type === "text" ? { typeOptions: { rows: 4 } } : {}),
    ...(label === "Email" ? { placeholder: "name@email.com" } : {})
  }
}

/** The limit of a search, as all nodes of n8n have it. */
const limit = { typeOptions: { minValue: 1, maxValue: 100 }, description: "Max number of results to return" }

const property = (field: AutomationField): Property => ({
  displayName: title(field.label),
  name: camel(field.key),
  ...kindOf(field),
  ...(field.label === "Limit" ? limit : {})
})

/** The path with the values of its fields. */
const urlOf = ({ path }: AutomationOperation): string =>
  path.includes("{")
    ? `=${path.replace(/\{(\w+)\}/g, (_, name: string) => `{{ encodeURIComponent($parameter["${camel(name)}"]) }}`)}`
    : path

const choiceOf = (operation: AutomationOperation): Property => {
  const { key, label, summary, method, fixed, items } = operation
  return {
    name: title(label),
    value: camel(key),
    description: capital(summary.replaceAll("`", "").replace(/\.$/, "")),
    action: capital(label.toLowerCase()),
    routing: {
      request: { method, url: urlOf(operation), ...(Object.keys(fixed).length === 0 ? {} : { body: fixed }) },
      ...(items === null
        ? {}
        : { output: { postReceive: [{ type: "rootProperty", properties: { property: items } }] } })
    }
  }
}

const fieldsOf = ({ key, fields }: AutomationOperation): ReadonlyArray<Property> => {
  const displayOptions = { show: { operation: [camel(key)] } }
  const required = fields.filter((field) => field.required)
  const optional = fields.filter((field) => !field.required)
  return [
    ...required.map((field) => ({
      ...property(field),
      required: true,
      displayOptions,
      ...(field.in === "path" ? {} : { routing: send(field) })
    })),
    ...(optional.length === 0
      ? []
      : [
          {
            ...{ displayName: "Additional Fields", name: "additionalFields", type: "collection" },
            ...{ placeholder: "Add Field", default: {}, displayOptions },
            options: optional.map((field) => ({ ...property(field), routing: send(field) })).sort(byDisplayName)
          }
        ])
  ]
}

/** All properties of the node, in order. */
export const n8nProperties = ({ actions, searches }: AutomationDescription): ReadonlyArray<Property> => {
  const operations = [...actions, ...searches]
  return [
    {
      ...{ displayName: "Operation", name: "operation", type: "options", noDataExpression: true },
      options: operations.map(choiceOf).sort(byName),
      default: camel(operations[0].key)
    },
    ...operations.flatMap(fieldsOf)
  ]
}

/** The events that the trigger node offers. */
export const n8nEvents = ({ triggers }: AutomationDescription): ReadonlyArray<Property> =>
  triggers.map(({ key, label, summary }) => ({ name: title(label), value: key, description: summary })).sort(byName)
