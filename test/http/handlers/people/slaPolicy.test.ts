import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld, type World } from "../../world.ts"

const path = "/api/organization/sla-policy"
const slaPolicy = { firstResponseMinutes: 30, resolutionMinutes: null, businessHoursOnly: true }

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(makeWorld(), (world) => Effect.promise(() => run(world))))

describe("the SLA policy", () => {
  scenario("is null at first, then what an administrator sets, and null removes it", async ({ call }) => {
    const before = await call("GET", path, undefined, "mk_chats")
    assert.deepStrictEqual([before.status, before.body], [200, { slaPolicy: null }])
    const set = await call("PUT", path, { slaPolicy }, "mk_admin")
    assert.deepStrictEqual([set.status, set.body], [200, { slaPolicy }])
    assert.deepStrictEqual((await call("GET", path, undefined, "mk_chats")).body, { slaPolicy })
    assert.deepStrictEqual((await call("PUT", path, { slaPolicy: null }, "mk_admin")).body, { slaPolicy: null })
  })

  scenario("needs the scope admin to be changed", async ({ call }) => {
    const refused = await call("PUT", path, { slaPolicy })
    assert.deepStrictEqual([refused.status, refused.body], [403, { error: "This API key lacks the scope admin." }])
    assert.strictEqual((await call("GET", path, undefined, "mk_none")).status, 403)
    assert.strictEqual((await call("GET", path, undefined, "mk_unknown")).status, 401)
  })

  scenario("is refused with a sentence that names the mistake", async ({ call }) => {
    const wrong: ReadonlyArray<readonly [unknown, RegExp]> = [
      [{}, /slaPolicy/],
      [[], /./],
      ["{", /./],
      [{ slaPolicy: {} }, /firstResponseMinutes/],
      [{ slaPolicy: { ...slaPolicy, firstResponseMinutes: 0 } }, /firstResponseMinutes/],
      [{ slaPolicy: { ...slaPolicy, firstResponseMinutes: 1.5 } }, /firstResponseMinutes/],
      [{ slaPolicy: { ...slaPolicy, firstResponseMinutes: "30" } }, /firstResponseMinutes/],
      [{ slaPolicy: { ...slaPolicy, resolutionMinutes: 527_041 } }, /resolutionMinutes/],
      [{ slaPolicy: { ...slaPolicy, resolutionMinutes: -5 } }, /resolutionMinutes/],
      [{ slaPolicy: { ...slaPolicy, businessHoursOnly: "yes" } }, /businessHoursOnly/]
    ]
    for (const [body, names] of wrong) {
      const answer = await call("PUT", path, body, "mk_admin")
      assert.strictEqual(answer.status, 400, JSON.stringify(body))
      assert.deepStrictEqual(Object.keys(answer.body), ["error"])
      assert.match(String(answer.body.error), names)
    }
  })
})
