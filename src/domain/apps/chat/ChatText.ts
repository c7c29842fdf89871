/** What a message is in a team chat, as text. Pure. */
import { Option, Schema } from "effect"
import type { OutgoingMessage } from "../../messaging/channel/MessagingChannel.ts"

const Choices = Schema.Struct({
  interactive: Schema.Struct({
    header: Schema.optionalKey(Schema.Struct({ text: Schema.optionalKey(Schema.String) })),
    body: Schema.optionalKey(Schema.Struct({ text: Schema.String })),
    footer: Schema.optionalKey(Schema.Struct({ text: Schema.String })),
    action: Schema.optionalKey(
      Schema.Struct({
        buttons: Schema.optionalKey(
          Schema.Array(Schema.Struct({ reply: Schema.optionalKey(Schema.Struct({ title: Schema.String })) }))
        ),
        sections: Schema.optionalKey(
          Schema.Array(Schema.Struct({ rows: Schema.Array(Schema.Struct({ title: Schema.String })) }))
        )
      })
    )
  })
})
const readChoices = Schema.decodeUnknownOption(Choices)

/** A question with its choices as a list. */
const choices = (content: OutgoingMessage["content"]): string | undefined => {
  const read = readChoices(content)
  if (Option.isNone(read)) return undefined
  const { header, body, footer, action } = read.value.interactive
  const titles = [
    ...(action?.buttons ?? []).flatMap(({ reply }) => (reply === undefined ? [] : [reply.title])),
    ...(action?.sections ?? []).flatMap(({ rows }) => rows.map(({ title }) => title))
  ]
  const lines = [header?.text, body?.text, ...titles.map((title) => `• ${title}`), footer?.text]
  const text = lines.filter((line) => line !== undefined && line !== "").join("\n")
  return text === "" ? undefined : text
}

const texts = (...parts: ReadonlyArray<unknown>): string | undefined => {
  const said = parts.filter((part) => typeof part === "string" && part !== "")
  return said.length === 0 ? undefined : said.join("\n")
}

/** `undefined` for a message that cannot be written in a team chat: a template, a reaction, a card. */
export const chatText = ({ type, content }: Pick<OutgoingMessage, "type" | "content">): string | undefined => {
  switch (type) {
    case "text":
      return texts(content.text)
    case "image":
    case "document":
    case "audio":
    case "video":
      return texts(content.caption, content.mediaUrl)
    case "interactive":
      return choices(content)
    case "location":
      return texts(
        content.name,
        content.address,
        `https://www.openstreetmap.org/?mlat=${content.latitude}&mlon=${content.longitude}`
      )
    default:
      return undefined
  }
}
