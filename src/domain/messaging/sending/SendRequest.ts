/** A request to send: the fields of the message's type, whom it goes to, and which message it answers. */
import { Schema } from "effect"
import { isId } from "../../basics/Ids.ts"
import { contactPhone } from "../../basics/Phone.ts"
import { outgoingTypes } from "./OutgoingMessage.ts"
import { oneSource } from "./types/Files.ts"

/** A number, or the id of a contact that has none (its channel knows it by an id of its own). */
const To = Schema.String.check(
  Schema.isMaxLength(80),
  Schema.makeFilter(
    (text: string) =>
      isId("cnt", text) ||
      contactPhone(text) !== undefined ||
      "must be a phone number with its country code, like +14155550123, or a contact's id."
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

/** Whom `to` means. */
export type SendTo = { readonly phone: string } | { readonly contactId: string }

export const sendTo = (to: string): SendTo => (isId("cnt", to) ? { contactId: to } : { phone: contactPhone(to) ?? to })
