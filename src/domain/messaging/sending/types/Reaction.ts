/** A reaction: an emoji on a message. */
import { Schema } from "effect"
import { isId } from "../../../basics/Ids.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
/** A picture, a flag (two letters of their own kind), or a keycap. */
const pictorial = /^(\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3)/u

/** Whether the text is one visible emoji, however many code points it has (skin, hair, families). The empty text takes a reaction back. */
export const isEmoji = (text: string): boolean =>
  text === "" || (text.length <= 64 && [...graphemes.segment(text)].length === 1 && pictorial.test(text))

export const Reaction = Schema.Struct({
  type: Schema.Literal("reaction"),
  /** Our id of the message. */
  messageId: Schema.String.check(
    Schema.makeFilter((text: string) => isId("msg", text) || "must be the id of a message, like msg_01KAJ3….")
  ),
  emoji: Schema.String.check(
    Schema.makeFilter((text: string) => isEmoji(text) || "must be one emoji, or empty to take the reaction back.")
  )
})
