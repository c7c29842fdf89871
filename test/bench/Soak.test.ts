import { describe, expect, it } from "@effect/vitest"
import { secondsOf } from "../../bench/soak.ts"
import { OptionsInvalid } from "../../bench/support/Options.ts"

describe("how long a soak takes", () => {
  it("is as many seconds or minutes as were asked for, and half an hour when nothing was", () => {
    expect(secondsOf({ seconds: 20, minutes: 0 })).toBe(20)
    expect(secondsOf({ seconds: 0, minutes: 0.5 })).toBe(30)
    expect(secondsOf({ seconds: 0, minutes: 0 })).toBe(1_800)
  })

  it("is not both", () => {
    expect(() => secondsOf({ seconds: 20, minutes: 5 })).toThrow(OptionsInvalid)
  })
})
