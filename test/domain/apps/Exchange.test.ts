/** What the log of a connection keeps of a request and its answer. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { logged } from "../../../src/domain/apps/Exchange.ts"

const exchange = { at: 0, method: "POST", status: 200, error: null, durationMs: 1 }

describe("the log of a connection", () => {
  it("holds no secret, as it is or as it is written in addresses and JSON", () => {
    const secrets = fc.stringMatching(/^[!-~]{6,40}$/).filter((text) => !/^\*+$/.test(text))
    fc.assert(
      fc.property(secrets, fc.string(), (secret, around) => {
        const entry = logged(
          {
            ...exchange,
            url: `https://example.com/?key=${encodeURIComponent(secret)}`,
            request: JSON.stringify({ around, secret }),
            response: `${around}${secret}`
          },
          [secret]
        )
        const mask = "********"
        // A secret of which the mask itself is a part may remain as such a part.
        if (!mask.includes(secret)) expect(entry.response).not.toContain(secret)
        expect(entry.url).toBe(`https://example.com/?key=${mask}`)
        expect(JSON.parse(entry.request ?? "")).toMatchObject({ secret: mask })
      })
    )
  })

  it("is cut at 2,000 characters", () => {
    const entry = logged({ ...exchange, url: "https://example.com/", request: "x".repeat(9_000), response: null }, [])
    expect(entry.request).toHaveLength(2_000)
  })
})
