import { assert, describe, it } from "@effect/vitest"
import { asksForHuman } from "../../../../src/domain/voice/dialogue/Escalation.ts"
import { computedMs } from "../../../support/computed.ts"

describe("asking for a human", () => {
  for (const said of [
    "human",
    "Can I talk to a human please?",
    "AGENT!",
    "I want your representative, now",
    "is there a real   person there",
    "a real-person would help",
    "मुझे इंसान से बात करनी है",
    "एजेंट।",
    "operator please",
    "I want to speak with your manager",
    "is there anyone I can talk to",
    "किसी बंदे से बात कराओ",
    "let me talk to your supervisor",
    "could I speak to someone real",
    "I am a travel agent and I want to talk to a human",
    "मुझे किसी प्रतिनिधि से बात करवाइए",
    "मैं सुपरवाइज़र से बात करना चाहता हूँ",
    "muje insaan se baat karni hai",
    "நான் ஒரு மனிதரிடம் பேச வேண்டும்",
    "ஏஜென்ட் வேணும்",
    "நான் பிரதிநிதியுடன் பேசணும்",
    "నేను మనిషితో మాట్లాడాలి",
    "ఏజెంట్‌తో మాట్లాడాలి",
    "ఆపరేటర్ కావాలి",
    "আমি মানুষের সাথে কথা বলতে চাই",
    "এজেন্ট দিন",
    "সুপারভাইজারের সঙ্গে কথা বলব",
    "मला माणसाशी बोलायचं आहे",
    "मला एजंटशी बोलायचं आहे",
    "प्रतिनिधीशी जोडा",
    "મારે માણસ સાથે વાત કરવી છે",
    "એજન્ટ સાથે વાત કરાવો",
    "ઓપરેટર આપો",
    "ਮੈਂ ਕਿਸੇ ਇਨਸਾਨ ਨਾਲ ਗੱਲ ਕਰਨੀ ਹੈ",
    "ਏਜੰਟ ਨਾਲ ਗੱਲ ਕਰਵਾਓ",
    "ਸੁਪਰਵਾਈਜ਼ਰ ਚਾਹੀਦਾ ਹੈ",
    "ನಾನು ಮನುಷ್ಯರ ಜೊತೆ ಮಾತಾಡಬೇಕು",
    "ಏಜೆಂಟ್ ಬೇಕು",
    "ಪ್ರತಿನಿಧಿಯೊಂದಿಗೆ ಮಾತನಾಡಬೇಕು",
    "എനിക്ക് ഒരു മനുഷ്യനോട് സംസാരിക്കണം",
    "ഏജന്റിനെ വേണം",
    "ഏജൻ്റ് ഉണ്ടോ",
    "1 agent please",
    "പ്രതിനിധിയോട് സംസാരിക്കണം",
    "ମୁଁ ମଣିଷଙ୍କ ସହ କଥା ହେବାକୁ ଚାହେଁ",
    "ଏଜେଣ୍ଟ ଦରକାର",
    "ପ୍ରତିନିଧିଙ୍କ ସହ କଥା"
  ])
    it(`is heard in "${said}"`, () => assert.isTrue(asksForHuman(said, [])))

  for (const said of [
    "",
    "a humane price",
    "the agency is closed",
    "in person",
    "a real nice person",
    "इंसानियत",
    "I am calling from a travel agency, I am a travel agent",
    "My real estate agent gave me your number.",
    "Is this the human resources department?",
    "I am only human",
    "the delivery agent did not come",
    "I need a tour operator",
    "the operation was expensive",
    "it represents a lot of money",
    "மனிதாபிமானம்",
    "মানুষজন",
    "ચાર માણસ માટે ટેબલ જોઈએ છે",
    "4 માણસ માટે",
    "অনেক মানুষ",
    "मेरा ट्रैवल एजेंट बोल रहा था",
    "do two agents sit there",
    "..."
  ])
    it(`is not heard in "${said}"`, () => assert.isFalse(asksForHuman(said, [])))

  it("is heard in the agent's own phrases too, as whole words in any case and spelling of accents", () => {
    assert.isTrue(asksForHuman("Please let me speak to the Manager.", ["speak to the manager"]))
    assert.isFalse(asksForHuman("Micromanagers", ["manager"]))
    assert.isTrue(asksForHuman("cafe\u0301 owner", ["CAF\u00c9 owner"]))
    assert.isTrue(asksForHuman("I don't get it", ["don't get it"]))
  })

  it("costs next to nothing in each turn, however many phrases of its own an agent has", () => {
    const phrases = Array.from({ length: 10_000 }, (_, n) => `let me have number ${n}`)
    const ms = computedMs(() => {
      for (let turn = 0; turn < 500; turn++) assert.isFalse(asksForHuman("Where is my order?", phrases))
    })
    // Normalising every phrase again in each turn would take about 20 s.
    assert.isBelow(ms, 3_000)
  })

  it("is not heard in every sentence when a phrase is empty", () => {
    assert.isFalse(asksForHuman("Hello", ["", "  ", "?!"]))
  })
})
