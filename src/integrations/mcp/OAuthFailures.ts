/** What went wrong with an authorization server, from the errors of the library. */
import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError
} from "@modelcontextprotocol/client"
import { McpOAuthRefused } from "../../domain/ai/tools/McpOAuth.ts"
import { seenText } from "../../domain/ai/tools/McpTool.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { PrivateAddress } from "../web/PublicNetwork.ts"

/** Text of another server within a sentence. */
const quoted = (text: string): string => seenText(text, 200).replace(/\s+/g, " ").trim()

const ends: ReadonlySet<string> = new Set<string>([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient
])

export const oauthRefused = (message: string, final = false) => new McpOAuthRefused({ message, final })

const isPrivate = (cause: unknown): boolean =>
  cause instanceof PrivateAddress || (cause instanceof Error && isPrivate(cause.cause))

/** Any error that the library or its fetch throws. */
export const oauthFailure = (cause: unknown): McpOAuthRefused => {
  if (cause instanceof McpOAuthRefused) return cause
  if (isPrivate(cause)) return oauthRefused("The authorization server's address is not on the public internet.")
  if (cause instanceof IssuerMismatchError)
    return oauthRefused("The authorization server is not the one that it says it is: its issuer is another one.")
  if (cause instanceof InsecureTokenEndpointError)
    return oauthRefused("The authorization server does not use https, so no secret is sent to it.")
  if (cause instanceof RegistrationRejectedError)
    return oauthRefused(
      `The authorization server does not let us register (status ${cause.status}). Make a client there, and enter its id and secret.`
    )
  if (cause instanceof OAuthError && cause.code === OAuthErrorCode.ServerError)
    return oauthRefused("The authorization server's answer could not be read.")
  if (cause instanceof OAuthError)
    return oauthRefused(
      `The authorization server refuses (${quoted(cause.code)}): ${quoted(cause.message)}`,
      ends.has(cause.code)
    )
  return oauthRefused(`The authorization server could not be asked: ${quoted(messageOf(cause))}`)
}
