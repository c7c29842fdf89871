/** HTTP headers that a customer adds to our requests: their rules, and how they are shown. */
import { maskSecret } from "./MaskedSecret.ts"

const maxHeaders = 20
const maxHeaderCharacters = 4_096
/** A token of RFC 9110. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Printable Latin-1: no line breaks, which would start another header. */
const headerValue = /^[\x20-\x7e\xa0-\xff]*$/
/** Headers that we or the HTTP connection set. */
const reservedHeaders: ReadonlySet<string> = new Set(
  "connection content-length expect host idempotency-key keep-alive proxy-connection te trailer transfer-encoding upgrade".split(
    " "
  )
)

/** What is wrong with the headers, worded to follow "has"; `undefined` when nothing is. `ours`: further names, in lower case, that only we set. */
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

/** The headers as they may be shown: their values are secrets, so each is masked. */
export const maskHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskSecret(value)]))
