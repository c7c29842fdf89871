import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeOAuthWorld } from "../../support/oauth.ts"

describe("the documents of the authorization server", () => {
  it.live("lead from a refused request to every endpoint, and name one issuer", () =>
    Effect.gen(function* () {
      const { base, resource } = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        for (const path of ["", "/api/mcp", "/api/mcp/sse"]) {
          const found = await fetch(`${base}/.well-known/oauth-protected-resource${path}`)
          assert.strictEqual(found.status, 200)
          assert.deepInclude(await found.json(), {
            resource,
            authorization_servers: [base],
            bearer_methods_supported: ["header"]
          })
        }
        const found = await fetch(`${base}/.well-known/oauth-authorization-server`)
        assert.match(found.headers.get("content-type") ?? "", /^application\/json/)
        assert.deepInclude(await found.json(), {
          issuer: base,
          authorization_endpoint: `${base}/oauth/authorize`,
          token_endpoint: `${base}/oauth/token`,
          registration_endpoint: `${base}/oauth/register`,
          revocation_endpoint: `${base}/oauth/revoke`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
          client_id_metadata_document_supported: true,
          authorization_response_iss_parameter_supported: true
        })
      })
    })
  )

  it.live("and the endpoints of programs may be used by any page, the pages of people by none", () =>
    Effect.gen(function* () {
      const { base } = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const origin = "https://page.example"
        const asked = (path: string, method: string) =>
          fetch(base + path, { method, headers: { origin, "access-control-request-method": "POST" } })
        for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"]) {
          const preflight = await asked(path, "OPTIONS")
          assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*", path)
          assert.isNull(preflight.headers.get("access-control-allow-credentials"))
        }
        const metadata = await asked("/.well-known/oauth-authorization-server", "GET")
        assert.strictEqual(metadata.headers.get("access-control-allow-origin"), "*")
        for (const path of ["/oauth/authorize", "/oauth/sign-in", "/oauth/consent", "/api/api-keys"])
          for (const method of ["OPTIONS", "GET"])
            assert.isNull((await asked(path, method)).headers.get("access-control-allow-origin"), `${method} ${path}`)
      })
    })
  )

  it.live("are told with their methods when another one is used", () =>
    Effect.gen(function* () {
      const { base } = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        for (const [method, path, allowed] of [
          ["GET", "/oauth/token", "POST"],
          ["POST", "/oauth/authorize", "GET, HEAD"],
          ["DELETE", "/.well-known/oauth-authorization-server", "GET, HEAD"]
        ] as const) {
          const refused = await fetch(base + path, { method })
          assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, allowed], path)
        }
      })
    })
  )
})
