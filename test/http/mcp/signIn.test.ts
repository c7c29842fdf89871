/** An assistant that has no key: it is refused, a person lets it in over OAuth, and it works until it is put out. */
import { assert, describe, it } from "@effect/vitest"
import * as next from "@modelcontextprotocol/client"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect } from "effect"
import { grantableScopes, usualScopes } from "../../../src/domain/people/oauth/GrantableScopes.ts"
import { toolsOfScope } from "../../../src/http/oauth/ScopeTools.ts"
import { testClient } from "../../support/assistants.ts"
import { eventually } from "../../support/eventually.ts"
import { makeOAuthWorld } from "../../support/oauth.ts"
import { Remembered } from "../../support/Remembered.ts"

type OAuthWorld = Effect.Success<ReturnType<typeof makeOAuthWorld>>

/** A person opens the address that the client wants opened, and allows it. Gives the parameters of the answer. */
const allow = async (world: OAuthWorld, provider: Remembered): Promise<URLSearchParams> => {
  const browser = await world.browserOf()
  const { gone } = await browser.decide(await browser.open(String(provider.asked)), "allow")
  return gone?.searchParams ?? new URLSearchParams()
}

const addresses = ["/api/mcp", "/api/mcp/sse", "/api/mcp/messages?sessionId=1", "/api/mcp/stdio"] as const
const methodOf = (path: string) => (path === "/api/mcp/sse" ? "GET" : "POST")

const ask = (world: OAuthWorld, path: string, token: string | undefined, headers: Record<string, string> = {}) =>
  fetch(world.base + path, {
    method: methodOf(path),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers
    },
    ...(methodOf(path) === "GET" ? {} : { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) })
  })

/** A stream of the access token, which is open. */
const openStream = async (world: OAuthWorld, token: string) => {
  const { body, status } = await ask(world, "/api/mcp/sse", token)
  assert.strictEqual(status, 200)
  const reader = body?.getReader()
  await reader?.read()
  return async () => {
    const began = performance.now()
    while ((await reader?.read())?.done === false);
    return performance.now() - began
  }
}

describe("an assistant without a key", () => {
  for (const [name, path, make] of [
    ["Streamable HTTP", "/api/mcp", StreamableHTTPClientTransport],
    ["HTTP+SSE", "/api/mcp/sse", SSEClientTransport]
  ] as const)
    it.live(`signs in with the SDK's client over ${name}, lists tools, calls one, and goes on after a refresh`, () =>
      Effect.gen(function* () {
        const world = yield* makeOAuthWorld()
        yield* Effect.promise(async () => {
          const url = new URL(world.base + path)
          const authProvider = new Remembered("none")
          const first = new make(url, { authProvider })
          const error = await new Client(testClient).connect(first as Transport).then(
            () => undefined,
            (cause: unknown) => cause
          )
          assert.instanceOf(error, UnauthorizedError)
          await first.finishAuth((await allow(world, authProvider)).get("code") ?? "")
          const client = new Client(testClient)
          await client.connect(new make(url, { authProvider }) as Transport)
          assert.include(
            (await client.listTools()).tools.map((tool) => tool.name),
            "list_contacts"
          )
          const made = await client.callTool({
            name: "create_contact",
            arguments: { phone: "+14155550123", name: "Asha Rao" }
          })
          assert.notStrictEqual(made.isError, true, JSON.stringify(made))
          const before = authProvider.saved?.access_token
          // A token that is not good any more is replaced by the client in the middle of its session.
          authProvider.saved = { ...authProvider.saved, access_token: "mk_expired", token_type: "Bearer" }
          const found = await client.callTool({ name: "list_contacts", arguments: { search: "asha" } })
          assert.include(JSON.stringify(found.structuredContent), "Asha Rao")
          assert.notInclude([before, "mk_expired"], authProvider.saved.access_token)
          await client.close()
        })
      })
    )

  it.live("signs in with the SDK's client of 2026-07-28", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const url = new URL(world.resource)
        const authProvider = new Remembered("none")
        const client = () => new next.Client(testClient, { versionNegotiation: { mode: "auto" } })
        const first = new next.StreamableHTTPClientTransport(url, { authProvider })
        await client()
          .connect(first)
          .then(
            () => assert.fail("it was let in without a token"),
            (cause: unknown) => assert.instanceOf(cause, next.UnauthorizedError)
          )
        await first.finishAuth(await allow(world, authProvider))
        const connected = client()
        await connected.connect(new next.StreamableHTTPClientTransport(url, { authProvider }))
        const found = await connected.callTool({ name: "list_contacts", arguments: {} })
        assert.deepInclude(found.structuredContent, { data: [], total: 0 })
        await connected.close()
      })
    })
  )

  it.live("is told at every address where to get a token, and which scope a key lacks", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      const reader = yield* world.keyOf(["contacts:read"])
      yield* Effect.promise(async () => {
        const metadata = `resource_metadata="${world.base}/.well-known/oauth-protected-resource/api/mcp"`
        const scope = `scope="${usualScopes.join(" ")}"`
        for (const path of addresses) {
          const cases = [
            [undefined, 401, `Bearer ${metadata}, ${scope}`],
            ["mk_wrong", 401, `Bearer error="invalid_token", ${metadata}, ${scope}`],
            [reader.secret, 403, `Bearer error="insufficient_scope", ${metadata}, scope="mcp"`]
          ] as const
          for (const [token, status, header] of cases) {
            const refused = await ask(world, path, token)
            assert.deepStrictEqual([refused.status, refused.headers.get("www-authenticate")], [status, header], path)
            assert.isString(((await refused.json()) as { error: unknown }).error)
          }
        }
      })
    })
  )

  it.live("is put out at once when its key is revoked, or its refresh token is used by two", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      const [one, two] = yield* Effect.promise(() => Promise.all([world.connected(), world.connected()]))
      const streams = yield* Effect.promise(() =>
        Promise.all([one, two].map(({ access }) => openStream(world, access)))
      )
      const [listed] = (yield* world.keys()).body.data.filter(
        ({ clientId }: { readonly clientId: string | null }) => clientId === one.clientId
      )
      yield* world.withKey(world.admin)("DELETE", `/api/api-keys/${listed.id}`)
      assert.isBelow(yield* Effect.promise(streams[0]), 5_000)

      const refresh = Effect.promise(() => world.refresh(two.clientId, two.refreshToken))
      assert.strictEqual((yield* refresh).status, 200)
      yield* world.aged("UPDATE oauth_tokens SET used_at = used_at - interval '31 seconds'")
      assert.strictEqual((yield* refresh).status, 400)
      assert.isBelow(yield* Effect.promise(streams[1]), 5_000)
      yield* eventually("neither token is good any more", async () => {
        const answers = await Promise.all([one, two].map(({ access }) => ask(world, "/api/mcp", access)))
        return answers.every(({ status }) => status === 401)
      })
    })
  )
})

