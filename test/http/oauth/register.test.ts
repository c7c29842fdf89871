import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deleteExpiredOAuth, registerOAuthClient } from "../../../src/integrations/postgres/access/AcrossTenants.ts"
import { callback, makeOAuthWorld } from "../../support/oauth.ts"

describe("a client that registers", () => {
  it.live("gets an id, and a secret unless it is public", () =>
    Effect.gen(function* () {
      const { register } = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const confidential = await register({ client_name: "Helper", redirect_uris: [callback] })
        assert.strictEqual(confidential.status, 201)
        assert.deepInclude(confidential.body, {
          client_name: "Helper",
          redirect_uris: [callback],
          token_endpoint_auth_method: "client_secret_basic",
          client_secret_expires_at: 0
        })
        assert.match(confidential.body.client_id, /^ocl_/)
        assert.match(confidential.body.client_secret, /^[\w-]{43}$/)
        assert.strictEqual(confidential.headers.get("cache-control"), "no-store")

        const open = await register({
          redirect_uris: ["http://127.0.0.1:1/x"],
          token_endpoint_auth_method: "none",
          application_type: "native"
        })
        assert.notProperty(open.body, "client_secret")
        assert.strictEqual(open.body.application_type, "native")
      })
    })
  )

  it.live("is told in OAuth's words what is wrong", () =>
    Effect.gen(function* () {
      const { register, base } = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const cases: ReadonlyArray<readonly [unknown, string]> = [
          [{ redirect_uris: ["http://assistant.example/"] }, "invalid_redirect_uri"],
          [{ redirect_uris: [] }, "invalid_client_metadata"],
          [{ redirect_uris: [callback], token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
          [[], "invalid_client_metadata"]
        ]
        for (const [metadata, code] of cases) {
          const refused = await register(metadata)
          assert.deepStrictEqual([refused.status, refused.body.error], [400, code])
          assert.isString(refused.body.error_description)
        }
        const send = async (body: string, type: string) => {
          const answer = await fetch(`${base}/oauth/register`, {
            method: "POST",
            body,
            headers: { "content-type": type }
          })
          return [answer.status, JSON.parse(await answer.text()).error]
        }
        const invalid = [400, "invalid_request"]
        assert.deepStrictEqual(await send("{", "application/json"), invalid)
        assert.deepStrictEqual(await send("{}", "text/plain"), invalid)
        assert.deepStrictEqual(await send(`{"x":"${"a".repeat(33 * 1024)}"}`, "application/json"), invalid)
        assert.deepStrictEqual(await send('{"redirect_uris":["\\u0000"]}', "application/json"), [
          400,
          "invalid_redirect_uri"
        ])
      })
    })
  )

  it.live("can do so 20 times an hour from one address", () =>
    Effect.gen(function* () {
      const { register } = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        for (let i = 0; i < 20; i++) assert.strictEqual((await register({ redirect_uris: [callback] })).status, 201)
        const refused = await register({ redirect_uris: [callback] })
        assert.strictEqual(refused.status, 429)
        assert.isAbove(Number(refused.headers.get("retry-after")), 0)
      })
    })
  )

  it.live("is forgotten after a day if nobody uses it, and makes room when too many wait", () =>
    Effect.gen(function* () {
      const { register, provide } = yield* makeOAuthWorld()
      const sql = yield* provide(SqlClient.SqlClient)
      const { body } = yield* Effect.promise(() => register({ redirect_uris: [callback] }))
      const known = (id: string) =>
        Effect.map(sql`SELECT * FROM lookup_oauth_client(${id})`, ({ length }) => length === 1)
      const now = Date.now()
      const day = 24 * 60 * 60 * 1_000
      yield* deleteExpiredOAuth(sql, now, now - day, now - 180 * day, 100)
      assert.isTrue(yield* known(body.client_id))
      const add = (id: string, at: number) =>
        registerOAuthClient(sql, { id, name: "x", redirectUris: [callback], secretHash: null }, new Date(at), 2)
      yield* add("ocl_A", now + 1_000)
      assert.isTrue(yield* known(body.client_id))
      yield* add("ocl_B", now + 2_000)
      assert.deepStrictEqual(
        [yield* known(body.client_id), yield* known("ocl_A"), yield* known("ocl_B")],
        [false, true, true]
      )
      yield* deleteExpiredOAuth(sql, now + 2 * day, now + day, now - 180 * day, 100)
      assert.deepStrictEqual([yield* known("ocl_A"), yield* known("ocl_B")], [false, false])
    })
  )
})
