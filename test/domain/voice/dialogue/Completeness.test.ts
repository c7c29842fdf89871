import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type Completeness, completeness, patienceMs } from "../../../../src/domain/voice/dialogue/Completeness.ts"
import { computedMs } from "../../../support/computed.ts"

type Examples = Readonly<Record<Completeness, ReadonlyArray<string>>>

/** What people say on the phone, by the agent's primary language. */
const examples: Readonly<Record<string, Examples>> = {
  "en-US": {
    finished: [
      "Where is my order 42?",
      "What time do you open?",
      "what time do you open",
      "how much does it cost",
      "Are you open on Sundays?",
      "can you help me with my order please",
      "is doctor sharma available today",
      "so when can I come in",
      "hello do you have a table for tonight",
      "where are you from",
      "who is it for",
      "can you tell me where my order is",
      "What about tomorrow?",
      "Hello?",
      "what's that",
      "why not",
      "Um, yes.",
      "My pin code is 560034",
      "how many do you have",
      "yes yes yes yes yes",
      "You have parking, don't you",
      "Yes.",
      "yeah",
      "No, thank you.",
      "No. No, thanks.",
      "Okay, bye.",
      "that's all",
      "Yes, that's right. Thank you.",
      "haan",
      "My number is 9876543210.",
      "it's 98765 43210",
      "My number is nine eight seven six five four three two one zero",
      "double nine eight seven six five four three two one",
      "+91 98765 43210",
      "the OTP is 482915",
      "my email is john dot smith at gmail dot com",
      "My email is john.smith@gmail.com.",
      "j o h n at the rate yahoo dot co dot in"
    ],
    likely: [
      "I would like to book an appointment.",
      "My name is Raj.",
      "I can't log in.",
      "The delivery never arrived!",
      "I want to pay for two.",
      "It costs too much.",
      "We close at 5 p.m.",
      "My email is not working.",
      "I sent you an email at nine o'clock.",
      "At 10.",
      "The card.",
      "My phone costs ₹500.",
      "At 10:30."
    ],
    unknown: [
      "i would like to book an appointment",
      "my name is raj",
      "tomorrow morning",
      "my order number is 4521",
      "the pin is 4821",
      "hello",
      "Hello. Good morning.",
      "",
      "...".slice(0, 1),
      "2."
    ],
    unfinished: [
      "Hold on, I have to",
      "It is s",
      "Order number",
      "I want to book a table and",
      "I'd like to speak about my",
      "because",
      "It's",
      "My number is",
      "My number is.",
      "my number",
      "My phone number",
      "I was calling about the",
      "Can you",
      "what time do you",
      "can you tell me",
      "how much is",
      "I'm looking for",
      "Well, I think,",
      "So I was wondering...",
      "I was wondering…",
      "Umm",
      "I need, uhhh",
      "I want to, you know",
      "My number is 98765",
      "my number is nine eight seven",
      "It's 987",
      "98765",
      "nine eight seven",
      "double nine eight",
      "my number is 987 654",
      "+91 98765 432",
      "the otp is 48",
      "you can reach me at nine eight seven six",
      "my card number is 4111 1111 1111",
      "my email is",
      "My email is john.",
      "okay and then 432",
      "my email is john at gmail",
      "j o h n at the rate",
      "it's john dot",
      "john@gmail.",
      "M A P",
      "M-A-P",
      "my name is M",
      "that's m as in mary",
      "If you could,",
      "so what I wanted to ask is",
      "that is what I want to",
      "what do you want to",
      "do you have",
      "one minute",
      "Hold on, hold on.",
      "well",
      "if I cancel now"
    ]
  },
  "hi-IN": {
    finished: [
      "क्या आप खुले हैं",
      "क्या आप खुले हैं?",
      "आप कब खुलते हैं",
      "इसका दाम कितना है",
      "दुकान कब तक खुली है?",
      "ये कितने का है",
      "ये वाला कितने का",
      "आप दिल्ली में हैं क्या",
      "डिलीवरी हो जाएगी ना?",
      "हाँ",
      "हां जी",
      "जी हाँ।",
      "नहीं",
      "ठीक है, धन्यवाद।",
      "बस इतना ही",
      "haan ji",
      "nahi",
      "मेरा नंबर 9876543210 है।",
      "मेरा नंबर है ९८७६५ ४३२१०",
      "नौ आठ सात छह पांच चार तीन दो एक शून्य",
      "मेरा ईमेल राज एट जीमेल डॉट कॉम है",
      "राज एट द रेट याहू डॉट कॉम",
      "कल कितने बजे",
      "what time do you open"
    ],
    likely: [
      "मेरा ईमेल नहीं आया है",
      "मुझे अपॉइंटमेंट चाहिए",
      "मुझे एक टेबल बुक करनी है।",
      "मेरा नाम राज है",
      "मैं कल आऊंगा",
      "mujhe appointment chahiye",
      "मुझे पता है"
    ],
    unknown: ["नमस्ते।", "कल सुबह", "दो टिकट", "kal subah"],
    unfinished: [
      "लेकिन",
      "मुझे एक अपॉइंटमेंट चाहिए और",
      "मैं जानना चाहता हूँ कि",
      "मेरा",
      "मेरा नंबर",
      "मेरा नंबर है",
      "मेरा नाम है",
      "क्या आप",
      "अगर",
      "मुझे अपने ऑर्डर के बारे में",
      "कल शाम से",
      "मुझे कल के लिए",
      "मुझे चाहिए, मतलब",
      "matlab",
      "mujhe appointment chahiye lekin",
      "मेरा नंबर है 98765",
      "नौ आठ सात",
      "नाइन एट सेवन सिक्स",
      "डबल नाइन एट",
      "मेरा ईमेल राज एट जीमेल",
      "मेरा ईमेल है राज",
      "राज डॉट",
      "अगर मैं कल आऊं",
      "मेरी प्रॉब्लम ये है",
      "एक मिनट",
      "मैं जानना चाहता हूँ",
      "एम ए पी",
      "I want to"
    ]
  },
  "ta-IN": {
    finished: [
      "எப்ப டெலிவரி ஆகும்",
      "டாக்டர் இருக்காரா",
      "ஓபனா இருக்கீங்களா",
      "நீங்க எப்போ திறப்பீங்க?",
      "கடை திறந்து இருக்கா",
      "விலை எவ்வளவு",
      "எனக்கு உதவ முடியுமா",
      "ஆமா",
      "இல்லை",
      "சரிங்க, நன்றி.",
      "என் நம்பர் 9876543210"
    ],
    likely: ["எனக்கு ஒரு அப்பாயின்ட்மென்ட் வேணும்", "நான் நாளைக்கு வரேன்"],
    unknown: ["நாளைக்கு காலையில"],
    unfinished: [
      "நாளைக்கு வந்தால்",
      "ஒரு நிமிஷம்",
      "ஆனா",
      "எனக்கு ஒரு",
      "என்னோட",
      "என் நம்பர்",
      "எனக்கு அப்பாயின்ட்மென்ட் வேணும் ஆனால்",
      "அதாவது",
      "ஒன்பது எட்டு ஏழு",
      "என் நம்பர் 98765"
    ]
  },
  "te-IN": {
    finished: [
      "నా ఆర్డర్ ఎప్పుడు వస్తుంది",
      "డాక్టర్ ఉన్నారా",
      "మీరు ఎప్పుడు తెరుస్తారు?",
      "షాప్ తెరిచి ఉందా",
      "ధర ఎంత",
      "సహాయం చేస్తారా",
      "అవును",
      "లేదు",
      "సరే, ధన్యవాదాలు.",
      "నా నంబర్ 9876543210"
    ],
    likely: ["నాకు అపాయింట్‌మెంట్ కావాలి", "నేను రేపు వస్తాను"],
    unknown: ["రేపు ఉదయం"],
    unfinished: [
      "రేపు వస్తే",
      "అవును కానీ",
      "కానీ",
      "నాకు",
      "నా నంబర్",
      "నాకు అపాయింట్‌మెంట్ కావాలి ఎందుకంటే",
      "అంటే",
      "నా ఆర్డర్ గురించి",
      "తొమ్మిది ఎనిమిది ఏడు"
    ]
  },
  "bn-IN": {
    finished: [
      "কখন আসবে",
      "আপনারা কখন খোলেন?",
      "দোকান খোলা আছে কি",
      "দাম কত",
      "হ্যাঁ",
      "না",
      "ঠিক আছে, ধন্যবাদ।",
      "আমার নম্বর 9876543210",
      "আমার নম্বর ৯৮৭৬৫৪৩২১০"
    ],
    likely: ["আমার একটা অ্যাপয়েন্টমেন্ট লাগবে", "আমি কাল আসছি"],
    unknown: ["কাল সকালে"],
    unfinished: [
      "যদি কাল আসি",
      "কলকাতা থেকে",
      "কিন্তু",
      "আমার",
      "আমার নম্বর",
      "আমি জানতে চাই যে",
      "আমার একটা টেবিল লাগবে কারণ",
      "মানে",
      "আপনি কি",
      "নয় আট সাত",
      "আমার অর্ডারের জন্য"
    ]
  },
  "mr-IN": {
    finished: [
      "कधी येईल",
      "तुम्ही कधी उघडता?",
      "दुकान उघडे आहे का",
      "किंमत किती",
      "हो",
      "नाही",
      "ठीक आहे, धन्यवाद.",
      "माझा नंबर 9876543210 आहे"
    ],
    likely: ["मला अपॉइंटमेंट पाहिजे", "माझं नाव राज आहे"],
    unknown: ["उद्या सकाळी"],
    unfinished: [
      "जर उद्या आलो",
      "हो पण",
      "पण",
      "मला",
      "माझा नंबर",
      "माझा नंबर आहे",
      "मला अपॉइंटमेंट पाहिजे कारण",
      "म्हणजे",
      "उद्यासाठी",
      "नऊ आठ सात"
    ]
  },
  "gu-IN": {
    finished: [
      "ક્યારે આવશે",
      "શું તમે ખુલ્લા છો",
      "તમે ક્યારે ખોલો છો?",
      "દુકાન ખુલ્લી છે ને",
      "ભાવ કેટલો છે",
      "હા",
      "ના",
      "બરાબર છે, આભાર.",
      "મારો નંબર 9876543210 છે"
    ],
    likely: ["મને એપોઇન્ટમેન્ટ જોઈએ છે", "મારું નામ રાજ છે"],
    unknown: ["કાલે સવારે"],
    unfinished: [
      "જો હું કાલે આવું",
      "પણ",
      "મને",
      "મારો નંબર",
      "મારો નંબર છે",
      "મને એપોઇન્ટમેન્ટ જોઈએ છે કારણ કે",
      "મતલબ",
      "કાલ માટે",
      "નવ આઠ સાત"
    ]
  },
  "pa-IN": {
    finished: [
      "ਕਦੋਂ ਆਵੇਗਾ",
      "ਡਾਕਟਰ ਕਿੱਥੇ ਹੈ ਜੀ",
      "ਤੁਸੀਂ ਕਦੋਂ ਖੋਲ੍ਹਦੇ ਹੋ?",
      "ਦੁਕਾਨ ਖੁੱਲ੍ਹੀ ਹੈ ਨਾ",
      "ਇਹ ਕਿੰਨੇ ਦਾ ਹੈ",
      "ਹਾਂ ਜੀ",
      "ਨਹੀਂ",
      "ਠੀਕ ਹੈ, ਧੰਨਵਾਦ।",
      "ਮੇਰਾ ਨੰਬਰ 9876543210 ਹੈ"
    ],
    likely: ["ਮੈਨੂੰ ਅਪਾਇੰਟਮੈਂਟ ਚਾਹੀਦੀ ਹੈ", "ਮੇਰਾ ਨਾਮ ਰਾਜ ਹੈ"],
    unknown: ["ਕੱਲ੍ਹ ਸਵੇਰੇ"],
    unfinished: [
      "ਜੇ ਮੈਂ ਕੱਲ੍ਹ ਆਵਾਂ",
      "ਪਰ",
      "ਮੈਨੂੰ",
      "ਮੇਰਾ ਨੰਬਰ",
      "ਮੇਰਾ ਨੰਬਰ ਹੈ",
      "ਮੈਨੂੰ ਅਪਾਇੰਟਮੈਂਟ ਚਾਹੀਦੀ ਹੈ ਕਿਉਂਕਿ",
      "ਮਤਲਬ",
      "ਕੱਲ੍ਹ ਲਈ",
      "ਨੌਂ ਅੱਠ ਸੱਤ"
    ]
  },
  "kn-IN": {
    finished: [
      "ನನ್ನ ಆರ್ಡರ್ ಎಲ್ಲಿದೆ",
      "ಯಾವಾಗ ಬರುತ್ತೆ",
      "ನೀವು ಯಾವಾಗ ತೆರೆಯುತ್ತೀರಿ?",
      "ಅಂಗಡಿ ತೆರೆದಿದೆಯಾ",
      "ಬೆಲೆ ಎಷ್ಟು",
      "ಹೌದು",
      "ಇಲ್ಲ",
      "ಸರಿ, ಧನ್ಯವಾದಗಳು.",
      "ನನ್ನ ನಂಬರ್ 9876543210"
    ],
    likely: ["ನನಗೆ ಅಪಾಯಿಂಟ್‌ಮೆಂಟ್ ಬೇಕು", "ನಾನು ನಾಳೆ ಬರುತ್ತೇನೆ"],
    unknown: ["ನಾಳೆ ಬೆಳಿಗ್ಗೆ"],
    unfinished: [
      "ನಾಳೆ ಬಂದರೆ",
      "ಹೌದು ಆದರೆ",
      "ಆದರೆ",
      "ನನಗೆ",
      "ನನ್ನ ನಂಬರ್",
      "ನನಗೆ ಅಪಾಯಿಂಟ್‌ಮೆಂಟ್ ಬೇಕು ಯಾಕೆಂದರೆ",
      "ಅಂದ್ರೆ",
      "ನನ್ನ ಆರ್ಡರ್ ಬಗ್ಗೆ",
      "ಒಂಬತ್ತು ಎಂಟು ಏಳು"
    ]
  },
  "ml-IN": {
    finished: [
      "എപ്പോൾ വരും",
      "ഡോക്ടർ ഉണ്ടോ",
      "നിങ്ങൾ എപ്പോഴാണ് തുറക്കുന്നത്?",
      "കട തുറന്നിട്ടുണ്ടോ",
      "വില എത്രയാണ്",
      "അതെ",
      "ഇല്ല",
      "ശരി, നന്ദി.",
      "എന്റെ നമ്പർ 9876543210"
    ],
    likely: ["എനിക്ക് അപ്പോയിന്റ്മെന്റ് വേണം", "എന്റെ പേര് രാജ് എന്നാണ്"],
    unknown: ["നാളെ രാവിലെ"],
    unfinished: [
      "നാളെ വന്നാൽ",
      "കൊച്ചിയിൽ നിന്ന്",
      "പക്ഷേ",
      "എനിക്ക്",
      "എന്റെ നമ്പർ",
      "എൻ്റെ നമ്പർ",
      "എനിക്ക് അപ്പോയിന്റ്മെന്റ് വേണം കാരണം",
      "അതായത്",
      "നാളേക്ക് വേണ്ടി",
      "ഒമ്പത് എട്ട് ഏഴ്"
    ]
  },
  "od-IN": {
    finished: [
      "କେବେ ଆସିବ",
      "ଆପଣ କେତେବେଳେ ଖୋଲନ୍ତି?",
      "ଦୋକାନ ଖୋଲା ଅଛି କି",
      "ଦାମ କେତେ",
      "ହଁ",
      "ନା",
      "ଠିକ୍ ଅଛି, ଧନ୍ୟବାଦ।",
      "ମୋ ନମ୍ବର 9876543210"
    ],
    likely: ["ମୋର ଗୋଟେ ଆପଏଣ୍ଟମେଣ୍ଟ ଦରକାର", "ମୁଁ କାଲି ଆସିବି"],
    unknown: ["କାଲି ସକାଳେ"],
    unfinished: ["ଯଦି ମୁଁ କାଲି ଆସେ", "କିନ୍ତୁ", "ମୋତେ", "ମୋ ନମ୍ବର", "ମୋର ଆପଏଣ୍ଟମେଣ୍ଟ ଦରକାର କାରଣ", "ମାନେ", "କାଲି ପାଇଁ", "ନଅ ଆଠ ସାତ"]
  }
}

