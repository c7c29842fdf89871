import { assert, describe, it } from "@effect/vitest"
import { LogLimit } from "../../../src/domain/basics/limits/LogLimit.ts"
import { SignatureFailures } from "../../../src/http/wire/SignatureFailures.ts"

const fail = (failures: SignatureFailures, address: string, times: number, now: number) => {
  for (let n = 0; n < times; n++) failures.failed(address, now)
}

describe("the limit of failed signatures", () => {
  it("lets an address fail 20 times at once and then once a second, and forgets its failures", () => {
    const failures = new SignatureFailures()
    fail(failures, "a", 19, 0)
    assert.strictEqual(failures.admit("a", 0), "any")
    fail(failures, "a", 1, 0)
    assert.strictEqual(failures.admit("a", 0), 1_000)
    assert.strictEqual(failures.admit("b", 0), "any")
    assert.strictEqual(failures.admit("a", 1_000), "any")
    fail(failures, "a", 1_000, 1_000)
    assert.strictEqual(failures.admit("a", 1_000), 2_000)
    assert.strictEqual(failures.admit("a", 3_000), "any")
  })

  it("does not lock out an address with a good signature of the last day, and admits only known accounts from it", () => {
    const failures = new SignatureFailures()
    failures.good("a", ["AC1"], 0)
    fail(failures, "a", 100, 1_000)
    assert.strictEqual(failures.admit("a", 1_000), "known")
    assert.deepStrictEqual([failures.knows("AC1"), failures.knows("AC2")], [true, false])
    const later = 25 * 60 * 60_000
    fail(failures, "a", 100, later)
    assert.isNumber(failures.admit("a", later))
  })

  it("remembers at most 10,000 addresses", () => {
    const failures = new SignatureFailures()
    for (let n = 0; n < 12_000; n++) fail(failures, `a${n}`, 1, 0)
    assert.strictEqual(failures.failing, 10_000)
  })
})

describe("the limit of log lines", () => {
  it("writes the first lines of a minute, and then says how many were left out", () => {
    const lines = new LogLimit(3)
    const written = Array.from({ length: 10 }, () => lines.take(0))
    assert.deepStrictEqual(written.slice(0, 4), [{}, {}, {}, undefined])
    assert.isUndefined(lines.take(59_999))
    assert.deepStrictEqual([lines.take(60_000), lines.take(60_000)], [{ leftOut: 8 }, {}])
  })
})
