import { assert, describe, it } from "@effect/vitest"
import { asksForHuman } from "../../src/domain/Escalation.ts"

describe("asking for a human", () => {
  for (const said of [
    "human",
    "Can I talk to a human please?",
    "AGENT!",
    "I want your representative, now",
    "is there a real   person there",
    "a real-person would help",
    "मुझे इंसान से बात करनी है",
    "एजेंट।"
  ])
    it(`is heard in "${said}"`, () => assert.isTrue(asksForHuman(said, [])))

  for (const said of [
    "",
    "a humane price",
    "the agency is closed",
    "in person",
    "a real nice person",
    "इंसानियत",
    "..."
  ])
    it(`is not heard in "${said}"`, () => assert.isFalse(asksForHuman(said, [])))

  it("is heard in the agent's own phrases too, as whole words in any case and spelling of accents", () => {
    assert.isTrue(asksForHuman("Please let me speak to the Manager.", ["speak to the manager"]))
    assert.isFalse(asksForHuman("Micromanagers", ["manager"]))
    assert.isTrue(asksForHuman("cafe\u0301 owner", ["CAF\u00c9 owner"]))
    assert.isTrue(asksForHuman("I don't get it", ["don't get it"]))
  })

  it("is not heard everywhere because a phrase was left empty", () => {
    assert.isFalse(asksForHuman("Hello", ["", "  ", "?!"]))
  })
})
