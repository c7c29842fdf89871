import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { confirmation, optOutWish, plainWords, textOfMessage } from "../../../../src/domain/messaging/sending/OptOut.ts"
import { optOutLanguages } from "../../../../src/domain/messaging/sending/OptOutWords.ts"

const every = optOutLanguages.flatMap((language) =>
  (["stop", "start"] as const).flatMap((wish) => language[wish].map((word) => ({ language, wish, word })))
)

describe("the wish to get no more messages", () => {
  it("is recognised in English, ten Indic languages, Spanish and Portuguese", () => {
    assert.deepStrictEqual(
      optOutLanguages.map(({ tag }) => tag),
      ["en", "hi", "mr", "bn", "ta", "te", "gu", "pa", "kn", "ml", "od", "es", "pt"]
    )
    for (const { stopped, started } of optOutLanguages) {
      assert.include(stopped, "START")
      assert.include(started, "STOP")
    }
  })

  it("is recognised however a word is written: capitals, blanks, punctuation, emoji, joiners, decomposed letters", () => {
    for (const { wish, word } of every)
      for (const text of [
        word,
        word.toUpperCase(),
        `  ${word}  `,
        `${word}.`,
        `"${word}"!!`,
        `${word} 🙏`,
        `\u200b${word}\ufe0f`,
        word.normalize("NFD"),
        word.replaceAll(" ", "\n")
      ])
        assert.strictEqual(optOutWish(text, null)?.wish, wish, JSON.stringify(text))
  })

  it("never has a word in common with the wish to get messages again", () => {
    const of = (wish: string) =>
      new Set(every.filter((known) => known.wish === wish).map(({ word }) => plainWords(word)))
    const [stop, start] = [of("stop"), of("start")]
    assert.isEmpty([...stop].filter((word) => start.has(word)))
  })

  it("is not recognised in a message that says more, nor inside another word", () => {
    for (const text of [
      "Please stop by at five",
      "stop it!! where is my order",
      "non stop",
      "bus stop",
      "I want to cancel my order 4411",
      "when does it start?",
      "कल बंद करो मत, खुला रखना",
      "parar en la esquina",
      "",
      "   ",
      "🙏",
      "1",
      "ok",
      "yes",
      `stop${" stop".repeat(30)}`
    ])
      assert.isUndefined(optOutWish(text, null), text)
    fc.assert(
      fc.property(fc.constantFrom(...every), fc.stringMatching(/^[a-z]{2,8}$/), ({ word }, more) => {
        const text = `${word} ${more} ${more}x`
        assert.isUndefined(optOutWish(text, null), text)
      })
    )
  })

  it("is answered in the language of its word; where two share one, the number decides", () => {
    const tag = (text: string, phone: string | null) => optOutWish(text, phone)?.language.tag
    assert.deepStrictEqual(
      [
        "STOP",
        "बंद करो",
        "बंद करा",
        "বন্ধ করুন",
        "நிறுத்து",
        "ఆపండి",
        "બંધ કરો",
        "ਬੰਦ ਕਰੋ",
        "ನಿಲ್ಲಿಸಿ",
        "നിർത്തുക",
        "ବନ୍ଦ କରନ୍ତୁ",
        "baja",
        "sair"
      ].map((text) => tag(text, null)),
      ["en", "hi", "mr", "bn", "ta", "te", "gu", "pa", "kn", "ml", "od", "es", "pt"]
    )
    assert.strictEqual(tag("parar", "+5511987654321"), "pt")
    assert.strictEqual(tag("parar", "+34600000000"), "es")
    const wish = optOutWish("sair", null)
    assert.strictEqual(wish === undefined ? "" : confirmation(wish), optOutLanguages[12].stopped)
  })

  it("is recognised in Malayalam as old keyboards write it", () => {
    assert.strictEqual(optOutWish("നിര്\u200dത്തുക", null)?.wish, "stop")
  })

  it("is read from a text or a pressed button, and from nothing else", () => {
    assert.strictEqual(textOfMessage({ type: "text", content: { text: "stop" } }), "stop")
    assert.strictEqual(textOfMessage({ type: "button", content: { text: "Stop promotions" } }), "Stop promotions")
    assert.strictEqual(textOfMessage({ type: "interactive", content: { title: "STOP" } }), "STOP")
    assert.isUndefined(textOfMessage({ type: "image", content: { caption: "stop" } }))
    assert.isUndefined(textOfMessage({ type: "text", content: { text: 7 } }))
  })

  it("is looked for in any text without failing", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void optOutWish(text, "+1")))
  })
})
