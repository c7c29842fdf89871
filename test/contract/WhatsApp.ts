/**
 * The vendor's own description of the Cloud API as a judge of what we send, with its examples.
 *
 * Where the description cannot be meant as it is written it is read as its own examples show (each is a line of `amended`): a message is a
 * base and a part that allows nothing of the base, so the two are taken as one.
 */
import { Ajv2020 } from "ajv/dist/2020.js"
import { described, description as vendorDescription } from "./vendors.ts"

interface Schema {
  readonly [name: string]: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly allOf?: ReadonlyArray<Schema>
  readonly $ref?: string
}

interface Examples {
  readonly [name: string]: { readonly value: unknown }
}
interface Content {
  readonly schema: Schema
  readonly examples?: Examples
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const description = vendorDescription<Description>("whatsapp/business-messaging-api_v23.0.yaml") ?? {
  paths: {},
  components: { schemas: {} }
}

const jsonOf = (path: string, method: string) =>
  description.paths[path]?.[method].requestBody?.content["application/json"]

const valuesOf = (examples: Examples = {}) =>
  Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]))

const messagesPath = "/{Version}/{Phone-Number-ID}/messages"
/** By name: what may be sent. */
export const messageExamples: Readonly<Record<string, unknown>> = valuesOf(jsonOf(messagesPath, "post")?.examples)
/** By name: the sixteen webhooks. */
export const webhookExamples: Readonly<Record<string, unknown>> = valuesOf(
  jsonOf("/whatsapp/webhooks", "post")?.examples
)

const named = (name: string): Schema => description.components.schemas[name]

const nameOf = (ref: string): string => ref.split("/").at(-1) ?? ""

/** Base and part of a message as one object; both allow what either names. */
const joined = (schema: Schema): Schema => {
  if (schema.allOf === undefined) return schema
  const parts = schema.allOf.map((part) => (part.$ref === undefined ? part : named(nameOf(part.$ref))))
  return {
    type: "object",
    additionalProperties: false,
    required: [...new Set(parts.flatMap(({ required }) => required ?? []))],
    properties: Object.assign({}, ...parts.map(({ properties }) => properties))
  }
}

const replace = (schemas: Record<string, Schema>, name: string, change: (schema: Schema) => Schema) => {
  schemas[name] = change(schemas[name])
}

const withProperty = (property: string, value: Schema) => (schema: Schema) => ({
  ...schema,
  properties: { ...schema.properties, [property]: value }
})

/** The schemas of messages as they are meant. */
const amended = (): Record<string, Schema> => {
  const schemas: Record<string, Schema> = {}
  for (const [name, schema] of Object.entries(description.components.schemas)) schemas[name] = joined(schema)
  // Named in the vendor's guides, not yet in its description: the callback data, and the recipient by user id (April 2026) instead of `to`.
  for (const name of Object.keys(schemas).filter((one) => description.components.schemas[one].allOf !== undefined)) {
    replace(schemas, name, withProperty("biz_opaque_callback_data", { type: "string", maxLength: 512 }))
    replace(
      schemas,
      name,
      withProperty("recipient", { type: "string", pattern: "^[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128}$" })
    )
    replace(schemas, name, ({ required, ...schema }) => ({
      ...schema,
      required: (required ?? []).filter((field) => field !== "to"),
      anyOf: [{ required: ["to"] }, { required: ["recipient"] }]
    }))
  }
  if (!described) return schemas
  // Its pattern for a button's index is a class of characters that leaves out 0 and 1, which its examples use.
  replace(schemas, "TemplateComponent", withProperty("index", { type: "string", pattern: "^\\d$" }))
  return schemas
}

const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false, validateFormats: false })
ajv.addSchema({ $id: "whatsapp", components: { schemas: amended() } })
const judges = new Map<string, ReturnType<typeof ajv.compile>>()

const judgeOf = (schema: string) => {
  const known = judges.get(schema) ?? ajv.compile({ $ref: `whatsapp#/components/schemas/${schema}` })
  judges.set(schema, known)
  return known
}

const schemaOfType: Readonly<Record<string, string>> = {
  text: "TextMessage",
  image: "ImageMessage",
  document: "DocumentMessage",
  audio: "AudioMessage",
  video: "VideoMessage",
  template: "TemplateMessage",
  interactive: "InteractiveMessage",
  location: "LocationMessage",
  contacts: "ContactsMessage",
  reaction: "ReactionMessage",
  sticker: "StickerMessage"
}

/** What the description has against a message, judged as its `type` says; `undefined` when nothing, or when there is no description. */
export const messageProblem = (message: { readonly type?: unknown }): string | undefined => {
  if (!described) return undefined
  const schema = schemaOfType[String(message.type)]
  if (schema === undefined) return `the type ${String(message.type)} is not described`
  const judge = judgeOf(schema)
  return judge(JSON.parse(JSON.stringify(message))) ? undefined : ajv.errorsText(judge.errors)
}
