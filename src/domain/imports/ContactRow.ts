/** What a row of a file of contacts means: its fields, and why it is refused. */
import { Exit, Schema, SchemaIssue } from "effect"
import { emailIn } from "../basics/Email.ts"
import { parsedJson } from "../basics/Json.ts"
import { contactPhone } from "../basics/Phone.ts"
import { NewContact, tidy } from "../people/contacts/Contact.ts"
import type { ColumnMap, ImportField } from "./Columns.ts"
import type { RowSubject } from "./Imports.ts"

/** The fields, with the names of their columns in the exports of spreadsheets, address books, shops and CRMs. */
export const contactFields: ReadonlyArray<ImportField> = [
  {
    field: "phone",
    required: true,
    names: [
      ...["phone", "phonenumber", "phoneno", "mobile", "mobilephone", "mobilephonenumber", "mobilenumber", "mobileno"],
      ...["cell", "cellphone", "telephone", "tel", "number", "contactnumber", "whatsapp", "whatsappnumber"],
      ...["phone1value", "defaultaddressphone", "msisdn", "telefon", "telefono", "telephone1", "handynummer"]
    ]
  },
  { field: "name", names: ["name", "fullname", "contactname", "displayname", "customername"] },
  { field: "firstName", names: ["firstname", "givenname", "forename"] },
  { field: "lastName", names: ["lastname", "familyname", "surname"] },
  { field: "email", names: ["email", "emailaddress", "mail", "email1value"] },
  { field: "tags", names: ["tags", "tag", "labels", "label", "groupmembership"] },
  {
    field: "optedIn",
    names: ["optedin", "optin", "subscribed", "consent", "whatsappoptin", "marketingconsent", "acceptsmarketing"]
  }
]

export type ReadContact =
  | { readonly _tag: "Read"; readonly input: NewContact; readonly subject: RowSubject }
  | {
      readonly _tag: "Refused"
      readonly field: string | null
      readonly problem: string
      readonly subject: RowSubject
    }

const issues = SchemaIssue.makeFormatterStandardSchemaV1()
const { name, email, tags } = NewContact.fields
const checks = {
  phone: Schema.decodeUnknownExit(NewContact.fields.phone),
  name: Schema.decodeUnknownExit(name.schema),
  email: Schema.decodeUnknownExit(email.schema),
  tags: Schema.decodeUnknownExit(tags.schema)
}
/** What is said of a value when the schema says it in its own words. */
const otherwise = {
  phone: "must be a phone number with its country code, like +14155550123.",
  name: "must be one line of at most 200 characters.",
  email: "must be an e-mail address, like asha@example.com.",
  tags: "must be at most 50, each of at most 64 characters."
}

/** Why a value is no value of the field, as a sentence; `undefined` when it is one. */
const problemOf = (field: keyof typeof checks, value: unknown): string | undefined => {
  const checked: Exit.Exit<unknown, Schema.SchemaError> = checks[field](value)
  if (Exit.isSuccess(checked)) return undefined
  const error = checked.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  const message = error === undefined ? undefined : issues(error.issue).issues[0]?.message
  return `${field} ${message?.startsWith("must ") === true ? message : otherwise[field]}`
}

const yes = new Set(["true", "yes", "y", "1", "on", "subscribed", "opted in", "optedin", "x", "ja", "si", "sí", "oui"])
const no = new Set(["false", "no", "n", "0", "off", "unsubscribed", "opted out", "optedout", "nein", "non"])

const flag = (text: string): boolean | undefined => {
  const word = text.toLowerCase()
  if (yes.has(word)) return true
  return no.has(word) ? false : undefined
}

/** The tags in a cell: a list of JSON, or words with commas, semicolons or bars between them. */
const tagsIn = (text: string): ReadonlyArray<string> => {
  const list = text.startsWith("[") ? parsedJson(text) : undefined
  const words = Array.isArray(list) ? list.map(String) : text.split(/[,;|]/)
  return words.map((word) => word.trim()).filter((word) => word !== "")
}

/** What every contact of the file gets. */
export interface ContactRowTerms {
  readonly tags: ReadonlyArray<string>
}

/** Reads one row. */
export const readContactRow = (map: ColumnMap, values: ReadonlyArray<string>, terms: ContactRowTerms): ReadContact => {
  const cell = (field: string): string => {
    const at = map.get(field)
    return at === undefined ? "" : (values[at] ?? "").trim()
  }
  const phone = cell("phone")
  const email = cell("email")
  const subject: RowSubject = {
    phone: contactPhone(phone) ?? null,
    email: emailIn(email)?.toLowerCase() ?? null
  }
  const refuse = (field: string, problem: string): ReadContact => ({ _tag: "Refused", field, problem, subject })
  if (phone === "") return refuse("phone", "phone is missing.")
  const name = cell("name") === "" ? `${cell("firstName")} ${cell("lastName")}`.trim() : cell("name")
  const tags = [...new Set([...tagsIn(cell("tags")), ...terms.tags])]
  const said = cell("optedIn")
  const optedIn = flag(said)
  const fields = [
    ["phone", phone],
    ...(name === "" ? [] : [["name", name] as const]),
    ...(email === "" ? [] : [["email", email] as const]),
    ["tags", tags]
  ] as const
  for (const [field, value] of fields) {
    const problem = problemOf(field, value)
    if (problem !== undefined) return refuse(field, problem)
  }
  if (said !== "" && optedIn === undefined)
    return refuse("optedIn", "optedIn must be true or false, yes or no, 1 or 0.")
  const input = tidy({
    phone,
    ...(name === "" ? {} : { name }),
    ...(email === "" ? {} : { email }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(optedIn === undefined ? {} : { optedIn })
  })
  return { _tag: "Read", input, subject }
}
