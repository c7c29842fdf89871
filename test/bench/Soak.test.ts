import { describe, expect, it } from "@effect/vitest"
import { secondsOf, valueOf } from "../../bench/soak.ts"
import { OptionsInvalid } from "../../bench/support/Options.ts"

describe("how long a soak takes", () => {
  it("is as many seconds or minutes as were asked for, and half an hour when nothing was", () => {
    expect(secondsOf({ seconds: 20, minutes: 0 })).toBe(20)
    expect(secondsOf({ seconds: 0, minutes: 0.5 })).toBe(30)
    expect(secondsOf({ seconds: 0, minutes: 0 })).toBe(1_800)
  })

  it("cannot be given in both seconds and minutes", () => {
    expect(() => secondsOf({ seconds: 20, minutes: 5 })).toThrow(OptionsInvalid)
  })
})

describe("a metric that a soak reads", () => {
  const text = '# TYPE parley_calls_live gauge\nparley_calls_live 0\nparley_slots_free{pool="a"} 3\n'

  it("has its value, with labels or without", () => {
    expect(valueOf(text, "parley_calls_live")).toBe(0)
    expect(valueOf(text, "parley_slots_free")).toBe(3)
  })

  it("is not 0 when it is missing: the run fails", () => {
    expect(() => valueOf(text, "parley_calls")).toThrow("the engine's metrics have no parley_calls")
  })
})
