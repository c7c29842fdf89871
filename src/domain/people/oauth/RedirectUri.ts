/**
 * Where a browser goes after a person has decided: an address that the client has registered. `https` anywhere; `http` on the person's own machine only,
 * where the port may differ each time (RFC 8252); or a scheme of an installed program. The texts are compared, not what a parser makes of them.
 */

const longest = 2_000

/** ASCII without spaces, quotation marks, brackets and the backslash that browsers read as a slash. */
const plain = /^[\x21-\x7e]+$/
const strange = /["<>\\^`{|}#]/

/** An address of the person's own machine: before the port, the port, and after it. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/

/** Schemes that browsers treat as their own, or that reach something else than an installed program. */
const notOfPrograms = new Set(
  (
    "about blob cid chrome data feed file filesystem ftp gopher http https imap intent jar javascript ldap ldaps mailto mid news " +
    "nntp rtsp sftp sip sips sms smsto ssh tel telnet urn vbscript view-source ws wss x-javascript"
  ).split(" ")
)

const schemeOf = (text: string) => /^([a-z][a-z0-9+.-]*):/.exec(text)?.[1]

/** Why a client may not register this address, as a clause; `undefined` when it may. */
export const redirectUriProblem = (text: string): string | undefined => {
  if (text.length > longest) return `is longer than ${longest} characters`
  if (!plain.test(text) || strange.test(text)) return "contains a character or a fragment that it may not contain"
  const scheme = schemeOf(text)
  const url = URL.parse(text)
  if (scheme === undefined || url === null) return "is not an absolute address with its scheme in lower case"
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?]*@/.test(text)) return "contains a user name"
  if (scheme === "https") return url.hostname === "" || !text.startsWith("https://") ? "names no host" : undefined
  if (scheme === "http")
    return loopback.test(text) ? undefined : "uses http on a host other than 127.0.0.1, [::1] and localhost"
  return notOfPrograms.has(scheme) ? `uses the scheme ${scheme}, which is not one of an installed program` : undefined
}

const withoutPort = (text: string): string | undefined => {
  const [, before, after] = loopback.exec(text) ?? []
  return before === undefined ? undefined : `${before}${after}`
}

/** Whether `text` is one of the registered addresses, letter by letter; on the person's own machine the port may be another one. */
export const isRegistered = (registered: ReadonlyArray<string>, text: string): boolean => {
  if (registered.includes(text)) return true
  const local = withoutPort(text)
  return (
    local !== undefined &&
    redirectUriProblem(text) === undefined &&
    registered.some((uri) => withoutPort(uri) === local)
  )
}

/** Whether the address is one of the person's own machine: any program there may have opened the port. */
export const isOwnMachine = (text: string): boolean => loopback.test(text)

/** What a person is told of the address: its host, or the scheme of an installed program. */
export const placeOf = (text: string): string => {
  const scheme = schemeOf(text)
  return scheme === "https" || scheme === "http" ? new URL(text).host : `${scheme}:`
}

/** The address with these parameters added to those that it has. */
export const withParameters = (text: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.set(name, value)
  return `${text}${text.includes("?") ? "&" : "?"}${added}`
}
