/** Phone numbers: reads what people and providers write, and gives E.164, which is what Parley stores. */
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min"

/** Mexican mobile numbers had a 1 after the country code until 2019. Some networks still write it (`+521…`), and number lists no longer accept it. */
const withoutMexicanOne = (text: string): string => {
  const old = /^\+521(\d{10})$/.exec(text.replace(/[\s().-]/g, ""))
  return old === null ? text : `+52${old[1]}`
}

const parse = (text: string): string | undefined => {
  const parsed = parsePhoneNumberFromString(withoutMexicanOne(text))
  return parsed?.isPossible() === true && parsed.ext === undefined ? parsed.number : undefined
}

/**
 * The size of a cache of parsed numbers. The same number comes often: a request's schema and its handler both read it, all webhooks of a call name
 * both ends, and the messages of a conversation go to one contact. Parsing takes some 50 µs in a busy process. A text that did not come again
 * among the last 4,096 to 8,192 new ones is dropped.
 */
const remembered = 4_096
/** A longer text is not read as a number, whatever signs and blanks it has. Characters. */
const longestWritten = 250
let recent = new Map<string, string | undefined>()
let before = new Map<string, string | undefined>()

const remember = (text: string, number: string | undefined): string | undefined => {
  // Two Maps that are replaced in turn: one Map that grows and shrinks for ever leaves its former tables to the old generation of the heap.
  if (recent.size >= remembered) {
    before = recent
    recent = new Map()
  }
  recent.set(text, number)
  return number
}

/**
 * `+1 (415) 555-0123` → `+14155550123`. Gives `undefined` for anything without a country code or with an impossible length (also `anonymous`,
 * short codes, extensions). Does not check that the number exists: carriers hand out ranges before any list has them.
 */
export const toE164 = (input: string): string | undefined => {
  const text = input.trim().replace(/^tel:/i, "")
  if (!text.startsWith("+") || text.length > longestWritten) return undefined
  // A longer text is hardly a number, so it is not cached.
  if (text.length > 40) return parse(text)
  if (recent.has(text)) return recent.get(text)
  return remember(text, before.has(text) ? before.get(text) : parse(text))
}

/** The number as people of a country write it, e.g. `098123 45678` in IN. `country`: ISO 3166, two letters. `undefined` when it is none there. */
export const phoneIn = (text: string, country: string | undefined): string | undefined => {
  const international = toE164(text)
  if (international !== undefined || country === undefined || text.length > 40) return international
  const code = country.toUpperCase()
  if (!isSupportedCountry(code)) return undefined
  const parsed = parsePhoneNumberFromString(text, code)
  return parsed?.isPossible() === true && parsed.ext === undefined ? parsed.number : undefined
}

/**
 * The form of an E.164 number under which a contact is stored, where networks write the number in two ways. Brazilian mobile numbers get the ninth
 * digit that was added to them (`+55 11 8765-4321` → `+55 11 98765-4321`). Landlines begin with 2 to 5 and stay as they are.
 */
export const canonicalPhone = (e164: string): string => e164.replace(/^\+55([1-9]\d)([6-9]\d{7})$/, "+55$19$2")

/** All ways in which networks write a contact's number, beginning with the number itself. `contactPhone` turns each of them into this number. */
export const writtenForms = (phone: string): ReadonlyArray<string> => [
  ...new Set([
    phone,
    phone.replace(/^\+52(\d{10})$/, "+521$1"),
    phone.replace(/^\+55([1-9]\d)9([6-9]\d{7})$/, "+55$1$2")
  ])
]

/** How people write the number `+14155550101` into other systems: `14155550101`, `+1 415 555 0101`, `(415) 555-0101`, `415-555-0101`, `4155550101`, … */
export const notationsOf = (phone: string): ReadonlyArray<string> => {
  const parsed = parsePhoneNumberFromString(phone)
  const bare = writtenForms(phone).flatMap((form) => [form, form.slice(1)])
  if (parsed === undefined) return bare
  const [national, international] = [parsed.formatNational(), parsed.formatInternational()]
  const dashed = national.replace(/[()]/g, "").replace(/\s+/g, "-")
  return [
    ...new Set([...bare, international, international.replace(/ /g, "-"), national, dashed, parsed.nationalNumber])
  ]
}

/** Whether what people wrote somewhere is this number: with its country code, or without. */
export const isWritten = (written: string, phone: string): boolean => {
  const digits = written.replace(/\D/g, "")
  if (writtenForms(phone).some((form) => form.slice(1) === digits.replace(/^00/, ""))) return true
  const national = parsePhoneNumberFromString(phone)?.nationalNumber
  return national !== undefined && !written.trim().startsWith("+") && digits.replace(/^0/, "") === national
}

/** The form in which a contact's number is stored, from the number as typed; `undefined` when it is not a phone number. */
export const contactPhone = (input: string): string | undefined => {
  const number = toE164(input)
  return number === undefined ? undefined : canonicalPhone(number)
}

const sipAddress = /^(?:[^<]*<)?sips?:([^@;>\s]+)@[^@\s]+$/i

/** The E.164 number in a called or calling address: `+14155550123`, or the user part of `sip:+14155550123@host;transport=tls`. */
export const calledNumber = (to: string): string | undefined => {
  const text = to.trim()
  const user = sipAddress.exec(text)?.[1]
  if (user === undefined) return toE164(text)
  // `%2B` is an escaped plus; some gateways leave the plus out.
  const number = user.replace(/^%2B/i, "+")
  return toE164(/^\d{8,15}$/.test(number) ? `+${number}` : number)
}