describe("how complete a caller's words are", () => {
  for (const [language, expected] of Object.entries(examples))
    for (const verdict of ["finished", "likely", "unknown", "unfinished"] as const)
      it.each(expected[verdict].map((said) => [said]))(`${language}: "%s" is ${verdict}`, (said) => {
        assert.strictEqual(completeness(said, language), verdict)
      })

  it("are judged for any text in any language, even with an unknown language tag", () => {
    const fragments = fc.constantFrom(
      ...Object.values(examples).flatMap((expected) => Object.values(expected).flat()),
      "double",
      "@",
      "dot",
      "+91",
      "-"
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(fragments, { maxLength: 6 }).map((parts) => parts.join(" "))
        ),
        fc.oneof(fc.constantFrom(...Object.keys(examples), "en-AU", "fr-FR", ""), fc.string()),
        (text, language) => {
          assert.include(["finished", "likely", "unknown", "unfinished"], completeness(text, language))
        }
      )
    )
  })

  it("are judged the same however the script was encoded", () => {
    for (const [language, expected] of Object.entries(examples))
      for (const said of Object.values(expected).flat())
        assert.strictEqual(completeness(said.normalize("NFD"), language), completeness(said, language), said)
  })

  it("are a whole phone number with ten digits or more, and a part of one with fewer", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 14 }), (digits) => {
        const expected = digits.length < 10 ? "unfinished" : "finished"
        assert.strictEqual(completeness(`my number is ${digits.join("")}`, "en-US"), expected)
        assert.strictEqual(completeness(`My number is ${digits.join(" ")}.`, "hi-IN"), expected)
      })
    )
  })

  it.each([
    ["of many kinds of words", "nine eight my number is and at the rate of dot ".repeat(2_000)],
    ["of digits", "9 ".repeat(20_000)],
    ["of openers", "and so ".repeat(10_000)],
    ["without spaces", `${"a@".repeat(10_000)}₹${"1".repeat(20_000)}x`],
    ["of dots", `${".".repeat(100_000)}x`]
  ])("are judged in time for a transcript %s that never ends", (_, text) => {
    assert.isBelow(
      computedMs(() => void completeness(text, "hi-IN")),
      2_000
    )
  })
})

