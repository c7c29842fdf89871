/**
 * The telephony provider's signature (`X-Twilio-Signature`): base64 HMAC-SHA1 of the URL followed by the form's names and
 * values, sorted by name. Accepts the same spellings of the URL as the provider's own library. Pure; constant time.
 */
import { createHmac } from "node:crypto"
import { parse, stringify } from "node:querystring"
import { sameSecret } from "../../../basics/tokens/SameSecret.ts"

/** Form fields; a repeated field is an array. */
export type FormFields = Readonly<Record<string, string | ReadonlyArray<string>>>

const fieldText = (name: string, value: string | ReadonlyArray<string>): string =>
  typeof value === "string"
    ? name + value
    : [...new Set(value)]
        .sort()
        .map((item) => name + item)
        .join("")

/** The signature the provider would send for exactly this URL. */
export const twilioSignature = (authToken: string, url: string, fields: FormFields): string => {
  const text = Object.keys(fields)
    .sort()
    .reduce((sum, name) => sum + fieldText(name, fields[name]), url)
  return createHmac("sha1", authToken).update(text, "utf8").digest("base64")
}

const urlParts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)(:\d*)?(.*)$/is

/** Not `new URL`: that would re-encode characters which the provider signed as they were. */
const withoutPort = (url: string): string =>
  url.replace(urlParts, (_, scheme, user = "", host, _port, rest) => `${scheme}${user}${host}${rest}`)

const withPort = (url: string): string =>
  url.replace(urlParts, (whole, scheme: string, user = "", host, port, rest) =>
    port ? whole : `${scheme}${user}${host}${/^(https|wss):/i.test(scheme) ? ":443" : ":80"}${rest}`
  )

const legacyQuery = (url: string): string => {
  const start = url.indexOf("?")
  return start === -1 || start === url.length - 1
    ? url
    : `${url.slice(0, start)}?${stringify(parse(url.slice(start + 1)))}`
}

/** The accepted spellings of a URL, each once. Their number depends on the URL alone. */
const spellings = (url: string): ReadonlySet<string> => {
  const normal = URL.canParse(url) ? new URL(url).toString() : url
  const [bare, ported] = [withoutPort(normal), withPort(normal)]
  return new Set([withoutPort(url), withPort(url), bare, ported, legacyQuery(bare), legacyQuery(ported)])
}

/**
 * Whether the account with this token signed this request. `url` is the public URL with its query, as configured at the provider (for a
 * media stream the `wss` URL and no fields). Every spelling is always computed, so a refusal takes the same time for any token.
 */
export const verifyTwilioSignature = (
  authToken: string,
  signature: string | undefined,
  url: string,
  fields: FormFields
): boolean => {
  let good = false
  for (const spelling of spellings(url)) {
    if (sameSecret(twilioSignature(authToken, spelling, fields), signature ?? "")) good = true
  }
  return good
}

/** All signatures that `validateStream` takes. For a process that does not know the token. */
export const streamSignatures = (url: string, authToken: string): ReadonlyArray<string> => {
  const urls = new Set([...spellings(url), ...spellings(withSlash(url))])
  return [...urls].map((spelling) => twilioSignature(authToken, spelling, {}))
}

const withSlash = (url: string): string => (url.endsWith("/") ? url : `${url}/`)

/**
 * Whether the signature of a media stream's WebSocket upgrade is valid. It signs the `wss` URL exactly as the provider was told it, without
 * fields. A URL is also tried with the final slash that some clients add.
 */
export const validateStream = (url: string, authToken: string, signature: string | undefined): boolean => {
  const asAnswered = verifyTwilioSignature(authToken, signature, url, {})
  const slashed = verifyTwilioSignature(authToken, signature, withSlash(url), {})
  return asAnswered || slashed
}
