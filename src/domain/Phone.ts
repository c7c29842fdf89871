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

/** The number that was asked for last: a request's schema asks whether it is one, and then its handler what it is. */
let latest: { readonly text: string; readonly number: string | undefined } = { text: "", number: undefined }

/**
 * `+1 (415) 555-0123` → `+14155550123`; `undefined` for anything without a country code or with an impossible length (also
 * `anonymous`, short codes, extensions). Not whether the number exists: carriers hand out ranges before any list knows them.
 */
export const toE164 = (input: string): string | undefined => {
  const text = input.trim().replace(/^tel:/i, "")
  if (!text.startsWith("+")) return undefined
  if (latest.text !== text) latest = { text, number: parse(text) }
  return latest.number
}

/**
 * The one form under which a contact is known, of an E.164 number that networks write in two ways: Brazil's mobiles with the ninth digit
 * that was added to them (`+55 11 8765-4321` → `+55 11 98765-4321`). Landlines begin with 2 to 5 and stay.
 */
export const canonicalPhone = (e164: string): string => e164.replace(/^\+55([1-9]\d)([6-9]\d{7})$/, "+55$19$2")

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
