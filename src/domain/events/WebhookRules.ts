/** The rules of an endpoint, beside its shape. Their sentences name the field. */
import { headersProblem, maskHeaders } from "../basics/CustomHeaders.ts"

/** The headers that we set in every request. */
const ours: ReadonlySet<string> = new Set([
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "content-type",
  "content-encoding",
  "user-agent",
  "accept"
])

/** The sentence that says why an endpoint cannot have this URL or these headers. `reach` says why a URL cannot be reached from here. */
export const webhookProblem = (
  { url, headers }: { readonly url?: string; readonly headers?: Readonly<Record<string, string>> },
  reach: (url: string) => string | undefined
): string | undefined => {
  if (url !== undefined) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return "url is invalid: it must be an https URL."
    if (parsed.username !== "" || parsed.password !== "")
      return "url is invalid: it has a user or password in it. Put secrets into headers, which are stored encrypted."
    const refusal = reach(url)
    if (refusal !== undefined) return `url is invalid: ${refusal}`
  }
  const wrong = headers === undefined ? undefined : headersProblem(headers, ours)
  return wrong === undefined ? undefined : `headers is invalid: it has ${wrong}`
}

const originOf = (url: string) => new URL(url).origin

/**
 * The headers to store. A masked value that is sent back keeps the stored value, but only for the same scheme, host and port; otherwise the result is
 * a sentence. Without `headers` in the changes the stored ones stay, unless scheme, host or port change: then they are removed.
 */
export const keptHeaders = (
  before: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  changes: { readonly url?: string; readonly headers?: Readonly<Record<string, string>> }
): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string } => {
  const samePlace = changes.url === undefined || originOf(changes.url) === originOf(before.url)
  if (changes.headers === undefined) return { headers: samePlace ? before.headers : {} }
  const masked = maskHeaders(before.headers)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(changes.headers)) {
    const known = Object.keys(before.headers).find((other) => other.toLowerCase() === name.toLowerCase())
    const isMask = known !== undefined && value === masked[known]
    if (isMask && !samePlace)
      return {
        problem: `headers is invalid: "${name}" is kept for its address only. For another one send its value again.`
      }
    headers[name] = isMask ? before.headers[known] : value
  }
  return { headers }
}