describe("a page of another origin", () => {
  it.live("may sign in from anywhere, and use the MCP server when CORS_ORIGINS names it", () =>
    Effect.gen(function* () {
      const page = "https://assistant.example"
      const world = yield* makeOAuthWorld({ corsOrigins: [page] })
      const { access } = yield* Effect.promise(() => world.connected())
      yield* Effect.promise(async () => {
        const preflight = (origin: string, path: string) =>
          fetch(world.base + path, {
            method: "OPTIONS",
            headers: {
              origin,
              "access-control-request-method": "POST",
              "access-control-request-headers": "authorization,content-type,mcp-protocol-version,mcp-session-id"
            }
          })
        for (const path of ["/oauth/token", "/api/mcp"]) {
          const answer = await preflight(page, path)
          const origin = answer.headers.get("access-control-allow-origin")
          assert.include([page, "*"], origin, path)
          const headers = (answer.headers.get("access-control-allow-headers") ?? "").toLowerCase()
          for (const header of ["authorization", "content-type", "mcp-protocol-version"])
            assert.include(headers, header, path)
        }
        assert.include(
          (await preflight(page, "/api/mcp")).headers.get("access-control-allow-headers"),
          "Mcp-Session-Id"
        )
        const refused = await ask(world, "/api/mcp", undefined, { origin: page })
        assert.strictEqual(refused.status, 401)
        assert.strictEqual(refused.headers.get("access-control-allow-origin"), page)
        const readable = refused.headers.get("access-control-expose-headers") ?? ""
        for (const header of ["WWW-Authenticate", "Mcp-Session-Id"]) assert.include(readable, header)

        const stranger = "https://stranger.example"
        assert.strictEqual((await preflight(stranger, "/oauth/token")).headers.get("access-control-allow-origin"), "*")
        assert.isNull((await preflight(stranger, "/api/mcp")).headers.get("access-control-allow-origin"))
        const foreign = await ask(world, "/api/mcp", access, { origin: stranger })
        assert.deepStrictEqual([foreign.status, foreign.headers.get("access-control-allow-origin")], [403, null])
        assert.notStrictEqual((await ask(world, "/api/mcp", access, { origin: page })).status, 403)
      })
    })
  )
})

describe("the scopes that a person reads about", () => {
  it.live("name the tools that a key with them sees, and an assistant asks for those that have tools", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      const seen = yield* Effect.forEach(grantableScopes, (scope) =>
        Effect.gen(function* () {
          const { secret } = yield* world.keyOf([...new Set(["mcp" as const, scope])])
          const names = yield* Effect.promise(async () => {
            const client = new next.Client(testClient, { versionNegotiation: { mode: "auto" } })
            const requestInit = { headers: { authorization: `Bearer ${secret}` } }
            await client.connect(new next.StreamableHTTPClientTransport(new URL(world.resource), { requestInit }))
            const { tools } = await client.listTools()
            await client.close()
            return tools.map(({ name }) => name)
          })
          return [scope, names] as const
        })
      )
      for (const [scope, names] of seen) assert.sameMembers([...toolsOfScope(scope)], names, scope)
      const useful = seen.flatMap(([scope, names]) => (scope === "mcp" || names.length > 0 ? [scope] : []))
      assert.sameMembers([...usualScopes], useful)
    })
  )
})
