/** A client of our authorization server that does each step by hand, so that tests can do one of them wrongly. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld, password } from "./access.ts"
import { Browser, pkce } from "./browser.ts"

export const callback = "https://assistant.example/callback"

export interface OAuthAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  readonly body: any
  readonly headers: Headers
}

/** The service with its own address as the public one, an OWNER, and the steps of a client. */
export const makeOAuthWorld = (options: Parameters<typeof makeAccessWorld>[0] = {}) =>
  Effect.gen(function* () {
    const world = yield* makeAccessWorld({ isItsOwnAddress: true, ...options })
    const base = world.direct
    const resource = `${base}/api/mcp`
    const owner = yield* world.personOf("OWNER")

    const post = async (path: string, body: string, headers: Record<string, string>): Promise<OAuthAnswer> => {
      const response = await fetch(base + path, { method: "POST", body, headers })
      const text = await response.text()
      return { status: response.status, body: text === "" ? {} : JSON.parse(text), headers: response.headers }
    }
    const postForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      post(path, new URLSearchParams(fields).toString(), {
        "content-type": "application/x-www-form-urlencoded",
        ...headers
      })
    const register = (metadata: unknown) =>
      post("/oauth/register", JSON.stringify(metadata), { "content-type": "application/json" })

    /** The id of a new public client. */
    const publicClient = async (...uris: ReadonlyArray<string>): Promise<string> =>
      (
        await register({
          client_name: "Helper",
          redirect_uris: uris.length === 0 ? [callback] : uris,
          token_endpoint_auth_method: "none"
        })
      ).body.client_id

    /** The address to open, with the parameters of a good request and those that are given instead; `undefined` leaves one out. */
    const authorizeUrl = (
      clientId: string,
      challenge: string,
      changes: Record<string, string | undefined> = {}
    ): URL => {
      const url = new URL("/oauth/authorize", base)
      const all: Record<string, string | undefined> = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: callback,
        code_challenge: challenge,
        code_challenge_method: "S256",
        state: "a state",
        resource,
        ...changes
      }
      for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value)
      return url
    }

    /** A browser in which the owner, or another person, has signed in. */
    const browserOf = async (email = owner.email): Promise<Browser> => {
      const browser = new Browser(base)
      await browser.signIn("/oauth/authorize", email, password)
      return browser
    }

    /** The owner allows the client what it asks for. */
    const allowed = async (clientId: string, changes: Record<string, string | undefined> = {}) => {
      const { verifier, challenge } = pkce()
      const browser = await browserOf()
      const { gone } = await browser.decide(await browser.open(authorizeUrl(clientId, challenge, changes)), "allow")
      return { verifier, code: gone?.searchParams.get("code") ?? "", gone }
    }

    const exchange = (clientId: string, { code, verifier }: { code: string; verifier: string }, more = {}) =>
      postForm("/oauth/token", {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: callback,
        resource,
        ...more
      })
    const refresh = (clientId: string, token: string, more = {}) =>
      postForm("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...more })

    /** A client that is connected. */
    const connected = async (changes: Record<string, string | undefined> = {}) => {
      const clientId = await publicClient()
      const { body } = await exchange(clientId, await allowed(clientId, changes))
      return { clientId, access: String(body.access_token), refreshToken: String(body.refresh_token), body }
    }

    /** Changes rows of the organization as if time had passed. */
    const aged = (statement: string) =>
      world.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(world.organizationId)(sql.unsafe(statement))).pipe(
          Effect.orDie
        )
      )

    const admin = yield* world.keyOf(["admin"])
    const keys = () => world.withKey(admin.secret)("GET", "/api/api-keys")

    return {
      ...world,
      base,
      resource,
      owner,
      admin: admin.secret,
      postForm,
      register,
      publicClient,
      authorizeUrl,
      browserOf,
      allowed,
      exchange,
      refresh,
      connected,
      aged,
      keys
    }
  })
