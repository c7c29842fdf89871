/**
 * This service as a client of an external MCP server that wants OAuth. The server is this service itself, whose authorization server rotates refresh tokens
 * and ends a grant when one is used twice: a second refresh would show.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeMcpAccess } from "../../../src/domain/ai/tools/McpAccess.ts"
import { McpGrants } from "../../../src/domain/ai/tools/McpGrant.ts"
import * as McpOAuthClient from "../../../src/integrations/mcp/McpOAuthClient.ts"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventually } from "../../support/eventually.ts"
import { makeOAuthWorld } from "../../support/oauth.ts"

/** An OWNER who is signed in, in a browser too, and a server that nobody has authorized. */
const stage = Effect.gen(function* () {
  const world = yield* makeOAuthWorld()
  const { ask } = yield* world.signIn(world.owner.email)
  const added = yield* ask("POST", "/api/mcp-servers", {
    body: { name: "Other", url: world.resource, auth: { type: "oauth", scope: "mcp contacts:read" } }
  })
  assert.strictEqual(added.status, 201, JSON.stringify(added.body))
  const path = `/api/mcp-servers/${added.body.id}`
  const browser = yield* Effect.promise(() => world.browserOf())
  const begin = Effect.map(ask("POST", `${path}/authorize`), ({ status, body }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return new URL(body.url)
  })
  /** The person decides at the authorization server, and comes back. */
  const decide = (decision: "allow" | "deny") =>
    Effect.flatMap(begin, (url) => Effect.promise(async () => browser.decide(await browser.open(url), decision)))
  const shown = Effect.map(ask("GET", path), ({ body }) => body)
  const grantOf = world.provide(
    Effect.flatMap(McpGrants, (grants) => grants.find(world.organizationId, String(added.body.id)))
  )
  return { ...world, ask, added, path, browser, begin, decide, shown, grantOf }
})

/** The access token has ended, as after an hour. */
const ended = ({ provide, grantOf, organizationId }: Effect.Success<typeof stage>) =>
  Effect.gen(function* () {
    const grant = yield* grantOf
    if (grant === undefined) return assert.fail("there is a grant")
    const old = yield* provide(
      Effect.flatMap(McpGrants, (grants) => grants.replace(grant, { ...grant.tokens, expiresAt: 1 }))
    )
    if (old === undefined) return assert.fail("it is stored")
    const rows = Effect.map(
      provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          tenant(organizationId)(sql<{ kind: string }>`SELECT kind FROM oauth_tokens WHERE kind = 'access'`)
        )
      ),
      (found) => found.length
    )
    return { old, rows }
  })

