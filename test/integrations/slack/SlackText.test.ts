import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { mentioned, mrkdwn, readableText } from "../../../src/integrations/slack/SlackText.ts"

const names = {
  people: new Map([["U1", "Asha Rao"]]),
  channels: new Map([["C1", "support"]])
}
const read = (text: string) => readableText(text, names)

describe("what people write in Slack, as text", () => {
  it("names people and channels, shows addresses of links, and signs instead of emoji names", () => {
    assert.strictEqual(read("<@U1> look at <#C1> :wave:"), "@Asha Rao look at #support 👋")
    assert.strictEqual(read("<@U9> and <#C9|general>"), "@someone and #general")
    assert.strictEqual(read("<https://a.example/x?a=1&amp;b=2|the shop>"), "the shop (https://a.example/x?a=1&b=2)")
    assert.strictEqual(read("<https://a.example>"), "https://a.example")
    assert.strictEqual(read("<mailto:ann@a.example|ann@a.example>"), "ann@a.example")
    assert.strictEqual(read("<!here> <!subteam^S1|@team> <!date^1767225600^{date}|today>"), "@here @team today")
    assert.strictEqual(read("a &lt; b &amp;&amp; c &gt; d"), "a < b && c > d")
    assert.strictEqual(read(":+1::skin-tone-3: :our-own: 10:30:45"), "👍 :our-own: 10:30:45")
  })

  it("says which people and channels it names, each once", () => {
    assert.deepStrictEqual(mentioned("<@U1> <@U1|asha> <#C1> <https://x.example>"), {
      people: ["U1"],
      channels: ["C1"]
    })
  })

  it("comes back as it was written, whatever signs are in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const plain = text.replace(/:[a-z0-9_+'-]+:/g, "")
        assert.strictEqual(read(mrkdwn(plain)), plain)
      })
    )
  })

  it("never fails, whatever comes", () => {
    fc.assert(fc.property(fc.stringMatching(/^[<>@#!|&;:a-zU0-9^ ]*$/), (text) => assert.isString(read(text))))
  })
})