describe("the silence that ends a turn", () => {
  const verdicts = ["finished", "likely", "unknown", "unfinished"] as const
  const options = fc
    .tuple(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.option(fc.integer({ min: 0, max: 9_000 }))
    )
    .map(([a, b, learned]) => ({ minMs: Math.min(a, b), maxMs: Math.max(a, b), learnedMs: learned ?? undefined }))

  it("keeps to the agent's bounds, and is never shorter for less complete words", () => {
    fc.assert(
      fc.property(options, (bounds) => {
        const waits = verdicts.map((verdict) => patienceMs(verdict, bounds))
        for (const wait of waits) {
          assert.isAtLeast(wait, bounds.minMs)
          assert.isAtMost(wait, bounds.maxMs)
        }
        assert.deepStrictEqual(
          waits,
          [...waits].sort((a, b) => a - b)
        )
      })
    )
  })

  it("is the minimum after a question, the caller's own pause and at least 600 ms without evidence, and long after half a sentence", () => {
    const bounds = { minMs: 400, maxMs: 2_400 }
    assert.strictEqual(patienceMs("finished", { ...bounds, learnedMs: 900 }), 400)
    assert.strictEqual(patienceMs("likely", { ...bounds, learnedMs: 900 }), 400)
    assert.strictEqual(patienceMs("unknown", { ...bounds, learnedMs: 900 }), 1_125)
    assert.strictEqual(patienceMs("unknown", { ...bounds, learnedMs: undefined }), 600)
    assert.strictEqual(patienceMs("unknown", { ...bounds, learnedMs: 200 }), 600)
    assert.strictEqual(patienceMs("unfinished", { ...bounds, learnedMs: undefined }), 1_600)
    assert.strictEqual(patienceMs("unfinished", { ...bounds, learnedMs: 1_200 }), 1_800)
    assert.strictEqual(patienceMs("unfinished", { ...bounds, learnedMs: 2_000 }), 2_400)
  })
})

describe("a time after a wish to be called", () => {
  it.each([
    "please call me back at five",
    "call me back at 5",
    "you can call me after ten thirty",
    "call me around six fifteen",
    "text me before 11 30"
  ])("is no telephone number that goes on (%s)", (text) => assert.strictEqual(completeness(text, "en-IN"), "unknown"))

  it.each([
    "call me at nine eight seven",
    "call me on nine",
    "call me at 987",
    "my number is nine",
    "call me at nine eight"
  ])("is told from the beginning of a number (%s)", (text) =>
    assert.strictEqual(completeness(text, "en-IN"), "unfinished"))
})

describe("what nobody told the caller", () => {
  it.each([
    "the driver did not tell me",
    "they didn't tell me",
    "he would never tell me"
  ])("is not half a sentence (%s)", (text) => assert.strictEqual(completeness(text, "en-US"), "unknown"))

  it.each(["please tell me", "can you tell me"])("is told from a request that goes on (%s)", (text) =>
    assert.strictEqual(completeness(text, "en-US"), "unfinished"))
})
