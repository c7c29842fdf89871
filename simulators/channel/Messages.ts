/** Which messages the channel accepts: the vendor's limits, written independently of the service's own. */
import { z } from "zod"
import { type Refusal, refusal } from "./GraphErrors.ts"

const text = (most: number) => z.string().min(1).max(most)
const source = { id: z.string().min(1).optional(), link: z.url({ protocol: /^https?$/ }).optional() }
const oneSource = (media: { readonly id?: string | undefined; readonly link?: string | undefined }) =>
  (media.id === undefined) !== (media.link === undefined)
const media = (more: z.ZodRawShape = {}) =>
  z.strictObject({ ...source, ...more }).refine(oneSource, { error: "exactly one of id and link is needed" })

const header = z.union([
  z.strictObject({ type: z.literal("text"), text: text(60) }),
  z.strictObject({ type: z.literal("image"), image: media() }),
  z.strictObject({ type: z.literal("video"), video: media() }),
  z.strictObject({ type: z.literal("document"), document: media({ filename: z.string().optional() }) })
])
const body = (most: number) => z.strictObject({ text: text(most) })
const footer = z.strictObject({ text: text(60) }).optional()

const buttons = z.strictObject({
  type: z.literal("button"),
  header: header.optional(),
  body: body(1024),
  footer,
  action: z.strictObject({
    buttons: z
      .array(z.strictObject({ type: z.literal("reply"), reply: z.strictObject({ id: text(256), title: text(20) }) }))
      .min(1)
      .max(3)
      .refine((all) => new Set(all.map(({ reply }) => reply.title)).size === all.length, { error: "titles repeat" })
  })
})
const row = z.strictObject({ id: text(200), title: text(24), description: z.string().max(72).optional() })
const list = z.strictObject({
  type: z.literal("list"),
  header: z.strictObject({ type: z.literal("text"), text: text(60) }).optional(),
  body: body(4096),
  footer,
  action: z.strictObject({
    button: text(20),
    sections: z
      .array(z.strictObject({ title: text(24).optional(), rows: z.array(row).min(1) }))
      .min(1)
      .max(10)
      .refine((sections) => sections.flatMap(({ rows }) => rows).length <= 10, { error: "more than ten rows" })
  })
})
/** Message types of which only the outline is checked. */
const others = z.looseObject({
  type: z.enum([
    "cta_url",
    "product",
    "product_list",
    "catalog_message",
    "flow",
    "location_request_message",
    "address_message"
  ]),
  action: z.looseObject({})
})

const contact = z.strictObject({
  name: z
    .strictObject({
      formatted_name: text(1024),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
      middle_name: z.string().optional(),
      prefix: z.string().optional(),
      suffix: z.string().optional()
    })
    .refine((name) => Object.keys(name).length > 1, { error: "another part of the name is needed" }),
  phones: z
    .array(z.strictObject({ phone: z.string().optional(), type: z.string().optional(), wa_id: z.string().optional() }))
    .optional(),
  emails: z.array(z.strictObject({ email: z.string().optional(), type: z.string().optional() })).optional(),
  addresses: z.array(z.record(z.string(), z.string())).optional(),
  org: z.record(z.string(), z.string()).optional(),
  urls: z.array(z.strictObject({ url: z.string().optional(), type: z.string().optional() })).optional(),
  birthday: z.iso.date().optional()
})

const parameter = z.looseObject({ type: z.string() })
const component = z.strictObject({
  type: z.enum(["header", "body", "button", "HEADER", "BODY", "BUTTON"]),
  sub_type: z.string().optional(),
  index: z.union([z.string().regex(/^\d$/), z.int()]).optional(),
  parameters: z.array(parameter).optional()
})

const caption = { caption: z.string().max(1024).optional() }
const coordinate = (most: number) =>
  z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).refine((value) => Math.abs(Number(value)) <= most)

const kinds = {
  text: z.strictObject({ body: text(4096), preview_url: z.boolean().optional() }),
  image: media(caption),
  video: media(caption),
  audio: media({ voice: z.boolean().optional() }),
  document: media({ ...caption, filename: z.string().min(1).max(240).optional() }),
  sticker: media(),
  location: z.strictObject({
    latitude: coordinate(90),
    longitude: coordinate(180),
    name: z.string().optional(),
    address: z.string().optional()
  }),
  contacts: z.array(contact).min(1).max(257),
  reaction: z.strictObject({ message_id: z.string().startsWith("wamid."), emoji: z.string().max(16) }),
  interactive: z.union([buttons, list, others]),
  template: z.strictObject({
    name: text(512),
    language: z.strictObject({ code: text(10), policy: z.literal("deterministic").optional() }),
    components: z.array(component).optional()
  })
} as const

const common = z.strictObject({
  messaging_product: z.literal("whatsapp"),
  recipient_type: z.literal("individual").optional(),
  /** Digits; a plus, blanks and brackets are tolerated. */
  to: z.string().min(1).optional(),
  recipient: z
    .string()
    .regex(/^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/)
    .optional(),
  type: z.enum(Object.keys(kinds) as [keyof typeof kinds, ...Array<keyof typeof kinds>]).default("text"),
  context: z.strictObject({ message_id: z.string().startsWith("wamid.") }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional()
})

export type MessageKind = keyof typeof kinds

export interface AcceptableMessage {
  readonly kind: MessageKind
  /** Digits of a number, or a user id. */
  readonly to: string
  readonly byUserId: boolean
  readonly callbackData: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const complaint = (error: z.ZodError): Refusal => {
  const [{ path, message }] = error.issues
  return refusal(131009, `Parameter ${path.join(".") || "body"}: ${message}`)
}

/** The message in a request's document, or the refusal. */
export const readMessage = (document: unknown): AcceptableMessage | Refusal => {
  if (typeof document !== "object" || document === null) return refusal(100, "The body is no object.")
  const { text, image, video, audio, document: file, sticker, ...rest } = document as Record<string, unknown>
  const { location, contacts, reaction, interactive, template, ...given } = rest
  const contents: Readonly<Record<MessageKind, unknown>> = {
    ...{ text, image, video, audio, document: file, sticker },
    ...{ location, contacts, reaction, interactive, template }
  }
  const parsed = common.safeParse(given)
  if (!parsed.success) return complaint(parsed.error)
  const { type: kind, to, recipient, biz_opaque_callback_data: callbackData } = parsed.data
  if (to === undefined && recipient === undefined) return refusal(131008, "The parameter to is required.")
  const others = Object.entries(contents).find(([name, value]) => name !== kind && value !== undefined)
  if (others !== undefined) return refusal(100, `Unexpected key "${others[0]}" for a message of type ${kind}.`)
  if (contents[kind] === undefined) return refusal(131008, `The parameter ${kind} is required.`)
  const content = kinds[kind].safeParse(contents[kind])
  if (!content.success) return complaint(content.error)
  // The number wins when both are given.
  return {
    kind,
    to: to ?? recipient ?? "",
    byUserId: to === undefined,
    callbackData,
    body: document as Record<string, unknown>
  }
}