describe("an external MCP server that wants OAuth", () => {
  it.live("is authorized by a person, and is asked with the tokens, which nobody is shown", () =>
    Effect.gen(function* () {
      const { added, begin, browser, decide, shown, audited, owner, provide, organizationId, grantOf } = yield* stage
      assert.deepInclude(added.body.health, {
        status: "unauthorized",
        error: "A person must authorize this server first."
      })
      assert.deepInclude(added.body.authorization, { status: "needed", scopes: [], authorizedAt: null })

      const url = yield* begin
      for (const [name, value] of Object.entries({
        response_type: "code",
        code_challenge_method: "S256",
        scope: "mcp contacts:read",
        resource: added.body.url,
        redirect_uri: `${browser.base}/oauth/callback`
      }))
        assert.strictEqual(url.searchParams.get(name), value, name)

      const page = yield* decide("allow")
      assert.strictEqual(page.status, 200, page.text)
      assert.match(page.text, /Other is authorized/)
      assert.match(page.text, /You can close this window/)
      const server = yield* shown
      assert.deepInclude(server.health, { status: "ok", error: null })
      assert.deepInclude(server.authorization, {
        status: "authorized",
        issuer: browser.base,
        scopes: ["mcp", "contacts:read"],
        wanted: [],
        authorizedBy: owner.id
      })
      assert.includeMembers(
        server.tools.map(({ name }: { readonly name: string }) => name),
        ["list_contacts", "get_contact"]
      )

      const grant = yield* grantOf
      const [{ tokens }] = yield* provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          tenant(organizationId)(sql<{ tokens: string }>`SELECT tokens FROM mcp_grants`)
        )
      )
      const [entry] = (yield* audited()).filter(({ action }) => action === "mcp_server.authorized")
      assert.strictEqual(entry.actor.id, owner.id)
      for (const secret of [grant?.tokens.accessToken ?? "", grant?.tokens.refreshToken ?? ""]) {
        assert.isAbove(secret.length, 20)
        assert.notInclude(JSON.stringify([server, entry, tokens, page.text]), secret)
      }
    })
  )

  it.live("is not authorized by somebody else's answer, an old one, one of another issuer, or a refusal", () =>
    Effect.gen(function* () {
      const { begin, browser, decide, shown, personOf, browserOf, base } = yield* stage
      const back = (url: string, who = browser) => Effect.promise(() => who.open(url))
      const state = Effect.map(begin, (url) => url.searchParams.get("state") ?? "")

      const denied = yield* decide("deny")
      assert.strictEqual(denied.status, 400)
      assert.match(denied.text, /It was not agreed to\./)

      const forged = yield* back(`/oauth/callback?state=${yield* state}&code=x&iss=https://evil.example`)
      assert.match(forged.text, /is not the one that it says it is/)
      const nameless = yield* back(`/oauth/callback?state=${yield* state}&code=x`)
      assert.match(nameless.text, /is not the one that it says it is/)
      const wrong = yield* back(`/oauth/callback?state=${yield* state}&code=x&iss=${base}`)
      assert.match(wrong.text, /refuses \(invalid_grant\)/)

      const mine = yield* state
      const admin = yield* personOf("ADMIN")
      const other = yield* Effect.promise(() => browserOf(admin.email))
      assert.match((yield* back(`/oauth/callback?state=${mine}&code=x&iss=${base}`, other)).text, /somebody else/)
      const stranger = yield* Effect.promise(() => fetch(`${base}/oauth/callback?state=${mine}&code=x`))
      assert.strictEqual(stranger.status, 401)
      assert.match(yield* Effect.promise(() => stranger.text()), /You are not signed in/)
      assert.match((yield* back(`/oauth/callback?state=${mine}&code=x&iss=${base}`)).text, /is over/)
      assert.deepInclude((yield* shown).authorization, { status: "needed" })
    })
  )

  it.live("has its token renewed once for 50 requests on two processes", () =>
    Effect.gen(function* () {
      const world = yield* stage
      yield* world.decide("allow")
      const { old, rows } = yield* ended(world)
      const before = yield* rows
      const client = yield* Layer.build(McpOAuthClient.layer({ allowPrivateNetwork: true }))
      const node = world.provide(Effect.provide(makeMcpAccess, client))
      const nodes = yield* Effect.all([node, node])
      const all = Array.from({ length: 50 }, (_, i) => nodes[i % 2](old))
      const found = yield* Effect.all(all, { concurrency: "unbounded" })
      assert.strictEqual(new Set(found.map(({ tokens }) => tokens.accessToken)).size, 1)
      assert.strictEqual((yield* rows) - before, 1)
      const tested = yield* world.ask("POST", `${world.path}/test`)
      assert.deepInclude(tested.body.health, { status: "ok" })
    })
  )

  it.live("that has lost its authorization says so, and works again when a person agrees again", () =>
    Effect.gen(function* () {
      const world = yield* stage
      const { ask, path, decide, shown, keys } = world
      yield* decide("allow")
      const [key] = (yield* keys()).body.data.filter(
        ({ clientId }: { clientId?: string | null }) => typeof clientId === "string"
      )
      yield* ask("DELETE", `/api/api-keys/${key.id}`)
      const tested = yield* ask("POST", `${path}/test`)
      assert.deepInclude(tested.body.health, {
        status: "unauthorized",
        error: "The authorization has ended. A person must authorize the server again."
      })
      assert.deepInclude(tested.body.authorization, { status: "lost" })
      yield* decide("allow")
      assert.deepInclude((yield* shown).health, { status: "ok" })
      assert.deepInclude((yield* shown).authorization, { status: "authorized" })
    })
  )

  it.live("has its authorization revoked when it is removed, or gets another kind of it", () =>
    Effect.gen(function* () {
      const { ask, path, decide, keys, resource, shown } = yield* stage
      const connected = Effect.map(
        keys(),
        ({ body }) =>
          body.data.filter(
            ({ clientId, status }: { clientId?: string | null; status: string }) =>
              typeof clientId === "string" && status === "active"
          ).length
      )
      yield* decide("allow")
      assert.strictEqual(yield* connected, 1)
      const kept = yield* ask("PUT", path, { body: { name: "Other name", url: resource } })
      assert.deepInclude(kept.body.authorization, { status: "authorized" })
      const changed = yield* ask("PUT", path, { body: { name: "Other", url: resource, auth: { type: "none" } } })
      assert.isNull(changed.body.authorization)
      assert.match(changed.body.health.error, /It can be authorized by OAuth: set auth\.type to "oauth"/)
      assert.strictEqual(yield* connected, 0)
      yield* ask("PUT", path, { body: { name: "Other", url: resource, auth: { type: "oauth" } } })
      assert.deepInclude((yield* shown).authorization, { status: "needed" })
      yield* decide("allow")
      assert.strictEqual(yield* connected, 1)
      assert.strictEqual((yield* ask("DELETE", path)).status, 200)
      yield* eventually(
        "the key is gone",
        Effect.map(connected, (count) => count === 0)
      )
    })
  )

  it.live("is refused with settings that do not fit, and for keys, which cannot agree", () =>
    Effect.gen(function* () {
      const { ask, path, admin, withKey, resource } = yield* stage
      const change = (auth: object) => ask("PUT", path, { body: { name: "Other", url: resource, auth } })
      assert.match((yield* change({ type: "none", clientId: "x" })).body.error, /^auth\.clientId needs auth\.type/)
      assert.match((yield* change({ type: "oauth", token: "x" })).body.error, /^auth\.token needs auth\.type/)
      assert.match((yield* change({ type: "oauth", clientSecret: "x" })).body.error, /needs auth\.clientId/)
      const given = yield* change({ type: "oauth", clientId: "parley", clientSecret: "s3cret-of-parley" })
      assert.deepStrictEqual(given.body.auth, { type: "oauth", clientId: "parley" })
      assert.notInclude(JSON.stringify(given.body), "s3cret-of-parley")
      assert.strictEqual((yield* withKey(admin)("POST", `${path}/authorize`)).status, 403)
      yield* change({ type: "none" })
      const refused = yield* ask("POST", `${path}/authorize`)
      assert.strictEqual(refused.status, 400)
      assert.match(refused.body.error, /set auth\.type to "oauth"/)
    })
  )

  it.live("reads what we are from our client id metadata document", () =>
    Effect.gen(function* () {
      const { base } = yield* stage
      const document = yield* Effect.promise(async () => (await fetch(`${base}/oauth/client-metadata.json`)).json())
      assert.deepInclude(document, {
        client_id: `${base}/oauth/client-metadata.json`,
        redirect_uris: [`${base}/oauth/callback`],
        token_endpoint_auth_method: "none"
      })
    })
  )
})
