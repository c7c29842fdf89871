/** The tokens of the simulated HubSpot. Refresh tokens rotate: one that is used twice ends all tokens of its authorization, as strict providers do. */
import { randomBytes } from "node:crypto"

interface Family {
  refreshToken: string
  readonly used: Set<string>
  revoked: boolean
}

export const hubSpotClient = { id: "client-of-parley", secret: "secret-of-the-client" }

const token = (prefix: string) => `${prefix}-${randomBytes(16).toString("hex")}`

export interface TokenAnswer {
  readonly status: number
  readonly body: unknown
}

export class HubSpotTokens {
  /** Tokens of private apps, which do not end. */
  readonly privateApps = new Set<string>()
  /** How long an access token lives, in seconds. */
  lifetimeSeconds = 1_800
  /** Refreshes that succeeded. */
  refreshed = 0
  readonly #codes = new Map<string, string>()
  readonly #access = new Map<string, { readonly family: Family; readonly endsAt: number }>()
  readonly #families: Array<Family> = []

  /** A person agrees; gives the code. */
  agree(redirectUri: string): string {
    const code = token("code")
    this.#codes.set(code, redirectUri)
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

  #give(family: Family): TokenAnswer {
    const accessToken = token("access")
    family.refreshToken = token("refresh")
    this.#access.set(accessToken, { family, endsAt: Date.now() + this.lifetimeSeconds * 1_000 })
    const given = { access_token: accessToken, refresh_token: family.refreshToken, expires_in: this.lifetimeSeconds }
    return { status: 200, body: { ...given, token_type: "bearer" } }
  }

  /** Answers `POST /oauth/2026-03/token`. */
  take(form: URLSearchParams): TokenAnswer {
    const refuse = (error: string) => ({ status: 400, body: { error, error_description: "The request is not valid." } })
    if (form.get("client_id") !== hubSpotClient.id || form.get("client_secret") !== hubSpotClient.secret)
      return { status: 401, body: { error: "invalid_client" } }
    if (form.get("grant_type") === "authorization_code") {
      const code = form.get("code") ?? ""
      const redirectUri = this.#codes.get(code)
      this.#codes.delete(code)
      if (redirectUri === undefined || redirectUri !== form.get("redirect_uri")) return refuse("invalid_grant")
      const family = { refreshToken: "", used: new Set<string>(), revoked: false }
      this.#families.push(family)
      return this.#give(family)
    }
    if (form.get("grant_type") !== "refresh_token") return refuse("unsupported_grant_type")
    const given = form.get("refresh_token") ?? ""
    const reused = this.#families.find(({ used }) => used.has(given))
    if (reused !== undefined) reused.revoked = true
    const family = this.#families.find(({ refreshToken, revoked }) => refreshToken === given && !revoked)
    if (family === undefined) return refuse("invalid_grant")
    family.used.add(given)
    this.refreshed++
    return this.#give(family)
  }
}
