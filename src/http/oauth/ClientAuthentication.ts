/** Who sends a request to the token or revocation endpoint: `client_secret_basic`, `client_secret_post` or `none` (RFC 6749, 2.3; RFC 7591). */
import { Effect } from "effect"
import { only } from "../../domain/people/oauth/AuthorizationRequest.ts"
import { isDocumentAddress, OAuthClients } from "../../domain/people/oauth/OAuthClient.ts"
import { OAuthRefused } from "../../domain/people/oauth/OAuthRefused.ts"

interface Credentials {
  readonly id: string | undefined
  readonly secret: string | undefined
}

const refused = new OAuthRefused({
  code: "invalid_client",
  description: "The client is unknown, or its secret is wrong."
})
const invalid = (description: string) => new OAuthRefused({ code: "invalid_request", description })

const formDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** The header's credentials; each half of them is encoded as in a form. */
const basic = (authorization: string): Credentials | undefined => {
  const encoded = /^basic +([\w+/=-]{1,4096})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  if (colon === -1) return undefined
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) || undefined }
}

const credentialsOf = (form: URLSearchParams, authorization: string | undefined): Credentials | OAuthRefused => {
  const sent = { id: only(form, "client_id"), secret: only(form, "client_secret") }
  if (authorization === undefined) return sent
  const inHeader = basic(authorization)
  if (inHeader === undefined) return refused
  if (sent.secret !== undefined) return invalid("Send the client's secret in the header or in the body, not in both.")
  return sent.id === undefined || sent.id === inHeader.id
    ? inHeader
    : invalid("The header and the body name two clients.")
}

/**
 * Needs OAuthClients. The function it gives finds the client of a request. A client with a document is public, and its id is bound to its codes and
 * tokens; so the document need not be fetched here.
 */
export const makeClientAuthentication = Effect.map(OAuthClients, (clients) =>
  Effect.fnUntraced(function* (form: URLSearchParams, authorization: string | undefined) {
    const credentials = credentialsOf(form, authorization)
    if (credentials instanceof OAuthRefused) return yield* credentials
    const { id, secret } = credentials
    if (id === undefined) return yield* authorization === undefined ? invalid("client_id is missing.") : refused
    if (isDocumentAddress(id)) return secret === undefined ? { id } : yield* refused
    const client = yield* clients.find(id)
    if (client === undefined) return yield* refused
    const proven =
      client.secretHash === null ? secret === undefined : secret !== undefined && clients.isSecret(client, secret)
    return proven ? { id } : yield* refused
  })
)
