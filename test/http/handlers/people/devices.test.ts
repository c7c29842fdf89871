import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld, password } from "../../../support/access.ts"

const device = { token: "fcm-token:APA91b-1", platform: "android" }

describe("at /api/devices", () => {
  it.live("a device is registered once, at sign-in or later, shown to its person only, and removed at sign-out", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [me, other] = [yield* world.as("AGENT"), yield* world.as("OWNER")]
      const made = yield* me.ask("PUT", "/api/devices", { body: device })
      assert.deepInclude(made.body, { platform: "android" })
      assert.notInclude(JSON.stringify(made.body), device.token)
      const again = yield* me.ask("PUT", "/api/devices", { body: { ...device, platform: "web" } })
      assert.deepInclude(again.body, { id: made.body.id, platform: "web" })
      assert.lengthOf((yield* me.ask("GET", "/api/devices")).body.data, 1)
      assert.lengthOf((yield* other.ask("GET", "/api/devices")).body.data, 0)
      assert.strictEqual((yield* other.ask("DELETE", `/api/devices/${made.body.id}`)).status, 404)
      assert.strictEqual((yield* me.ask("DELETE", `/api/devices/${made.body.id}`)).status, 200)
      assert.strictEqual((yield* me.ask("DELETE", `/api/devices/${made.body.id}`)).status, 404)

      const body = { email: me.email, password, device }
      const signedIn = yield* world.send("POST", "/api/session", { body })
      assert.strictEqual(signedIn.status, 201)
      assert.lengthOf((yield* me.ask("GET", "/api/devices")).body.data, 1)
      const headers = {
        cookie: (signedIn.headers.get("set-cookie") ?? "").split(";")[0],
        "x-csrf-token": signedIn.body.csrfToken
      }
      yield* world.send("DELETE", "/api/session", { headers })
      assert.lengthOf((yield* me.ask("GET", "/api/devices")).body.data, 0)
    })
  )

  it.live("a token belongs to one device across all organizations, and a person has at most twenty devices", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [me, stranger] = [yield* world.as("AGENT"), yield* world.as("AGENT", yield* world.otherOrganization)]
      yield* me.ask("PUT", "/api/devices", { body: device })
      assert.strictEqual((yield* stranger.ask("PUT", "/api/devices", { body: device })).status, 200)
      assert.lengthOf((yield* me.ask("GET", "/api/devices")).body.data, 0)
      assert.lengthOf((yield* stranger.ask("GET", "/api/devices")).body.data, 1)
      for (let i = 0; i < 22; i++)
        yield* me.ask("PUT", "/api/devices", { body: { ...device, token: `another-token-${i}` } })
      assert.lengthOf((yield* me.ask("GET", "/api/devices")).body.data, 20)
    })
  )

  it.live(
    "invalid devices are refused with a sentence, API keys have no devices, and a wrong password registers nothing",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const me = yield* world.as("OWNER")
        const wrong: ReadonlyArray<readonly [field: string, values: ReadonlyArray<unknown>]> = [
          [
            "token",
            [
              "",
              "short",
              "x".repeat(4_097),
              "with blank in it",
              "nul\u0000nul\u0000nul",
              "ünïcødé-token",
              1,
              null,
              {},
              []
            ]
          ],
          ["platform", ["", "ANDROID", "windows", 1, null, {}]]
        ]
        for (const [field, values] of wrong)
          for (const value of [...values, undefined]) {
            const put = yield* me.ask("PUT", "/api/devices", { body: { ...device, [field]: value } })
            assert.strictEqual(put.status, 400, `${field} ${JSON.stringify(value)}`)
            assert.match(put.body.error, new RegExp(`^${field} is invalid: .*[.!?]$`))
            const body = { email: me.email, password, device: { ...device, [field]: value } }
            const signIn = yield* world.send("POST", "/api/session", { body })
            assert.strictEqual(signIn.status, 400, `${field} ${JSON.stringify(value)}`)
            assert.match(signIn.body.error, new RegExp(`^device.${field} is invalid`))
          }
        yield* world.send("POST", "/api/session", { body: { email: me.email, password: "wrong", device } })
        for (const id of ["dev_nobody", "'; DROP TABLE devices; --", "<script>"])
          assert.strictEqual((yield* me.ask("DELETE", `/api/devices/${encodeURIComponent(id)}`)).status, 404, id)
        const ask = world.withKey((yield* world.keyOf(["admin"])).secret)
        for (const [method, path, body] of [
          ["GET", "/api/devices"],
          ["PUT", "/api/devices", device],
          ["DELETE", "/api/devices/dev_1"]
        ] as const)
          assert.strictEqual((yield* ask(method, path, body === undefined ? {} : { body })).status, 403, method)
        assert.strictEqual((yield* world.send("GET", "/api/devices")).status, 401)
        const rows = yield* world.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(world.organizationId)(sql`SELECT 1 FROM devices`))
        )
        assert.lengthOf(rows, 0)
      })
  )

  it.live("only an administrator sets what notifications show, and the change is in the audit log", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [owner, agent] = [yield* world.as("OWNER"), yield* world.as("AGENT")]
      const path = "/api/organization/push"
      assert.deepStrictEqual((yield* owner.ask("GET", path)).body, { preview: false })
      assert.deepStrictEqual((yield* owner.ask("PUT", path, { body: { preview: true } })).body, { preview: true })
      assert.deepStrictEqual((yield* owner.ask("GET", path)).body, { preview: true })
      assert.strictEqual((yield* agent.ask("PUT", path, { body: { preview: true } })).status, 403)
      assert.strictEqual((yield* agent.ask("GET", path)).status, 403)
      for (const preview of [undefined, null, "true", 1])
        assert.strictEqual((yield* owner.ask("PUT", path, { body: { preview } })).status, 400)
      assert.deepInclude((yield* world.audited())[0], {
        action: "organization.push_changed",
        before: { preview: false },
        after: { preview: true }
      })
    })
  )
})
