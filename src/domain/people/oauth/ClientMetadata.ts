/** What a client says of itself, when it registers or in its document: the fields of RFC 7591 that are read here. Others are ignored. */
import { Schema } from "effect"
import { hasAtMost } from "../../basics/PlainText.ts"
import { OAuthRefused } from "./OAuthRefused.ts"
import { redirectUriProblem } from "./RedirectUri.ts"

export const authMethods = ["none", "client_secret_post", "client_secret_basic"] as const
export type AuthMethod = (typeof authMethods)[number]

const mostRedirects = 10
const longestName = 100
const unnamed = "Unnamed client"

const Metadata = Schema.Struct({
  redirect_uris: Schema.optionalKey(Schema.Array(Schema.String)),
  client_name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  token_endpoint_auth_method: Schema.optionalKey(Schema.NullOr(Schema.String)),
  grant_types: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  response_types: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  application_type: Schema.optionalKey(Schema.NullOr(Schema.Literals(["web", "native"])))
})
const decode = Schema.decodeUnknownOption(Metadata)

export interface ClientMetadata {
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  /** As it was said; undefined when it was not. */
  readonly authMethod: string | undefined
  readonly applicationType: "web" | "native" | undefined
}

const wrong = (description: string) => new OAuthRefused({ code: "invalid_client_metadata", description })

/** Shown to people, so in one line and without characters that hide or turn others around. */
const shownName = (name: string): string => {
  const line = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
  return hasAtMost(line, longestName) ? line : [...line].slice(0, longestName).join("")
}

/** Reads and checks the metadata. */
export const clientMetadata = (json: unknown): ClientMetadata | OAuthRefused => {
  const decoded = decode(json)
  if (decoded._tag === "None")
    return wrong("The metadata of the client is not a JSON object with the fields and types of RFC 7591.")
  const {
    redirect_uris: uris = [],
    client_name,
    token_endpoint_auth_method,
    application_type,
    ...types
  } = decoded.value
  if (uris.length === 0) return wrong("redirect_uris must name at least one address.")
  if (uris.length > mostRedirects) return wrong(`redirect_uris must name at most ${mostRedirects} addresses.`)
  for (const [at, uri] of uris.entries()) {
    const problem = redirectUriProblem(uri)
    if (problem !== undefined)
      return new OAuthRefused({ code: "invalid_redirect_uri", description: `redirect_uris[${at}] ${problem}.` })
  }
  if (types.grant_types != null && !types.grant_types.includes("authorization_code"))
    return wrong("grant_types must contain authorization_code: there is no other way to a token.")
  if (types.response_types != null && !types.response_types.includes("code"))
    return wrong("response_types must contain code.")
  return {
    name: shownName(client_name ?? "") || unnamed,
    redirectUris: uris,
    authMethod: token_endpoint_auth_method ?? undefined,
    applicationType: application_type ?? undefined
  }
}
