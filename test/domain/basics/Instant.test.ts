import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Instant } from "../../../src/domain/basics/Calendar.ts"

const isInstant = Schema.is(Instant)

describe("a time in a request", () => {
  it("must have its offset from UTC, so that it does not depend on the server's time zone", () => {
    for (const text of [
      "2026-11-21T09:30Z",
      "2026-11-21T09:30:00Z",
      "2026-11-21T09:30:00.123Z",
      "2026-11-21T15:00:00+05:30",
      "2026-11-21T04:30:00.5-05:00",
      "2028-02-29T00:00:00Z",
      "2026-12-31T23:59:59-11:00"
    ])
      assert.isTrue(isInstant(text), text)
    for (const text of [
      "2026-11-21",
      "2026-11-21T09:30",
      "2026-11-21T09:30:00",
      "2026-11-21T09:30:00.000",
      "2026-11-21T09:30:00+0530",
      "2026-11-21T09:30:00+99:99",
      "2026-11-21T09:30:00 05:30",
      "2026-11-21T09:30:00 GMT",
      "2026-13-21T09:30:00Z",
      "2026-11-21T25:00:00Z",
      "2026-02-30T00:00:00Z",
      "2026-02-29T00:00:00Z",
      "2026-04-31T00:00:00+05:30",
      "2026-01-00T00:00:00Z",
      ""
    ])
      assert.isFalse(isInstant(text), text)
  })
})
