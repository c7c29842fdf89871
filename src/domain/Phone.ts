/** Phone numbers as people and providers write them, and as Parley keeps them: E.164. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min"

/**
 * `+1 (415) 555-0123` → `+14155550123`; `undefined` for anything without a country code or with an impossible length (also
 * `anonymous`, short codes, extensions). Not whether the number exists: carriers hand out ranges before any list knows them.
 */
export const toE164 = (input: string): string | undefined => {
  const text = input.trim().replace(/^tel:/i, "")
  if (!text.startsWith("+")) return undefined
  const parsed = parsePhoneNumberFromString(text)
  return parsed?.isPossible() === true && parsed.ext === undefined ? parsed.number : undefined
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
