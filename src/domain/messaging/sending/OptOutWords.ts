/**
 * The words with which contacts stop messages and start them again, and our answers. English has the words that carriers prescribe for text messages.
 * The other languages have their usual words, in their own script and as people type them in Latin letters.
 */

export interface OptOutLanguage {
  /** BCP 47. */
  readonly tag: string
  readonly stop: ReadonlyArray<string>
  readonly start: ReadonlyArray<string>
  /** The answer to a stop. It names the word that starts messages again. */
  readonly stopped: string
  /** The answer to a start. */
  readonly started: string
}

/** A word of two languages is answered in the first one of this list, unless the contact's number decides otherwise (`optOutWish`). */
export const optOutLanguages: ReadonlyArray<OptOutLanguage> = [
  {
    tag: "en",
    stop: [
      "stop",
      "stopall",
      "stop all",
      "unsubscribe",
      "cancel",
      "end",
      "quit",
      "opt out",
      "optout",
      "revoke",
      "remove me",
      "stop messages",
      "stop promotions",
      "unsubscribe me",
      "do not contact me"
    ],
    start: ["start", "unstop", "subscribe", "resubscribe", "opt in", "optin", "subscribe me", "start messages"],
    stopped: "You will get no more messages from us. Send START to get them again.",
    started: "You will get our messages again. Send STOP to get no more."
  },
  {
    tag: "hi",
    stop: [
      "बंद",
      "बंद करो",
      "बंद करें",
      "बंद कीजिए",
      "बंद कर दो",
      "बन्द करो",
      "बन्द करें",
      "रोको",
      "रोकें",
      "रोक दो",
      "स्टॉप",
      "अनसब्सक्राइब",
      "band karo",
      "band karen",
      "band karein",
      "band kar do",
      "bandh karo",
      "roko"
    ],
    start: [
      "शुरू",
      "शुरू करो",
      "शुरू करें",
      "शुरू कीजिए",
      "शुरु",
      "शुरु करो",
      "शुरु करें",
      "चालू करो",
      "चालू करें",
      "स्टार्ट",
      "shuru karo",
      "shuru karen",
      "shuru karein",
      "chalu karo",
      "chaalu karo"
    ],
    stopped: "अब आपको हमारे संदेश नहीं मिलेंगे। फिर से पाने के लिए START भेजें।",
    started: "अब आपको हमारे संदेश फिर से मिलेंगे। बंद करने के लिए STOP भेजें।"
  },
  {
    tag: "mr",
    stop: ["बंद करा", "बंद कर", "थांबा", "थांबवा", "थांब", "band kara", "thamba", "thambva"],
    start: ["सुरू", "सुरू करा", "सुरु", "सुरु करा", "चालू करा", "suru kara", "chalu kara"],
    stopped: "आता तुम्हाला आमचे संदेश मिळणार नाहीत. पुन्हा मिळवण्यासाठी START पाठवा.",
    started: "आता तुम्हाला आमचे संदेश पुन्हा मिळतील. बंद करण्यासाठी STOP पाठवा."
  },
  {
    tag: "bn",
    stop: ["বন্ধ", "বন্ধ করুন", "বন্ধ করো", "বন্ধ কর", "থামুন", "থামান", "থামাও", "স্টপ", "bondho korun", "bondho koro"],
    start: ["শুরু", "শুরু করুন", "শুরু করো", "শুরু কর", "চালু করুন", "চালু করো", "স্টার্ট", "shuru korun", "shuru koro", "chalu korun"],
    stopped: "আপনি আর আমাদের বার্তা পাবেন না। আবার পেতে START লিখে পাঠান।",
    started: "আপনি আবার আমাদের বার্তা পাবেন। বন্ধ করতে STOP লিখে পাঠান।"
  },
  {
    tag: "ta",
    stop: ["நிறுத்து", "நிறுத்தவும்", "நிறுத்துங்கள்", "நிறுத்துக", "ஸ்டாப்", "niruthu", "niruthavum", "niruthungal"],
    start: ["தொடங்கு", "தொடங்கவும்", "தொடங்குங்கள்", "தொடங்குக", "ஆரம்பி", "ஸ்டார்ட்", "thodangu", "thodangavum", "arambi"],
    stopped: "இனி எங்கள் செய்திகள் உங்களுக்கு வராது. மீண்டும் பெற START என்று அனுப்பவும்.",
    started: "எங்கள் செய்திகள் மீண்டும் உங்களுக்கு வரும். நிறுத்த STOP என்று அனுப்பவும்."
  },
  {
    tag: "te",
    stop: ["ఆపు", "ఆపండి", "ఆపివేయి", "ఆపివేయండి", "ఆపేయండి", "నిలిపివేయండి", "నిలిపివేయి", "స్టాప్", "aapu", "aapandi", "aapeyandi"],
    start: [
      "ప్రారంభించు",
      "ప్రారంభించండి",
      "మొదలుపెట్టు",
      "మొదలుపెట్టండి",
      "మొదలు పెట్టండి",
      "స్టార్ట్",
      "prarambhinchandi",
      "modalupettandi"
    ],
    stopped: "ఇకపై మీకు మా సందేశాలు రావు. మళ్ళీ పొందడానికి START అని పంపండి.",
    started: "మీకు మా సందేశాలు మళ్ళీ వస్తాయి. ఆపడానికి STOP అని పంపండి."
  },
  {
    tag: "gu",
    stop: ["બંધ", "બંધ કરો", "બંધ કર", "રોકો", "અટકાવો", "સ્ટોપ", "bandh kar", "roko messages"],
    start: ["શરૂ", "શરૂ કરો", "ચાલુ કરો", "ચાલુ", "સ્ટાર્ટ", "sharu karo"],
    stopped: "હવે તમને અમારા સંદેશા નહીં મળે. ફરી મેળવવા START મોકલો.",
    started: "હવે તમને અમારા સંદેશા ફરી મળશે. બંધ કરવા STOP મોકલો."
  },
  {
    tag: "pa",
    stop: ["ਬੰਦ", "ਬੰਦ ਕਰੋ", "ਬੰਦ ਕਰ", "ਰੋਕੋ", "ਰੋਕ ਦਿਓ", "ਸਟਾਪ", "band kro"],
    start: ["ਸ਼ੁਰੂ", "ਸ਼ੁਰੂ ਕਰੋ", "ਚਾਲੂ ਕਰੋ", "ਸਟਾਰਟ", "shuru kro"],
    stopped: "ਹੁਣ ਤੁਹਾਨੂੰ ਸਾਡੇ ਸੁਨੇਹੇ ਨਹੀਂ ਮਿਲਣਗੇ। ਮੁੜ ਲੈਣ ਲਈ START ਭੇਜੋ।",
    started: "ਹੁਣ ਤੁਹਾਨੂੰ ਸਾਡੇ ਸੁਨੇਹੇ ਮੁੜ ਮਿਲਣਗੇ। ਬੰਦ ਕਰਨ ਲਈ STOP ਭੇਜੋ।"
  },
  {
    tag: "kn",
    stop: ["ನಿಲ್ಲಿಸು", "ನಿಲ್ಲಿಸಿ", "ನಿಲ್ಲಿಸಿರಿ", "ಸ್ಟಾಪ್", "nillisi", "nillisu"],
    start: ["ಪ್ರಾರಂಭಿಸು", "ಪ್ರಾರಂಭಿಸಿ", "ಆರಂಭಿಸು", "ಆರಂಭಿಸಿ", "ಶುರು ಮಾಡಿ", "ಸ್ಟಾರ್ಟ್", "prarambhisi", "arambhisi", "shuru madi"],
    stopped: "ಇನ್ನು ಮುಂದೆ ನಿಮಗೆ ನಮ್ಮ ಸಂದೇಶಗಳು ಬರುವುದಿಲ್ಲ. ಮತ್ತೆ ಪಡೆಯಲು START ಕಳುಹಿಸಿ.",
    started: "ನಿಮಗೆ ನಮ್ಮ ಸಂದೇಶಗಳು ಮತ್ತೆ ಬರುತ್ತವೆ. ನಿಲ್ಲಿಸಲು STOP ಕಳುಹಿಸಿ."
  },
  {
    tag: "ml",
    stop: ["നിർത്തുക", "നിർത്തൂ", "നിർത്ത്", "നിറുത്തുക", "നിറുത്തൂ", "സ്റ്റോപ്പ്", "സ്റ്റോപ്", "nirthuka", "nirthu"],
    start: ["തുടങ്ങുക", "തുടങ്ങൂ", "ആരംഭിക്കുക", "ആരംഭിക്കൂ", "സ്റ്റാർട്ട്", "thudanguka", "thudangu", "aarambhikkuka"],
    stopped: "ഇനി ഞങ്ങളുടെ സന്ദേശങ്ങൾ നിങ്ങൾക്ക് ലഭിക്കില്ല. വീണ്ടും ലഭിക്കാൻ START അയയ്ക്കുക.",
    started: "ഞങ്ങളുടെ സന്ദേശങ്ങൾ വീണ്ടും നിങ്ങൾക്ക് ലഭിക്കും. നിർത്താൻ STOP അയയ്ക്കുക."
  },
  {
    tag: "od",
    stop: ["ବନ୍ଦ", "ବନ୍ଦ କରନ୍ତୁ", "ବନ୍ଦ କର", "ଷ୍ଟପ୍", "ଷ୍ଟପ", "banda karantu", "banda kara"],
    start: ["ଆରମ୍ଭ", "ଆରମ୍ଭ କରନ୍ତୁ", "ଆରମ୍ଭ କର", "ଚାଲୁ କରନ୍ତୁ", "ଷ୍ଟାର୍ଟ", "arambha karantu", "chalu karantu"],
    stopped: "ଏଣିକି ଆପଣଙ୍କୁ ଆମର ସନ୍ଦେଶ ମିଳିବ ନାହିଁ। ପୁଣି ପାଇବା ପାଇଁ START ପଠାନ୍ତୁ।",
    started: "ଆପଣଙ୍କୁ ଆମର ସନ୍ଦେଶ ପୁଣି ମିଳିବ। ବନ୍ଦ କରିବା ପାଇଁ STOP ପଠାନ୍ତୁ।"
  },
  {
    tag: "es",
    stop: [
      "parar",
      "para",
      "alto",
      "baja",
      "detener",
      "detente",
      "cancelar",
      "cancelar suscripción",
      "darme de baja",
      "dar de baja",
      "desuscribir",
      "desuscribirme",
      "no más mensajes",
      "basta"
    ],
    start: ["iniciar", "comenzar", "empezar", "alta", "darme de alta", "suscribir", "suscribirme", "reanudar"],
    stopped: "Ya no recibirá más mensajes nuestros. Envíe START para volver a recibirlos.",
    started: "Volverá a recibir nuestros mensajes. Envíe STOP para dejar de recibirlos."
  },
  {
    tag: "pt",
    stop: [
      "parar",
      "pare",
      "sair",
      "cancelar",
      "cancelar inscrição",
      "descadastrar",
      "remover",
      "chega",
      "não quero mais"
    ],
    start: ["iniciar", "começar", "voltar", "assinar", "inscrever", "cadastrar", "retomar"],
    stopped: "Você não receberá mais nossas mensagens. Envie START para voltar a recebê-las.",
    started: "Você voltará a receber nossas mensagens. Envie STOP para não receber mais."
  }
]
