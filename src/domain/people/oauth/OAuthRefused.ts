/** An OAuth request that is refused with a code of RFC 6749 or one of its companions, and a sentence for whoever builds the client. */
import { Data } from "effect"

export type OAuthErrorCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"

export class OAuthRefused extends Data.TaggedError("OAuthRefused")<{
  readonly code: OAuthErrorCode
  /** In ASCII, without quotation marks and backslashes, as RFC 6749 wants it. */
  readonly description: string
}> {}
