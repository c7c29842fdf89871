/** Calls in Hindi. */
import { backchannel, type Dialogue, interrupt, noiseOver, quiet, turn } from "./Dialogue.ts"

const language = "hi-IN"

export const hindi: ReadonlyArray<Dialogue> = [
  {
    id: "hi-plain-order",
    category: "plain",
    language,
    voice: "f1",
    noise: "street",
    steps: [turn("नमस्ते, मेरा ऑर्डर कहाँ है?"), turn("वह कल तक पहुँच जाएगा?"), turn("बहुत धन्यवाद।")]
  },
  {
    id: "hi-hesitation",
    category: "hesitation",
    language,
    voice: "m1",
    noise: "pink",
    steps: [turn("मुझे कल के लिए", 900, "एक टेबल चाहिए।"), turn("हम चार लोग हैं और", 1_000, "एक छोटा बच्चा भी है।")]
  },
  {
    id: "hi-hesitation-because",
    category: "hesitation",
    language,
    voice: "f2",
    noise: "fan",
    steps: [turn("मैं यह वापस करना चाहता हूँ क्योंकि", 1_100, "यह बहुत छोटा है।"), turn("मेरा पता है", 900, "गांधी नगर, दिल्ली।")]
  },
  {
    id: "hi-numbers",
    category: "numbers",
    language,
    voice: "m2",
    noise: "babble",
    steps: [turn("मेरा नंबर है", 900, "नौ आठ सात छह", 700, "पाँच चार तीन", 700, "दो एक शून्य।")]
  },
  {
    id: "hi-numbers-order",
    category: "numbers",
    language,
    voice: "f3",
    noise: "comfort",
    steps: [turn("ऑर्डर नंबर", 800, "चार दो सात", 800, "एक एक छह।"), turn("जी, वही है।")]
  },
  {
    id: "hi-email",
    category: "e-mail",
    language,
    voice: "m3",
    noise: "white",
    steps: [turn("मेरा ईमेल है", 900, "राहुल डॉट शर्मा", 700, "एट उदाहरण डॉट कॉम।")]
  },
  {
    id: "hi-backchannel-haan",
    category: "backchannel",
    language,
    voice: "f4",
    noise: "pink",
    steps: [turn("डिलीवरी कैसे होती है?"), backchannel(1_500, "हाँ।"), turn("और इसका खर्च कितना है?")]
  },
  {
    id: "hi-backchannel-accha",
    category: "backchannel",
    language,
    voice: "m4",
    noise: "street",
    steps: [turn("गारंटी के बारे में बताइए।"), backchannel(1_600, "अच्छा।"), turn("मुझे दो साल वाली चाहिए।")]
  },
  {
    id: "hi-noise-cough",
    category: "noise",
    language,
    voice: "f5",
    noise: "fan",
    steps: [turn("आज दुकान कब तक खुली है?"), noiseOver(1_500, "cough"), turn("मैं शाम को आऊँगा।")]
  },
  {
    id: "hi-interruption",
    category: "interruption",
    language,
    voice: "m5",
    noise: "comfort",
    steps: [turn("मुझे सब शर्तें सुनाइए।"), interrupt(1_700, "रुकिए, मुझे सिर्फ़ कीमत बताइए।")]
  },
  {
    id: "hi-double-talk",
    category: "double-talk",
    language,
    voice: "f1",
    noise: "pink",
    steps: [turn("क्या सुबह कोई ट्रेन है?"), interrupt(400, "मुझे नौ बजे से पहले पहुँचना है।")]
  },
  {
    id: "hi-silence",
    category: "silence",
    language,
    voice: "m6",
    noise: "street",
    steps: [turn("एक मिनट, मैं देखता हूँ।"), quiet, turn("हाँ जी, मैं यहीं हूँ।")]
  }
]
