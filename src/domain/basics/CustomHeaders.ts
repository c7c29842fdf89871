/** Headers that a customer has us send: what they must keep to, and how they are shown. */
import { maskSecret } from "./MaskedSecret.ts"

const maxHeaders = 20
const maxHeaderCharacters = 4_096
/** Of RFC 9110: a token. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Printable Latin-1: no line breaks, which would start another header. */
const headerValue = /^[\x20-\x7e\xa0-\xff]*$/
/** Ours, or the connection's. */
const reservedHeaders: ReadonlySet<string> = new Set(
  "connection content-length expect host idempotency-key keep-alive proxy-connection te trailer transfer-encoding upgrade".split(
    " "
  )
)

/** What is wrong with them, worded to follow "has"; `ours` are further names that are not the customer's to set. */
export const headersProblem = (
  headers: Readonly<Record<string, string>>,
  ours: ReadonlySet<string> = new Set()
): string | undefined => {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  if (names.length > maxHeaders) return `more than ${maxHeaders} headers.`
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return `the header "${repeated}" twice.`
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) return `a header with the name ${JSON.stringify(name.slice(0, 100))}, which is not one.`
    if (reservedHeaders.has(name.toLowerCase()) || ours.has(name.toLowerCase()))
      return `the header "${name}", which is not the customer's to set.`
    if (value.length > maxHeaderCharacters || !headerValue.test(value))
      return `a header "${name}" that is too long or has characters a header cannot carry.`
  }
  return undefined
}

/** As anybody may see them: values are secrets. */
export const maskHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskSecret(value)]))
