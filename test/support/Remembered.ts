/** What the SDKs' clients keep of a connection over OAuth. */
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens
} from "@modelcontextprotocol/sdk/shared/auth.js"
import { callback } from "./oauth.ts"

/** What a host program remembers of its connection. */
export class Remembered implements OAuthClientProvider {
  readonly redirectUrl = callback
  client: OAuthClientInformationMixed | undefined
  saved: OAuthTokens | undefined
  verifier = ""
  asked: URL | undefined
  readonly method: string
  readonly clientMetadataUrl?: string

  constructor(method: string, clientMetadataUrl?: string) {
    this.method = method
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }
  get clientMetadata(): OAuthClientMetadata {
    return { client_name: "Helper", redirect_uris: [callback], token_endpoint_auth_method: this.method }
  }
  state() {
    return "a state"
  }
  clientInformation() {
    return this.client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client
  }
  tokens() {
    return this.saved
  }
  saveTokens(tokens: OAuthTokens) {
    this.saved = tokens
  }
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
  invalidateCredentials() {
    this.saved = undefined
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier
  }
  codeVerifier() {
    return this.verifier
  }
}
