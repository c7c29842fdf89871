/** Phone numbers as people and providers write them, and as Parley keeps them: E.164. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min"

/** Mexico's mobiles had a 1 after the country code until 2019; some networks still write it (`+521…`), and no list takes it any more. */
const withoutMexicanOne = (text: string): string => {
  const old = /^\+521(\d{10})$/.exec(text.replace(/[\s().-]/g, ""))
  return old === null ? text : `+52${old[1]}`
}

const parse = (text: string): string | undefined => {
  const parsed = parsePhoneNumberFromString(withoutMexicanOne(text))
  return parsed?.isPossible() === true && parsed.ext === undefined ? parsed.number : undefined
}

/**
 * Numbers come again: a request's schema asks whether it is one and its handler what it is, a call's webhooks all name both ends, messages of a
 * conversation go to one contact. Parsing is some 50 µs where other work runs. What was not asked for during the last so many others is forgotten.
 */
const remembered = 4_096
let recent = new Map<string, string | undefined>()
let before = new Map<string, string | undefined>()

const remember = (text: string, number: string | undefined): string | undefined => {
  // A Map that grows and shrinks for ever leaves its former tables to the old generation.
  if (recent.size >= remembered) {
    before = recent
    recent = new Map()
  }
  recent.set(text, number)
  return number
}

/**
 * `+1 (415) 555-0123` → `+14155550123`; `undefined` for anything without a country code or with an impossible length (also
 * `anonymous`, short codes, extensions). Not whether the number exists: carriers hand out ranges before any list knows them.
 */
export const toE164 = (input: string): string | undefined => {
  const text = input.trim().replace(/^tel:/i, "")
  if (!text.startsWith("+")) return undefined
  // Longer ones are no numbers, and not worth their place.
  if (text.length > 40) return parse(text)
  if (recent.has(text)) return recent.get(text)
  return remember(text, before.has(text) ? before.get(text) : parse(text))
}

/**
 * The one form under which a contact is known, of an E.164 number that networks write in two ways: Brazil's mobiles with the ninth digit
 * that was added to them (`+55 11 8765-4321` → `+55 11 98765-4321`). Landlines begin with 2 to 5 and stay.
 */
export const canonicalPhone = (e164: string): string => e164.replace(/^\+55([1-9]\d)([6-9]\d{7})$/, "+55$19$2")

/** The ways in which networks write a contact's number, itself the first: of each `contactPhone` makes it. */
export const writtenForms = (phone: string): ReadonlyArray<string> => [
  ...new Set([
    phone,
    phone.replace(/^\+52(\d{10})$/, "+521$1"),
    phone.replace(/^\+55([1-9]\d)9([6-9]\d{7})$/, "+55$1$2")
  ])
]

/** A contact's number as typed, in the form it is kept in; `undefined` when it is none. */
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
