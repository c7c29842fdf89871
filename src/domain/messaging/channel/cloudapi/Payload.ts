/** Translates our message into a request of the Cloud API. Pure: the files must have their ids at the channel already. */
import type { Schema } from "effect"
import { isJsonObject, type JsonObject, present } from "../../../basics/Json.ts"
import type { OutgoingMessage } from "../MessagingChannel.ts"

type Json = Schema.Json

/** Calls `visit` for every object in `value`, itself included. */
const walk = (value: Json, visit: (fields: JsonObject) => void): void => {
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  else if (isJsonObject(value)) {
    visit(value)
    for (const field of Object.values(value)) walk(field, visit)
  }
}

/** The ids of our files in a message: its own file, and files in headers of interactive messages and templates. */
export const mediaIdsOf = ({ content }: Pick<OutgoingMessage, "content">): ReadonlyArray<string> => {
  const ids = new Set<string>()
  walk(content, ({ mediaId }) => {
    if (typeof mediaId === "string") ids.add(mediaId)
  })
  return [...ids]
}

/** Replaces, at any depth, `mediaId` by the channel's `id` of the same file, and `mediaUrl` by `link`. */
const withFiles = (value: Json, idOf: (mediaId: string) => string): Json => {
  if (Array.isArray(value)) return value.map((item) => withFiles(item, idOf))
  if (!isJsonObject(value)) return value
  const { mediaId, mediaUrl, ...rest } = value
  const fields = Object.entries(rest).map(([name, field]): [string, Json] => [name, withFiles(field, idOf)])
  return present({
    ...Object.fromEntries(fields),
    ...(typeof mediaId === "string" ? { id: idOf(mediaId) } : { mediaId }),
    ...(typeof mediaUrl === "string" ? { link: mediaUrl } : { mediaUrl })
  })
}

/** `formattedName` → `formatted_name`; names in snake case stay. */
const snakeCase = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(snakeCase)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(field)
    ])
  )
}

/** A template's component with its type, `sub_type` and index in the channel's spelling. */
const component = (value: Json): Json => {
  if (!isJsonObject(value)) return value
  const { type, sub_type, subType, index, ...rest } = value
  const lower = (text: Json | undefined) => (typeof text === "string" ? text.toLowerCase() : text)
  return present({
    ...rest,
    type: lower(type),
    sub_type: lower(sub_type ?? subType),
    index: index === undefined ? undefined : String(index)
  })
}

const components = (value: Json | undefined): Json | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined
  return value.map(component)
}

const media = (content: JsonObject, idOf: (mediaId: string) => string, more: ReadonlyArray<string>): JsonObject => {
  const { mediaId, mediaUrl } = content
  return present({
    ...(typeof mediaId === "string" ? { id: idOf(mediaId) } : { link: mediaUrl }),
    ...Object.fromEntries(more.map((name) => [name, content[name]]))
  })
}

/** The name of the content field, which is also the channel's type, and its value. */
const contentOf = ({ type, content }: OutgoingMessage, idOf: (mediaId: string) => string): readonly [string, Json] => {
  switch (type) {
    case "text":
      return ["text", present({ body: content.text, preview_url: content.previewUrl })]
    case "image":
    case "video":
      return [type, media(content, idOf, ["caption"])]
    case "audio":
      return [type, media(content, idOf, [])]
    case "document":
      return [type, media(content, idOf, ["caption", "filename"])]
    case "template": {
      // The channel spells languages `en_US`.
      const code = String(content.language).replace("-", "_")
      const language = { policy: "deterministic", code }
      const filled = components(content.components)
      return [
        "template",
        present({
          name: content.templateName,
          language,
          components: filled === undefined ? undefined : withFiles(filled, idOf)
        })
      ]
    }
    case "interactive":
      return ["interactive", withFiles(content.interactive ?? {}, idOf)]
    case "location": {
      const { latitude, longitude, name, address } = content
      return ["location", present({ latitude: String(latitude), longitude: String(longitude), name, address })]
    }
    case "contact":
      return ["contacts", snakeCase(content.contacts ?? [])]
    case "reaction":
      return ["reaction", present({ message_id: content.channelMessageId, emoji: content.emoji })]
  }
}

/**
 * The body of `POST /{phone-number-id}/messages`. `idOf` gives the channel's id of each of our files. A person without a number is addressed by
 * `recipient`: the channel accepts a message with an id in `to`, but never delivers it.
 */
export const payloadOf = (message: OutgoingMessage, idOf: (mediaId: string) => string): JsonObject => {
  const [name, content] = contentOf(message, idOf)
  const { to, replyTo, messageId } = message
  const address: JsonObject =
    "phone" in to ? { to: to.phone.replace(/^\+/, "") } : "userId" in to ? { recipient: to.userId } : {}
  return present({
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...address,
    type: name,
    [name]: content,
    // A reaction names its message itself.
    context: replyTo === undefined || message.type === "reaction" ? undefined : { message_id: replyTo },
    biz_opaque_callback_data: messageId
  })
}
