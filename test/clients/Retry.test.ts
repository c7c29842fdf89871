/** When the client sends a request again, and after how long. */
import { describe, expect, it } from "vitest"
import { mayRepeat, retryAfterOf, waitMs } from "../../clients/typescript/src/Retry.ts"

const outcome = (status: number | undefined, retryAfterSeconds?: number) => ({ status, retryAfterSeconds })
const get = { safe: true, keyed: false }
const keyed = { safe: true, keyed: true }
const patch = { safe: false, keyed: false }

describe("a request is sent again", () => {
  it.each([undefined, 408, 429, 500, 502, 503, 504])("after %s, where twice is as good as once", (status) => {
    expect([get, keyed].map((one) => mayRepeat(outcome(status), one))).toEqual([true, true])
    expect(mayRepeat(outcome(status), patch)).toBe(status === 429)
  })

  it.each([400, 401, 403, 404, 405, 413, 501])("never after %s", (status) => {
    expect([get, keyed, patch].map((one) => mayRepeat(outcome(status, 1), one))).toEqual([false, false, false])
  })

  it("after 409 only if its first attempt is under way", () => {
    expect(mayRepeat(outcome(409, 1), keyed)).toBe(true)
    expect([
      mayRepeat(outcome(409), keyed),
      mayRepeat(outcome(409, 1), get),
      mayRepeat(outcome(409, 1), patch)
    ]).toEqual([false, false, false])
  })

  it("after as long as the service says, otherwise after half a second, doubling to eight, and never all at once", () => {
    expect([waitMs(1, 7, 0), waitMs(4, 7, 1)]).toEqual([7_000, 7_250])
    expect([1, 2, 3, 9].map((attempts) => [waitMs(attempts, undefined, 0), waitMs(attempts, undefined, 1)])).toEqual([
      [250, 500],
      [500, 1_000],
      [1_000, 2_000],
      [4_000, 8_000]
    ])
  })
})

describe("Retry-After", () => {
  it("is a number of seconds or a date", () => {
    const now = Date.UTC(2026, 10, 24, 10, 0, 0)
    expect(
      [null, "", "0", " 12 ", "Tue, 24 Nov 2026 10:00:30 GMT", "Tue, 24 Nov 2026 09:00:00 GMT", "soon"].map((header) =>
        retryAfterOf(header, now)
      )
    ).toEqual([undefined, undefined, 0, 12, 30, 0, undefined])
  })
})
