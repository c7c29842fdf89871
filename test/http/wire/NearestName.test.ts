import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nearestName } from "../../../src/http/wire/NearestName.ts"

const known = ["phone", "name", "email", "tags", "optedIn", "welcomeMessage"]

describe("the nearest name", () => {
  it.each([
    ["phon", "phone"],
    ["pohne", "phone"],
    ["Phone", "phone"],
    ["opted_in", "optedIn"],
    ["welcome-message", "welcomeMessage"],
    ["welcomMesage", "welcomeMessage"],
    ["e-mail", "email"]
  ])("of %s is %s", (name, meant) => {
    expect(nearestName(name, known)).toBe(meant)
  })

  it.each(["", "--", "address", "x", "a".repeat(1_000)])("of %s is none", (name) => {
    expect(nearestName(name, known)).toBeUndefined()
  })

  it("of a known name is that name, and of any text a known name or none", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(names, fc.string(), (all, text) => {
        for (const name of all) expect(nearestName(name, all)).toBe(name)
        const nearest = nearestName(text, all)
        if (nearest !== undefined) expect(all).toContain(nearest)
      })
    )
  })
})
