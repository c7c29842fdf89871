/** What companies and suppliers have in common: a name, and how to reach them. */
import { Schema } from "effect"
import { isEmail, longestEmail, noEmail } from "../../basics/Email.ts"
import { lines, plainText } from "../../basics/PlainText.ts"
import { newRecordFields, recordFields } from "./ModuleRecord.ts"

export const partnerFields = {
  ...recordFields,
  name: Schema.String,
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String)
}

const Email = plainText(longestEmail).check(Schema.makeFilter((text: string) => isEmail(text.trim()) || noEmail))

export const PartnerName = plainText(200)

/** Null removes a value. */
export const newPartnerFields = {
  phone: Schema.optionalKey(Schema.NullOr(plainText(40))),
  email: Schema.optionalKey(Schema.NullOr(Email)),
  address: Schema.optionalKey(Schema.NullOr(lines(500))),
  notes: Schema.optionalKey(Schema.NullOr(lines(10_000))),
  ...newRecordFields
}
