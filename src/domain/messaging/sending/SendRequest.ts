/** A request to send a message: the fields of its type, its recipient, and the message that it answers. */
import { Schema } from "effect"
import { isId } from "../../basics/Ids.ts"
import { contactPhone } from "../../basics/Phone.ts"
import { outgoingTypes } from "./OutgoingMessage.ts"
import { oneSource } from "./types/Files.ts"

/**
 * A phone number; the id of a contact, which may have no number (the channel then knows it by the channel's own id); or the id of a conversation of team chat:
 * its thread.
 */
const To = Schema.String.check(
  Schema.isMaxLength(80),
  Schema.makeFilter(
    (text: string) =>
      isId("cnt", text) ||
      isId("cnv", text) ||
      contactPhone(text) !== undefined ||
      "must be a phone number with its country code, like +14155550123, a contact's id, or the id of a conversation of team chat."
  )
)

const ReplyTo = Schema.String.check(
  Schema.makeFilter((text: string) => isId("msg", text) || "must be the id of a message, like msg_01KAJ3….")
)

const sent = <Fields extends Schema.Struct.Fields>({ fields }: { readonly fields: Fields }) =>
  Schema.Struct({ to: To, ...fields, replyTo: Schema.optionalKey(ReplyTo) })

const { text, image, document, audio, video, template, interactive, location, contact, reaction } = outgoingTypes

export const SendRequest = Schema.Union([
  sent(text),
  sent(image).check(oneSource),
  sent(document).check(oneSource),
  sent(audio).check(oneSource),
  sent(video).check(oneSource),
  sent(template),
  sent(interactive),
  sent(location),
  sent(contact),
  sent(reaction)
])
export type SendRequest = typeof SendRequest.Type

/** The recipient that `to` names; `phone` is E.164. */
export type SendTo = { readonly phone: string } | { readonly contactId: string } | { readonly conversationId: string }

/** Reads a valid `to` of a request. */
export const sendTo = (to: string): SendTo => {
  if (isId("cnv", to)) return { conversationId: to }
  return isId("cnt", to) ? { contactId: to } : { phone: contactPhone(to) ?? to }
}
