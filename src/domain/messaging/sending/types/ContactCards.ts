/** Contact cards for an address book, with the channel's own field names. */
import { Schema } from "effect"
import { isDate } from "../../../basics/Calendar.ts"
import { plainText } from "../../../basics/PlainText.ts"
import { WebAddress } from "./Files.ts"

const optional = (maximum: number) => Schema.optionalKey(plainText(maximum))
const many = <S extends Schema.Top>(item: S) => Schema.optionalKey(Schema.Array(item).check(Schema.isMaxLength(20)))

const Name = Schema.Struct({
  formatted_name: plainText(200),
  first_name: optional(200),
  last_name: optional(200),
  middle_name: optional(200),
  prefix: optional(60),
  suffix: optional(60)
}).check(
  Schema.makeFilter(
    ({ formatted_name: _, ...parts }) =>
      Object.keys(parts).length > 0 || {
        path: ["first_name"],
        issue: "it is missing: beside formatted_name the channel wants one other part of the name."
      }
  )
)

const Card = Schema.Struct({
  name: Name,
  phones: many(Schema.Struct({ phone: plainText(40), type: optional(20), wa_id: optional(20) })),
  emails: many(Schema.Struct({ email: plainText(254), type: optional(20) })),
  urls: many(Schema.Struct({ url: WebAddress, type: optional(20) })),
  addresses: many(
    Schema.Struct({
      street: optional(200),
      city: optional(100),
      state: optional(100),
      zip: optional(20),
      country: optional(100),
      country_code: optional(10),
      type: optional(20)
    })
  ),
  org: Schema.optionalKey(Schema.Struct({ company: optional(200), department: optional(200), title: optional(200) })),
  birthday: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((text: string) => isDate(text) || "must be a day, like 1990-08-18."))
  )
})

export const ContactCards = Schema.Struct({
  type: Schema.Literal("contact"),
  contacts: Schema.Array(Card).check(Schema.isMinLength(1), Schema.isMaxLength(257))
})
