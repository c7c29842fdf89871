import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  alwaysInterrupts,
  isBackchannel,
  isHesitation,
  wordCount
} from "../../../../src/domain/voice/dialogue/Interjections.ts"

const listening: Readonly<Record<string, ReadonlyArray<string>>> = {
  "en-US": [
    "mm-hm",
    "I understand.",
    "go on",
    "okay sir",
    "Mm-hmm.",
    "mmhm",
    "uh huh",
    "Uh-huh, okay.",
    "okay",
    "Right.",
    "yeah yeah yeah",
    "hmmmmm",
    "Oh, I see.",
    "haan"
  ],
  "hi-IN": ["haan", "हाँ", "हां जी", "अच्छा", "जी", "जी जी", "अच्छा, ठीक है", "हम्म", "okay", "ठीक है ठीक है"],
  "ta-IN": ["சரி", "ஆமா", "ம்ம்", "சரிங்க", "ok"],
  "te-IN": ["అవును", "సరే", "ఊ", "అలాగే"],
  "bn-IN": ["হ্যাঁ", "আচ্ছা", "হুম", "ঠিক আছে"],
  "mr-IN": ["हो", "बरं", "हं", "ठीक आहे"],
  "gu-IN": ["હા", "અચ્છા", "બરાબર"],
  "pa-IN": ["ਹਾਂ ਜੀ", "ਅੱਛਾ", "ਠੀਕ ਹੈ"],
  "kn-IN": ["ಹೌದು", "ಸರಿ", "ಹೂಂ"],
  "ml-IN": ["അതെ", "ശരി", "ഉം"],
  "od-IN": ["ହଁ", "ଆଚ୍ଛା", "ଠିକ୍ ଅଛି"]
}

const hesitating: Readonly<Record<string, ReadonlyArray<string>>> = {
  "en-US": ["um", "Uh...", "Well,", "um, uh", "let me see", "ummmm"],
  "hi-IN": ["um", "मतलब"]
}
const notHesitating = ["um, no", "give me a minute", "well I wanted something else", "", "hello"]

const stopping: Readonly<Record<string, ReadonlyArray<string>>> = {
  "en-US": ["Stop!", "wait", "no wait a minute", "Hold on.", "excuse me", "I want a human"],
  "hi-IN": ["रुको", "रुकिए", "अरे रुकिए ज़रा", "एक मिनट", "ruko ruko", "wait", "इंसान"],
  "ta-IN": ["நில்லுங்க", "ஒரு நிமிஷம்", "இருங்க"],
  "te-IN": ["ఆగండి", "ఒక్క నిమిషం"],
  "bn-IN": ["থামুন", "এক মিনিট", "দাঁড়ান"],
  "mr-IN": ["थांबा", "एक मिनिट"],
  "gu-IN": ["ઊભા રહો", "એક મિનિટ"],
  "pa-IN": ["ਰੁਕੋ", "ਇੱਕ ਮਿੰਟ"],
  "kn-IN": ["ನಿಲ್ಲಿಸಿ", "ಒಂದು ನಿಮಿಷ"],
  "ml-IN": ["നിർത്തൂ", "ഒരു മിനിറ്റ്"],
  "od-IN": ["ରୁହନ୍ତୁ", "ଏକ ମିନିଟ୍"]
}

const each = (table: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.entries(table).flatMap(([language, all]) => all.map((said) => [said, language] as const))

describe("words over the agent's speech", () => {
  it("knows hesitations, which begin something and are no interruption yet", () => {
    for (const [language, texts] of Object.entries(hesitating))
      for (const text of texts) assert.isTrue(isHesitation(text, language), text)
    for (const text of notHesitating) assert.isFalse(isHesitation(text, "en-US"), text)
  })

  it.each(each(listening))('"%s" (%s) is only listening', (said, language) => {
    assert.isTrue(isBackchannel(said, language))
    assert.isFalse(alwaysInterrupts(said, language, []))
  })

  it.each(each(stopping))('"%s" (%s) stops the agent whatever its settings', (said, language) => {
    assert.isTrue(alwaysInterrupts(said, language, []))
    assert.isFalse(isBackchannel(said, language))
  })

  it.each([
    ["", "en-US"],
    ["...", "en-US"],
    ["no", "en-US"],
    ["okay but what about Monday", "en-US"],
    ["yeah yeah yeah yeah", "en-US"],
    ["हाँ लेकिन", "hi-IN"],
    ["नहीं", "hi-IN"],
    ["சரி ஆனா", "ta-IN"],
    ["సరే కానీ", "te-IN"]
  ])('"%s" (%s) is more, or less, than listening', (said, language) => {
    assert.isFalse(isBackchannel(said, language))
  })

  it("stop the agent with its own escalation phrases too, but not inside other words", () => {
    assert.isTrue(alwaysInterrupts("get me the manager", "en-US", ["the manager"]))
    assert.isFalse(alwaysInterrupts("get me the manager", "en-US", []))
    assert.isFalse(alwaysInterrupts("the waiter was nonstop", "en-US", []))
  })

  it("are counted as whole words in every script", () => {
    assert.strictEqual(wordCount("I don't know — really!"), 4)
    assert.strictEqual(wordCount("मुझे ज़रूरत है।"), 3)
    assert.strictEqual(wordCount("ഞാൻ വരാം"), 2)
    assert.strictEqual(wordCount(" … "), 0)
  })

  it("are judged without failing, whatever they are", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.oneof(fc.string(), fc.constant("__proto__")),
        fc.array(fc.string()),
        (text, language, phrases) => {
          assert.isBoolean(isBackchannel(text, language))
          assert.isBoolean(alwaysInterrupts(text, language, phrases))
          assert.isAtLeast(wordCount(text), 0)
        }
      )
    )
  })
})
