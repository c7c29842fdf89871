/** A contact card, in the fields that the channel has for it. */
import type { NewMessage } from "@parley/client"

export interface CardFields {
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly company: string
}

/** Whether there is something to reach the person by. */
export const isWholeCard = ({ name, phone, email }: CardFields): boolean =>
  name.trim() !== "" && (phone.trim() !== "" || email.trim() !== "")

/** The message; the channel wants the first name beside the whole one. */
export const cardMessage = (to: string, fields: CardFields): NewMessage => {
  const [name, phone, email, company] = [fields.name, fields.phone, fields.email, fields.company].map((it) => it.trim())
  const [first = "", ...rest] = (name ?? "").split(/\s+/)
  return {
    to,
    type: "contact",
    contacts: [
      {
        name: {
          formatted_name: name ?? "",
          first_name: first,
          ...(rest.length === 0 ? {} : { last_name: rest.join(" ") })
        },
        ...(phone ? { phones: [{ phone, type: "WORK" }] } : {}),
        ...(email ? { emails: [{ email, type: "WORK" }] } : {}),
        ...(company ? { org: { company } } : {})
      }
    ]
  }
}
