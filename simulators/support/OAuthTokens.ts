/**
 * The token endpoint of a simulated provider of OAuth 2. Codes count once, and only with their redirect address and PKCE verifier. Where refresh tokens
 * rotate, one that is used twice ends all tokens of its authorization, as strict providers do.
 */
import { createHash, randomBytes } from "node:crypto"

interface Family {
  refreshToken: string
  readonly used: Set<string>
  revoked: boolean
}

export interface OAuthTokenOptions {
  readonly client: { readonly id: string; readonly secret: string }
  readonly rotates: boolean
  /** Access tokens begin with it. */
  readonly prefix?: string
  /** What is answered beside `access_token` and, when it is new, `refresh_token`. */
  readonly beside: (given: { readonly lifetimeSeconds: number }) => object
  /** How the endpoint tells an error; status 400 and the members of RFC 6749 by default. */
  readonly refusal?: (error: string) => TokenAnswer
  readonly lifetimeSeconds: number
}

const token = (prefix: string) => `${prefix}-${randomBytes(16).toString("hex")}`
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

export interface TokenAnswer {
  readonly status: number
  readonly body: unknown
}

export class OAuthTokens {
  /** Tokens that somebody made by hand, which do not end. */
  readonly privateApps = new Set<string>()
  /** How long an access token lives, in seconds. */
  lifetimeSeconds: number
  /** Refreshes that succeeded. */
  refreshed = 0
  readonly #options: OAuthTokenOptions
  readonly #codes = new Map<string, { readonly redirectUri: string; readonly challenge: string | undefined }>()
  readonly #access = new Map<string, { readonly family: Family; readonly endsAt: number }>()
  readonly #families: Array<Family> = []

  constructor(options: OAuthTokenOptions) {
    this.#options = options
    this.lifetimeSeconds = options.lifetimeSeconds
  }

  /** A person agrees; gives the code. */
  agree(redirectUri: string, challenge?: string): string {
    const code = token("code")
    this.#codes.set(code, { redirectUri, challenge })
    return code
  }

  /** How a request with this access token is judged. */
  judge(accessToken: string): "good" | "expired" | "unknown" {
    if (this.privateApps.has(accessToken)) return "good"
    const known = this.#access.get(accessToken)
    if (known === undefined || known.family.revoked) return "unknown"
    return known.endsAt > Date.now() ? "good" : "expired"
  }

  revokeAll(): void {
    for (const family of this.#families) family.revoked = true
  }

  /** Ends all access tokens before their time; refresh tokens stay. */
  expireAll(): void {
    this.#access.clear()
  }

  /** Whether there is an authorization that nobody has ended. */
  isAlive(): boolean {
    return this.#families.some(({ revoked }) => !revoked)
  }

  /** Ends the authorization of a refresh token; false when there is none. */
  revoke(refreshToken: string): boolean {
    const family = this.#families.find((one) => one.refreshToken === refreshToken && !one.revoked)
    if (family !== undefined) family.revoked = true
    return family !== undefined
  }

  #give(family: Family, first: boolean): TokenAnswer {
    const { beside, prefix = "access", rotates } = this.#options
    const accessToken = token(prefix)
    const isNew = first || rotates
    if (isNew) family.refreshToken = token("refresh")
    this.#access.set(accessToken, { family, endsAt: Date.now() + this.lifetimeSeconds * 1_000 })
    const given = { access_token: accessToken, ...(isNew ? { refresh_token: family.refreshToken } : {}) }
    return { status: 200, body: { ...given, ...beside({ lifetimeSeconds: this.lifetimeSeconds }) } }
  }

  #refuse(error: string): TokenAnswer {
    const usual = { status: error === "invalid_client" ? 401 : 400, body: { error, error_description: "not valid" } }
    return this.#options.refusal?.(error) ?? usual
  }

  /** Answers a request to the token endpoint. */
  take(form: URLSearchParams): TokenAnswer {
    const { client, rotates } = this.#options
    if (form.get("client_id") !== client.id || form.get("client_secret") !== client.secret)
      return this.#refuse("invalid_client")
    if (form.get("grant_type") === "authorization_code") {
      const code = form.get("code") ?? ""
      const agreed = this.#codes.get(code)
      this.#codes.delete(code)
      const isHis = agreed?.challenge === undefined || agreed.challenge === challengeOf(form.get("code_verifier") ?? "")
      if (agreed === undefined || agreed.redirectUri !== form.get("redirect_uri") || !isHis)
        return this.#refuse("invalid_grant")
      const family = { refreshToken: "", used: new Set<string>(), revoked: false }
      this.#families.push(family)
      return this.#give(family, true)
    }
    if (form.get("grant_type") !== "refresh_token") return this.#refuse("unsupported_grant_type")
    const given = form.get("refresh_token") ?? ""
    const reused = this.#families.find(({ used }) => used.has(given))
    if (reused !== undefined) reused.revoked = true
    const family = this.#families.find(({ refreshToken, revoked }) => refreshToken === given && !revoked)
    if (family === undefined) return this.#refuse("invalid_grant")
    if (rotates) family.used.add(given)
    this.refreshed++
    return this.#give(family, false)
  }
}
