import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { makeClauseSplitter } from "../../../../src/domain/voice/dialogue/ClauseSplitter.ts"
import { msOf } from "../../../support/msOf.ts"

const split = (chunks: ReadonlyArray<string>): ReadonlyArray<string> => {
  const splitter = makeClauseSplitter()
  const clauses = chunks.flatMap((chunk) => splitter.push(chunk))
  const rest = splitter.end()
  return rest === undefined ? clauses : [...clauses, rest]
}
const squeezed = (text: string) => text.replace(/\s+/gu, "")

const word = fc.oneof(
  fc.stringMatching(/^[a-z]{1,12}[,;:.!?–]?$/),
  fc.constantFrom("नमस्ते।", "कृपया", "रुकिए,", "₹500", "3.5", '"Yes."', "😀", "e.g.", "\n")
)
const text = fc.array(word, { maxLength: 80 }).map((words) => words.join(" "))
/** A text, and the same text in pieces of any size. */
const chunked = (source: fc.Arbitrary<string>) =>
  fc.tuple(source, fc.array(fc.nat({ max: 30 }), { minLength: 1 })).map(([whole, sizes]) => {
    const chunks: Array<string> = []
    for (let at = 0, i = 0; at < whole.length; i++) {
      const size = (sizes[i % sizes.length] ?? 0) + 1
      chunks.push(whole.slice(at, at + size))
      at += size
    }
    return { whole, chunks }
  })

describe("clauses of a streamed text", () => {
  it("are foretold: how many more text completes is known before it is taken", () => {
    fc.assert(
      fc.property(chunked(text), ({ chunks }) => {
        const splitter = makeClauseSplitter()
        for (const chunk of chunks) assert.strictEqual(splitter.count(chunk), splitter.push(chunk).length)
      })
    )
  })

  it("lose nothing and repeat nothing, however the text is chunked", () => {
    const anything = fc.oneof(text, fc.string({ unit: "grapheme", maxLength: 900 }))
    fc.assert(
      fc.property(chunked(anything), ({ whole, chunks }) => {
        assert.strictEqual(squeezed(split(chunks).join(" ")), squeezed(whole))
      })
    )
  })

  it("are never empty, and the first one is long enough to be spoken unless the text ends", () => {
    fc.assert(
      fc.property(chunked(text), ({ chunks }) => {
        const clauses = split(chunks)
        assert.isTrue(clauses.every((clause) => clause.trim() !== ""))
        if (clauses.length > 1) assert.isAtLeast(clauses[0]?.length ?? 0, 20)
      })
    )
  })

  it("begin with a short one and continue with whole sentences", () => {
    assert.deepStrictEqual(
      split(["Yes, of course we are open, today until nine, and tomorrow, too. Anything else? "]),
      ["Yes, of course we are open,", "today until nine, and tomorrow, too.", "Anything else?"]
    )
  })

  it("come as soon as they are complete", () => {
    const splitter = makeClauseSplitter()
    assert.deepStrictEqual(splitter.push("Your order was shipped today."), [])
    assert.deepStrictEqual(splitter.push(" It"), ["Your order was shipped today."])
    assert.strictEqual(splitter.end(), "It")
    assert.isUndefined(splitter.end())
  })

  it("do not count white space as speech", () => {
    assert.deepStrictEqual(split(["              Hi there, I am here."]), ["Hi there, I am here."])
    assert.deepStrictEqual(split(["Nineteen letters!! and more"]), ["Nineteen letters!! and more"])
    assert.deepStrictEqual(split(["Nineteen characters, and more"]), ["Nineteen characters,", "and more"])
  })

  it("end at a Hindi danda, and not inside a number", () => {
    assert.deepStrictEqual(split(["आपका ऑर्डर कल पहुँच जाएगा। क्या मैं और मदद कर सकती हूँ? "]), [
      "आपका ऑर्डर कल पहुँच जाएगा।",
      "क्या मैं और मदद कर सकती हूँ?"
    ])
    assert.deepStrictEqual(split(["It costs about 1,499.50 rupees. "]), ["It costs about 1,499.50 rupees."])
  })

  it("are cut at a space in a long text without punctuation, and between characters without any space", () => {
    const words = split([`${"word ".repeat(100)}`])
    assert.isTrue(words.every((clause) => clause.length <= 200 && /^(word ?)+$/.test(clause)))
    const faces = split([`x${"😀".repeat(300)}`])
    assert.isAbove(faces.length, 1)
    assert.isTrue(faces.every((clause) => !/\p{Surrogate}/u.test(clause)))
  })

  it("take about as long to cut in a text without ends as in one with ends, when all of it arrives at once", () => {
    const without = msOf(() => makeClauseSplitter().push("word ".repeat(50_000)))
    const withEnds = msOf(() => makeClauseSplitter().push("A b. ".repeat(50_000)))
    assert.isBelow(without, 5 * withEnds)
  })
})
