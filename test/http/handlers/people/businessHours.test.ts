import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld, type World } from "../../world.ts"

const path = "/api/organization/business-hours"
const hours = {
  weekly: [{ day: "monday", opens: "09:00", closes: "17:00" }],
  holidays: [{ date: "2026-12-25", name: "Christmas", hours: [] }]
}

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(makeWorld(), (world) => Effect.promise(() => run(world))))

describe("business hours", () => {
  scenario("set no limit at first, and then follow the administrator's setting", async ({ call }) => {
    const before = await call("GET", path)
    assert.deepStrictEqual(before.body, { timeZone: "Asia/Kolkata", businessHours: null, open: true, opensAt: null })
    const set = await call("PUT", path, { timeZone: "Europe/Berlin", businessHours: hours }, "mk_admin")
    assert.strictEqual(set.status, 200)
    assert.deepInclude(set.body, { timeZone: "Europe/Berlin", businessHours: hours })
    assert.deepStrictEqual((await call("GET", path)).body, set.body)
    const never = await call("PUT", path, { businessHours: { weekly: [], holidays: [] } }, "mk_admin")
    assert.deepInclude(never.body, { timeZone: "Europe/Berlin", open: false, opensAt: null })
    const always = await call("PUT", path, { businessHours: null }, "mk_admin")
    assert.deepInclude(always.body, { businessHours: null, open: true })
  })

  scenario("show when the organization opens next while it is closed", async ({ call }) => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const only = { weekly: [], holidays: [{ date: tomorrow, hours: [{ opens: "10:30", closes: "11:00" }] }] }
    const { body } = await call("PUT", path, { timeZone: "UTC", businessHours: only }, "mk_admin")
    assert.deepInclude(body, { open: false, opensAt: `${tomorrow}T10:30:00.000Z` })
  })

  scenario("need the scope admin to be changed, and are separate for each organization", async ({ call }) => {
    const refused = await call("PUT", path, { businessHours: hours })
    assert.deepStrictEqual([refused.status, refused.body], [403, { error: "This API key lacks the scope admin." }])
    assert.strictEqual((await call("GET", path, undefined, "mk_none")).status, 403)
    await call("PUT", path, { businessHours: hours }, "mk_admin")
    assert.deepInclude((await call("GET", path, undefined, "mk_2")).body, { businessHours: null })
  })

  scenario("are refused with a sentence that names the mistake", async ({ call }) => {
    const refusal = async (body: unknown) => {
      const answer = await call("PUT", path, body, "mk_admin")
      assert.strictEqual(answer.status, 400)
      return String(answer.body.error)
    }
    const day = (opens: string, closes: string) => ({
      businessHours: { weekly: [{ day: "monday", opens, closes }], holidays: [] }
    })
    assert.strictEqual(
      await refusal(day("9:00", "17:00")),
      'businessHours.weekly.0.opens is invalid: "9:00" is not a time of day; write it as 09:00 (00:00 to 24:00).'
    )
    const named = (name: string) => ({
      businessHours: { weekly: [], holidays: [{ date: "2026-12-25", name, hours: [] }] }
    })
    for (const name of ["a\u0000b", "\udc00"])
      assert.match(await refusal(named(name)), /^businessHours.holidays.0.name is/)
    assert.include(await refusal(day("09:00", "09:00")), "for the whole day write 00:00 to 24:00")
    assert.match(
      await refusal({ timeZone: "+05:30", businessHours: null }),
      /^timeZone is invalid: "\+05:30" is not a time zone/
    )
    assert.match(
      await refusal({ businessHours: { weekly: [], holidays: [{ date: "25.12.", hours: [] }] } }),
      /not a date/
    )
    assert.match(await refusal({}), /^businessHours is invalid/)
  })
})
