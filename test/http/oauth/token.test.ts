import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ApiKeys } from "../../../src/domain/people/access/ApiKey.ts"
import { Users } from "../../../src/domain/people/access/User.ts"
import { pkce } from "../../support/browser.ts"
import { callback, makeOAuthWorld, type OAuthAnswer } from "../../support/oauth.ts"

const refusal = ({ status, body }: OAuthAnswer) => [status, body.error]
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`
})

const makeTokenWorld = Effect.gen(function* () {
  const world = yield* makeOAuthWorld()
  const callerOf = (token: string) => world.provide(Effect.flatMap(ApiKeys, (keys) => keys.authenticate(token)))
  const isGood = (token: string) => Effect.map(callerOf(token), (caller) => caller !== undefined)
  return { ...world, callerOf, isGood }
})

describe("at the token endpoint", () => {
  it.live("a code is exchanged once; sent again it ends what came of it", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const { clientId, grant, first } = yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        const grant = await world.allowed(clientId)
        return { clientId, grant, first: await world.exchange(clientId, grant) }
      })
      assert.strictEqual(first.status, 200)
      assert.deepInclude(first.body, { token_type: "Bearer", expires_in: 3_600 })
      assert.include(first.body.scope, "mcp")
      assert.strictEqual(first.headers.get("cache-control"), "no-store")
      assert.isTrue(yield* world.isGood(first.body.access_token))
      // Another client with the same code changes nothing.
      const other = yield* Effect.promise(() => world.publicClient())
      assert.deepStrictEqual(refusal(yield* Effect.promise(() => world.exchange(other, grant))), [400, "invalid_grant"])
      assert.isTrue(yield* world.isGood(first.body.access_token))

      const again = yield* Effect.promise(() => world.exchange(clientId, grant))
      assert.deepStrictEqual(refusal(again), [400, "invalid_grant"])
      assert.isFalse(yield* world.isGood(first.body.access_token))
      const refreshed = yield* Effect.promise(() => world.refresh(clientId, first.body.refresh_token))
      assert.deepStrictEqual(refusal(refreshed), [400, "invalid_grant"])
      const actions = (yield* world.audited()).map(({ action }) => action)
      assert.includeMembers(actions, ["oauth.authorized", "api_key.created", "oauth.code_reused"])
    })
  )

  it.live("two requests with one code at the same time get one set of tokens at most", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const answers = yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        const grant = await world.allowed(clientId)
        return Promise.all([1, 2, 3, 4].map(() => world.exchange(clientId, grant)))
      })
      assert.isAtMost(answers.filter(({ status }) => status === 200).length, 1)
      for (const answer of answers) assert.include([200, 400], answer.status)
    })
  )

  it.live("each error has its code", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const { postForm, exchange, resource } = world
      yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        const { code, verifier } = await world.allowed(clientId)
        const good = { code, verifier }
        const expected: ReadonlyArray<readonly [Promise<OAuthAnswer>, number, string]> = [
          [postForm("/oauth/token", { client_id: clientId }), 400, "invalid_request"],
          [postForm("/oauth/token", { grant_type: "password", client_id: clientId }), 400, "unsupported_grant_type"],
          [
            postForm("/oauth/token", { grant_type: "client_credentials", client_id: clientId }),
            400,
            "unsupported_grant_type"
          ],
          [postForm("/oauth/token", { grant_type: "authorization_code" }), 400, "invalid_request"],
          [exchange("ocl_nobody", good), 401, "invalid_client"],
          [exchange("\0", good), 401, "invalid_client"],
          [exchange("https://client.example/c.json", good), 400, "invalid_grant"],
          [exchange(clientId, { ...good, verifier: "short" }), 400, "invalid_request"],
          [exchange(clientId, { ...good, verifier: pkce().verifier }), 400, "invalid_grant"],
          [exchange(clientId, { ...good, code: "x" }), 400, "invalid_grant"],
          [exchange(clientId, { ...good, code: "" }), 400, "invalid_request"],
          [exchange(clientId, good, { redirect_uri: `${callback}2` }), 400, "invalid_grant"],
          [exchange(clientId, good, { redirect_uri: "" }), 400, "invalid_grant"],
          [exchange(clientId, good, { resource: "https://other.example/mcp" }), 400, "invalid_target"],
          [exchange(clientId, good, { client_secret: "a public client has none" }), 401, "invalid_client"],
          [postForm("/oauth/token", { grant_type: "refresh_token", client_id: clientId }), 400, "invalid_request"],
          [world.refresh(clientId, "mr_unknown"), 400, "invalid_grant"],
          [world.refresh(clientId, "\0'; --"), 400, "invalid_grant"],
          [postForm("/oauth/token", { client_id: clientId }, { authorization: "Bearer x" }), 401, "invalid_client"],
          [postForm("/oauth/token", { client_id: clientId }, { authorization: "Basic %%%" }), 401, "invalid_client"],
          [postForm("/oauth/token", { client_id: clientId }, basic("other", "x")), 400, "invalid_request"]
        ]
        for (const [at, [sent, status, error]] of expected.entries()) {
          const answer = await sent
          assert.deepStrictEqual(refusal(answer), [status, error], String(at))
          assert.match(answer.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
          if (status === 401) assert.match(answer.headers.get("www-authenticate") ?? "", /^Basic /)
        }
        const raw = async (body: string, type = "application/x-www-form-urlencoded") => {
          const answer = await fetch(`${world.base}/oauth/token`, {
            method: "POST",
            body,
            headers: { "content-type": type }
          })
          return [answer.status, JSON.parse(await answer.text()).error]
        }
        const twice = `grant_type=authorization_code&client_id=${clientId}&client_id=${clientId}`
        for (const [body, type] of [[twice], ["{}", "application/json"], ["a=".padEnd(17 * 1024, "x")]] as const)
          assert.deepStrictEqual(await raw(body, type), [400, "invalid_request"])
        // Nothing of it has used the code up.
        assert.strictEqual((await exchange(clientId, good, { resource })).status, 200)
      })
    })
  )

  it.live("a confidential client proves itself by header or body, and not without its secret", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      yield* Effect.promise(async () => {
        for (const how of ["header", "body"]) {
          const { body: client } = await world.register({ redirect_uris: [callback], client_name: "Helper" })
          const { client_id: id, client_secret: secret } = client
          const { code, verifier } = await world.allowed(id)
          const fields = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: callback }
          const send = (more: Record<string, string>, headers = {}) =>
            world.postForm("/oauth/token", { ...fields, ...more }, headers)
          assert.deepStrictEqual(refusal(await send({ client_id: id })), [401, "invalid_client"])
          assert.deepStrictEqual(refusal(await send({ client_id: id, client_secret: "wrong" })), [
            401,
            "invalid_client"
          ])
          assert.deepStrictEqual(refusal(await send({}, basic(id, "wrong"))), [401, "invalid_client"])
          const both = await send({ client_id: id, client_secret: secret }, basic(id, secret))
          assert.deepStrictEqual(refusal(both), [400, "invalid_request"])
          const answer =
            how === "header" ? await send({}, basic(id, secret)) : await send({ client_id: id, client_secret: secret })
          assert.strictEqual(answer.status, 200, how)
        }
      })
    })
  )

  it.live("a code is good for a minute", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const clientId = yield* Effect.promise(() => world.publicClient())
      const grant = yield* Effect.promise(() => world.allowed(clientId))
      yield* world.aged("UPDATE oauth_codes SET expires_at = expires_at - interval '61 seconds'")
      assert.deepStrictEqual(refusal(yield* Effect.promise(() => world.exchange(clientId, grant))), [
        400,
        "invalid_grant"
      ])
    })
  )

  it.live("a refresh token rotates, may be repeated for 30 seconds, and ends everything when it comes back later", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const { clientId, access, refreshToken } = yield* Effect.promise(() => world.connected())
      const refresh = (token: string, more = {}) => Effect.promise(() => world.refresh(clientId, token, more))
      assert.deepStrictEqual(refusal(yield* refresh(refreshToken, { scope: "mcp admin" })), [400, "invalid_scope"])
      const other = yield* Effect.promise(() => world.publicClient())
      const stolen = yield* Effect.promise(() => world.refresh(other, refreshToken))
      assert.deepStrictEqual(refusal(stolen), [400, "invalid_grant"])

      const second = yield* refresh(refreshToken, { scope: "mcp" })
      const repeated = yield* refresh(refreshToken)
      assert.deepStrictEqual([second.status, repeated.status], [200, 200])
      const tokens = [access, second.body.access_token, repeated.body.access_token]
      assert.strictEqual(new Set(tokens).size, 3)
      // All of them are one key, which is listed once.
      const callers = yield* Effect.forEach(tokens, world.callerOf)
      assert.strictEqual(new Set(callers.map((caller) => caller?.keyId)).size, 1)
      assert.lengthOf(
        (yield* world.keys()).body.data.filter(({ clientId }: { clientId: unknown }) => clientId !== null),
        1
      )

      yield* world.aged("UPDATE oauth_tokens SET used_at = used_at - interval '31 seconds'")
      const third = yield* refresh(second.body.refresh_token)
      assert.strictEqual(third.status, 200)
      assert.deepStrictEqual(refusal(yield* refresh(refreshToken)), [400, "invalid_grant"])
      for (const token of [...tokens, third.body.access_token]) assert.isFalse(yield* world.isGood(token))
      assert.deepStrictEqual(refusal(yield* refresh(third.body.refresh_token)), [400, "invalid_grant"])
      const [entry] = (yield* world.audited()).filter(({ action }) => action === "oauth.refresh_reused")
      const keyId = callers[0]?.keyId ?? ""
      assert.deepInclude(entry, { subjectId: keyId, actor: { type: "key", id: keyId } })
    })
  )

  it.live("tokens end: the access token after an hour, the refresh token after 30 days", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const { clientId, access, refreshToken } = yield* Effect.promise(() => world.connected())
      const caller = yield* world.callerOf(access)
      assert.approximately(caller?.validUntil ?? 0, Date.now() + 3_600_000, 60_000)
      yield* world.aged("UPDATE oauth_tokens SET expires_at = expires_at - interval '61 minutes' WHERE kind = 'access'")
      assert.isFalse(yield* world.isGood(access))
      yield* world.aged("UPDATE oauth_tokens SET expires_at = expires_at - interval '31 days' WHERE kind = 'refresh'")
      const late = yield* Effect.promise(() => world.refresh(clientId, refreshToken))
      assert.deepStrictEqual(refusal(late), [400, "invalid_grant"])
    })
  )

  it.live("a refresh is refused once its maker may no longer use the MCP server, or has left", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const { clientId, access, refreshToken } = yield* Effect.promise(() => world.connected())
      // The organization keeps an OWNER.
      yield* world.personOf("OWNER")
      const change = (changes: object) =>
        world.provide(Effect.flatMap(Users, (users) => users.change(world.organizationId, world.owner.id, changes)))
      yield* change({ role: "ADMIN" })
      assert.notInclude((yield* world.callerOf(access))?.scopes ?? [], "mcp")
      const demoted = yield* Effect.promise(() => world.refresh(clientId, refreshToken))
      assert.deepStrictEqual(refusal(demoted), [400, "invalid_grant"])
      yield* change({ active: false })
      assert.isFalse(yield* world.isGood(access))
      const left = yield* Effect.promise(() => world.refresh(clientId, refreshToken))
      assert.deepStrictEqual(refusal(left), [400, "invalid_grant"])
    })
  )

  it.live("a client gives its tokens back, and another client's are left alone", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const [mine, others] = yield* Effect.promise(async () => [await world.connected(), await world.connected()])
      const revoke = (clientId: string, token: string) =>
        Effect.promise(() => world.postForm("/oauth/revoke", { client_id: clientId, token }))
      assert.strictEqual((yield* revoke(mine.clientId, "unknown")).status, 200)
      assert.strictEqual((yield* revoke(mine.clientId, world.admin)).status, 200)
      assert.deepStrictEqual(refusal(yield* revoke(mine.clientId, others.refreshToken)), [400, "invalid_grant"])
      assert.deepStrictEqual(refusal(yield* revoke("ocl_nobody", mine.access)), [401, "invalid_client"])
      assert.isTrue(yield* world.isGood(others.access))
      assert.strictEqual((yield* revoke(mine.clientId, mine.access)).status, 200)
      assert.strictEqual((yield* revoke(others.clientId, others.refreshToken)).status, 200)
      assert.deepStrictEqual([yield* world.isGood(mine.access), yield* world.isGood(others.access)], [false, false])
      assert.isTrue(yield* world.isGood(world.admin))
      assert.lengthOf(
        (yield* world.audited()).filter(({ action }) => action === "oauth.revoked"),
        2
      )
    })
  )

  it.live("an access token is good for the MCP server only, and its key cannot be rotated or prolonged", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const { access } = yield* Effect.promise(() => world.connected())
      const refused = yield* world.withKey(access)("GET", "/api/messaging-api/status")
      assert.deepStrictEqual([refused.status, /MCP server/.test(refused.body.error)], [401, true])
      const { keyId } = (yield* world.callerOf(access)) ?? { keyId: "" }
      const asAdmin = world.withKey(world.admin)
      const rotated = yield* asAdmin("POST", `/api/api-keys/${keyId}/rotate`, { body: {} })
      const prolonged = yield* asAdmin("PATCH", `/api/api-keys/${keyId}`, { body: { expiresAt: null } })
      assert.deepStrictEqual([rotated.status, prolonged.status], [409, 409])
      const renamed = yield* asAdmin("PATCH", `/api/api-keys/${keyId}`, { body: { name: "Ada's helper" } })
      assert.deepInclude(renamed.body, { name: "Ada's helper", status: "active" })
      // What the row of the key was made with opens nothing.
      const [{ prefix }] = (yield* world.keys()).body.data.filter(({ id }: { id: string }) => id === keyId)
      assert.isTrue(access.startsWith(`${prefix}_`))
    })
  )

  it.live("another organization neither sees nor ends the key", () =>
    Effect.gen(function* () {
      const world = yield* makeTokenWorld
      const { access } = yield* Effect.promise(() => world.connected())
      const { keyId } = (yield* world.callerOf(access)) ?? { keyId: "" }
      const { secret } = yield* world.keyOf(["admin"], yield* world.otherOrganization)
      for (const method of ["GET", "DELETE"])
        assert.strictEqual((yield* world.withKey(secret)(method, `/api/api-keys/${keyId}`)).status, 404)
      assert.isTrue(yield* world.isGood(access))
    })
  )
})
