/** The SDKs' own clients find our authorization server, register, are let in by a person, refresh, and are put out. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as next from "@modelcontextprotocol/client"
import { auth } from "@modelcontextprotocol/sdk/client/auth.js"
import { Effect } from "effect"
import { ApiKeys } from "../../../src/domain/people/access/ApiKey.ts"
import { callback, makeOAuthWorld } from "../../support/oauth.ts"
import { Remembered } from "../../support/Remembered.ts"

describe("a client made with the SDK", () => {
  it.live("registers, gets a token, refreshes it, and loses it when its key is revoked, by each method", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      const authenticate = (token: string) => world.provide(Effect.flatMap(ApiKeys, (keys) => keys.authenticate(token)))
      const serverUrl = `${world.base}/api/mcp`
      for (const method of ["none", "client_secret_post", "client_secret_basic"]) {
        const provider = new Remembered(method)
        const tokens = yield* Effect.promise(async () => {
          assert.strictEqual(await auth(provider, { serverUrl }), "REDIRECT")
          const browser = await world.browserOf()
          const { gone } = await browser.decide(await browser.open(String(provider.asked)), "allow")
          assert.strictEqual(gone?.searchParams.get("iss"), world.base)
          const authorizationCode = gone?.searchParams.get("code") ?? ""
          assert.strictEqual(await auth(provider, { serverUrl, authorizationCode }), "AUTHORIZED")
          const first = provider.saved
          assert.strictEqual(await auth(provider, { serverUrl }), "AUTHORIZED")
          return { first, second: provider.saved }
        })
        assert.notStrictEqual(tokens.first?.access_token, tokens.second?.access_token)
        const [caller, before] = [
          yield* authenticate(tokens.second?.access_token ?? ""),
          yield* authenticate(tokens.first?.access_token ?? "")
        ]
        assert.strictEqual(caller?.clientId, provider.client?.client_id)
        assert.strictEqual(caller?.keyId, before?.keyId)
        assert.include(caller?.scopes ?? [], "mcp")
        assert.notInclude(caller?.scopes ?? [], "admin")

        // The newest key is the first of the list.
        const [listed] = (yield* world.keys()).body.data
        assert.deepInclude(listed, { name: "Helper", clientId: caller?.clientId, makerId: world.owner.id })
        const revoked = yield* world.withKey(world.admin)("DELETE", `/api/api-keys/${listed.id}`)
        assert.strictEqual(revoked.status, 200)
        assert.isUndefined(yield* authenticate(tokens.second?.access_token ?? ""))
        // The SDK asks the person again when the refresh is refused.
        assert.strictEqual(yield* Effect.promise(() => auth(provider, { serverUrl })), "REDIRECT")
      }
    })
  )

  it.live("in its second version finds the same server, and is let in by the address of its document", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      const documents = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const server = createServer((request, response) => {
                const own = `http://${request.headers.host}${request.url}`
                response.writeHead(200, { "content-type": "application/json" })
                response.end(
                  JSON.stringify({ client_id: own, client_name: "Documented helper", redirect_uris: [callback] })
                )
              }).listen(0, "127.0.0.1", () => resolve(server))
            })
        ),
        (server) => Effect.sync(() => void server.close())
      )
      const address = `http://127.0.0.1:${(documents.address() as AddressInfo).port}/client.json`
      const provider = new Remembered("none")
      provider.client = { client_id: address }
      const serverUrl = `${world.base}/api/mcp`
      yield* Effect.promise(async () => {
        assert.strictEqual(await next.auth(provider, { serverUrl }), "REDIRECT")
        const browser = await world.browserOf()
        const page = await browser.open(String(provider.asked))
        assert.include(page.text, "Documented helper wants to work in")
        assert.include(page.text, new URL(address).host)
        const { gone } = await browser.decide(page, "allow")
        const authorizationCode = gone?.searchParams.get("code") ?? ""
        const iss = gone?.searchParams.get("iss") ?? ""
        assert.strictEqual(await next.auth(provider, { serverUrl, authorizationCode, iss }), "AUTHORIZED")
        assert.strictEqual(await next.auth(provider, { serverUrl }), "AUTHORIZED")
      })
      assert.match(provider.saved?.access_token ?? "", /^mk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/)
    })
  )
})
