import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { isStorable } from "../../../../src/domain/basics/PlainText.ts"
import { wordsOf } from "../../../../src/integrations/postgres/business/SearchWords.ts"

describe("the words of a record", () => {
  it("are without case, accents and signs, each once", () =>
    assert.deepStrictEqual(wordsOf(["Élan Library, Élan", null, "BK-427"]), ["elan", "library", "bk", "427"]))

  it("keep the signs of Indic scripts", () =>
    assert.deepStrictEqual(wordsOf(["नदियों का एटलस"]), ["नदियों", "का", "एटलस"]))

  it("can be stored and are few, whatever the text is", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 300 })), (texts) => {
        const words = wordsOf(texts)
        assert.isAtMost(words.length, 100)
        assert.isTrue(words.every((word) => word !== "" && isStorable(word) && [...word].length <= 64))
      })
    )
  })
})
