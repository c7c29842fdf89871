/** The rules of what a person enters to connect. */
import { describe, expect, it } from "vitest"
import { catalogue } from "../../../../src/domain/apps/Catalogue.ts"
import { completedConnection } from "../../../../src/domain/apps/connecting/ConnectionRules.ts"

const { fields } = catalogue.webhook
const settings = { url: "https://maplebooks.example/crm" }
const credentials = { signingSecret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" }

describe("a connection", () => {
  it("keeps stored credentials that are left out, but only for the same host", () => {
    const stored = { credentials, settings }
    const moved = { url: "https://maplebooks.example/other" }
    expect(completedConnection(fields, { settings: moved }, stored)).toEqual({ credentials, settings: moved })
    expect(completedConnection(fields, { settings: { url: "https://elsewhere.example/" } }, stored)).toBe(
      "credentials.signingSecret is required: the stored one belongs to another address."
    )
  })

  it.each([
    [{ settings }, "credentials.signingSecret is required."],
    [{ credentials }, "settings.url is required."],
    [{ credentials, settings: { ...settings, speed: "fast" } }, /no "speed"\. It has url, mapping\./],
    [
      { credentials, settings: { url: "ftp://maplebooks.example" } },
      "settings.url is invalid: it must be an https address."
    ],
    [{ credentials, settings: { url: "https://a:b@maplebooks.example" } }, /without a user or password/],
    [{ credentials, settings: { ...settings, mapping: "name" } }, /it must be an object of names/],
    [{ credentials: { signingSecret: "********ZWY=" }, settings }, /is masked/],
    [{ credentials: { signingSecret: "two words" }, settings }, /no blanks/]
  ])("is refused with a sentence: %j", (given, sentence) => {
    const problem = completedConnection(fields, given, undefined)
    if (typeof sentence === "string") expect(problem).toBe(sentence)
    else expect(problem).toMatch(sentence)
  })
})
