import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { setUpToken } from "../../../../src/domain/people/organizations/SetUp.ts"
import { testStores } from "../../../support/tenants.ts"
import { makeWorld, secret } from "../../world.ts"

const wanted = {
  token: setUpToken(secret),
  organization: { name: "Maple Books", timeZone: "America/New_York" },
  person: { name: "Mia Chen", email: "mia@maplebooks.example", password: "quiet shelves at dawn" }
}

/** A service on a database without organizations. */
const empty = Effect.gen(function* () {
  const stores = yield* Layer.build(testStores)
  const world = yield* makeWorld({ stores: Layer.succeedContext(stores) })
  const post = (body: unknown) => Effect.promise(() => world.call("POST", "/api/setup", body))
  const isOpen = Effect.map(
    Effect.promise(() => world.call("GET", "/api/setup")),
    ({ body }) => body.open
  )
  return { ...world, post, isOpen }
})

describe("at /api/setup", () => {
  it.live("whoever has the server's token makes the first organization, is signed in, and nobody makes another", () =>
    Effect.gen(function* () {
      const { post, isOpen, base } = yield* empty
      assert.isTrue(yield* isOpen)
      const made = yield* post(wanted)
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body.user, { email: wanted.person.email, role: "OWNER" })
      assert.strictEqual(made.body.timeZone, "America/New_York")
      const cookie = made.headers.get("set-cookie")?.split(";")[0] ?? ""
      const own = yield* Effect.promise(async () => {
        const response = await fetch(`${base}/api/organization`, { headers: { cookie } })
        return (await response.json()) as Record<string, unknown>
      })
      assert.deepInclude(own, { id: made.body.organizationId, name: "Maple Books", plan: "PREMIUM" })
      assert.isFalse(yield* isOpen)
      const again = yield* post({ ...wanted, person: { ...wanted.person, email: "eve@example.com" } })
      assert.deepStrictEqual([again.status, Object.keys(again.body)], [409, ["error"]])
    }).pipe(Effect.scoped)
  )

  it.live("of several who try at once one succeeds, and what is refused leaves nothing behind", () =>
    Effect.gen(function* () {
      const { post, isOpen } = yield* empty
      const weak = { ...wanted, person: { ...wanted.person, password: "maplebooks1" } }
      assert.strictEqual((yield* post(weak)).status, 400)
      assert.strictEqual((yield* post({ ...wanted, token: "set_guess" })).status, 401)
      assert.strictEqual((yield* post({ ...wanted, organization: { name: "x", timeZone: "Mars" } })).status, 400)
      assert.isTrue(yield* isOpen)
      const people = ["mia@maplebooks.example", "ben@maplebooks.example", "eve@maplebooks.example"]
      const answers = yield* Effect.forEach(
        people,
        (email) => post({ ...wanted, person: { ...wanted.person, email } }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
    }).pipe(Effect.scoped)
  )

  it.live("the token cannot be guessed: after ten attempts an address waits", () =>
    Effect.gen(function* () {
      const { post } = yield* empty
      for (let attempt = 0; attempt < 10; attempt++)
        assert.strictEqual((yield* post({ ...wanted, token: `set_${attempt}` })).status, 401)
      const refused = yield* post(wanted)
      assert.strictEqual(refused.status, 429)
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
    }).pipe(Effect.scoped)
  )
})
