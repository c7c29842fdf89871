import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { askForMark, MarkReader, type TurnMark } from "../../../../src/domain/voice/dialogue/TurnMark.ts"
import { SseParser } from "../../../../src/integrations/llm/SseParser.ts"

const signs: Readonly<Record<TurnMark, string>> = { finished: "^", unfinished: "~", time: "=" }
const all: ReadonlyArray<TurnMark> = ["finished", "unfinished", "time"]

/** The whole answer as it is passed on, and its mark. */
const read = (...pieces: ReadonlyArray<string>) => {
  const reader = new MarkReader()
  const passed = pieces.map((piece) => reader.push(piece)).join("")
  return { text: passed + reader.end(), mark: reader.mark }
}

/** Cuts a text into pieces, at any UTF-16 unit. */
const cutAt = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length))
}

const anyCuts = fc.array(fc.nat(), { maxLength: 12 })
const words = fc
  .array(fc.constantFrom("Sure", "हाँ", "we", "open", "at", "9", "a@b.co", "2+2", "नौ बजे।", "Okay.", "Yes?", "🙂"), {
    minLength: 1,
    maxLength: 12
  })
  .map((list) => list.join(" "))
const anyMark = fc.constantFrom(...all)

describe("the mark of an answer", () => {
  it("is asked for with each of its signs", () => {
    for (const mark of all) assert.include(askForMark.content, `${signs[mark]} when`)
  })

  it("is taken off the beginning, whatever surrounds it", () => {
    for (const mark of all) {
      const sign = signs[mark]
      for (const written of [
        `${sign} Sure.`,
        `${sign}Sure.`,
        `  ${sign}\nSure.`,
        `\`${sign}\` Sure.`,
        `[${sign}] Sure.`,
        `**${sign}** Sure.`
      ]) {
        const { text, mark: told } = read(written)
        assert.deepStrictEqual([told, text.trim()], [mark, "Sure."], written)
      }
    }
  })

  it("is known with the token after it, or with the end", () => {
    const reader = new MarkReader()
    assert.strictEqual(reader.push("~"), "")
    assert.isUndefined(reader.mark)
    assert.strictEqual(reader.push(" "), " ")
    assert.strictEqual(reader.mark, "unfinished")
    assert.deepStrictEqual(read("^"), { text: "", mark: "finished" })
  })

  it("is none when the answer begins with words, also with a sign that belongs to a number", () => {
    for (const written of ["Sure.", "~20 minutes.", '"Sure," she said.', "नौ बजे।", "2 + 2 = 4"]) {
      const { text, mark } = read(written)
      assert.deepStrictEqual([mark, text], ["none", written])
    }
  })

  it("says nothing when the model says nothing", () => {
    for (const written of ["", " ", "\n\n"]) assert.isUndefined(read(written).mark)
  })

  it("is taken out where a model repeats it between sentences or at the end, and stays in formulas", () => {
    assert.strictEqual(read("^ Sure. ^ Anything else?").text.replace(/\s+/g, " ").trim(), "Sure. Anything else?")
    assert.strictEqual(read("^ ^ Sure. ~").text.trim(), "Sure.")
    assert.strictEqual(read("^ Sure\n= Wait").text.trim(), "Sure\n Wait")
    assert.strictEqual(read("^ That is 2 + 2 = 4.").text.trim(), "That is 2 + 2 = 4.")
  })

  it("never reaches the answer, however the stream is cut", () => {
    fc.assert(
      fc.property(anyMark, words, anyCuts, (mark, answer, cuts) => {
        const written = `${signs[mark]} ${answer}`
        const { text, mark: told } = read(...cutAt(written, cuts))
        assert.deepStrictEqual([told, text], [mark, ` ${answer}`])
      })
    )
  })

  it("does not depend on how any text is cut", () => {
    const anything = fc
      .array(fc.constantFrom("^", "~", "=", " ", "`", "*", "[", "]", "7", "a", ".", "\n", "।", "ह", "🙂"))
      .map((list) => list.join(""))
    fc.assert(
      fc.property(fc.oneof(anything, fc.string()), anyCuts, (written, cuts) => {
        assert.deepStrictEqual(read(...cutAt(written, cuts)), read(written))
      }),
      { numRuns: 1_000 }
    )
  })

  it("loses nothing but signs, and what surrounds the first", () => {
    fc.assert(
      fc.property(words, anyCuts, (answer, cuts) => {
        assert.deepStrictEqual(read(...cutAt(answer, cuts)), { text: answer, mark: "none" })
      })
    )
  })

  it("survives a body that is cut at any byte", () => {
    const body = new TextEncoder().encode(
      ["~", " ", "नौ", " बजे", "। ", "~", " 🙂"].map((token) => `data: ${JSON.stringify(token)}\n\n`).join("")
    )
    for (let cut = 0; cut <= body.length; cut++) {
      const parser = new SseParser()
      const reader = new MarkReader()
      const events = [...parser.push(body.subarray(0, cut)), ...parser.push(body.subarray(cut)), ...parser.finish()]
      const text = events.map(({ data }) => reader.push(JSON.parse(data) as string)).join("") + reader.end()
      assert.deepStrictEqual([reader.mark, text], ["unfinished", " नौ बजे।  🙂"], `cut at ${cut}`)
    }
  })
})
