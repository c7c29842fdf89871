import { assert, describe, it } from "@effect/vitest"
import { longestRetryAfterMs, retryAfterMs } from "../../../src/domain/basics/RetryAfter.ts"

const now = Date.UTC(2026, 10, 21, 10)

describe("Retry-After", () => {
  it.each([
    ["7", 7_000],
    ["120", 120_000],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
    ["999999999", longestRetryAfterMs],
    ["Sat, 21 Nov 2099 10:00:30 GMT", longestRetryAfterMs]
  ])("%j is a time to wait", (header, expected) => {
    assert.strictEqual(retryAfterMs(header, now), expected)
  })

  it.each([
    undefined,
    null,
    "",
    " ",
    "soon",
    "-1",
    "Sat, 21 Nov 2026 09:59:59 GMT"
  ])("%j asks for nothing", (header) => {
    assert.isUndefined(retryAfterMs(header, now))
  })
})
