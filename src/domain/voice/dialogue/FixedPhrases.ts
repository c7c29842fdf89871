/**
 * What the agent says without asking the model, in the agent's primary language: sentences for trouble and hand-over, fillers while something is
 * slow, and listening sounds. They are few and do not change, so they can be synthesized in advance.
 *
 * The voice may be a woman's or a man's, so no sentence has a verb or noun that shows the speaker's gender.
 */
import { primarySubtag } from "./language/Tag.ts"

export interface FixedPhrases {
  /** The model failed. The agent apologises, so that the caller does not hear silence. */
  readonly apology: string
  /** The call is being connected to a human. */
  readonly transfer: string
  /** No human can be reached on the phone; one will call back. Ends the call. */
  readonly handoff: string
  /** The call has reached its maximum length. Ends the call. */
  readonly timeIsUp: string
  /** A provider is unavailable. Ends the call. */
  readonly technicalProblem: string
  /** The human did not answer and the call came back. */
  readonly humanUnavailable: string
  /** A person of the organization talks with the caller next, in the agent's place. */
  readonly personJoins: string
  /** That person has left, and the agent talks with the caller again. */
  readonly personLeft: string
  /** The caller waits for a human; position 1 is next. */
  readonly queue: (position: number) => string
  /** Outside business hours; the caller can leave a message. */
  readonly closed: string
}

interface Sentences extends Omit<FixedPhrases, "queue"> {
  /** `#` stands for the position. */
  readonly queue: string
  readonly fillers: ReadonlyArray<string>
  readonly listening: ReadonlyArray<string>
}

const english: Sentences = {
  apology: "I am sorry, I did not get that. Could you please say it again?",
  transfer: "I will connect you with a colleague now. Please hold.",
  handoff: "I have passed this on to a colleague, who will get back to you. Goodbye.",
  timeIsUp: "We have reached the maximum length of this call. Thank you for calling. Goodbye.",
  technicalProblem: "I am sorry, we have a technical problem. A colleague will get back to you. Goodbye.",
  humanUnavailable: "I am sorry, no colleague can take your call right now. How else can I help you?",
  personJoins: "A colleague is joining you now.",
  personLeft: "You are talking with the AI assistant again. How can I help you further?",
  queue: "All my colleagues are busy. You are number # in line. Please hold.",
  closed: "We are closed at the moment. Please leave a message after the tone, and a colleague will get back to you.",
  fillers: ["Let me see.", "One moment, please.", "Let me check that for you."],
  listening: ["Mm-hm.", "I see."]
}

/** By the first part of the BCP 47 tag. */
const sentences: Readonly<Record<string, Sentences>> = {
  en: english,
  hi: {
    apology: "माफ़ कीजिए, मुझे समझ नहीं आया। कृपया एक बार फिर से कहिए।",
    transfer: "आपकी बात अभी हमारे सहयोगी से करवाई जा रही है। कृपया लाइन पर बने रहिए।",
    handoff: "आपकी बात हमारे सहयोगी तक पहुँचा दी गई है। वे जल्द ही आपसे संपर्क करेंगे। नमस्ते।",
    timeIsUp: "इस कॉल का अधिकतम समय पूरा हो गया है। कॉल करने के लिए धन्यवाद। नमस्ते।",
    technicalProblem: "माफ़ कीजिए, एक तकनीकी समस्या आ गई है। हमारे सहयोगी जल्द ही आपसे संपर्क करेंगे। नमस्ते।",
    humanUnavailable: "माफ़ कीजिए, इस समय हमारे कोई सहयोगी आपसे बात नहीं कर पा रहे हैं। आपकी और किस तरह मदद की जा सकती है?",
    personJoins: "अब हमारे सहयोगी आपसे बात करेंगे।",
    personLeft: "अब आप फिर से एआई सहायक से बात कर रहे हैं। आपकी और किस तरह मदद की जा सकती है?",
    queue: "हमारे सभी सहयोगी अभी व्यस्त हैं। कतार में आपका नंबर # है। कृपया लाइन पर बने रहिए।",
    closed: "इस समय हमारा कार्यालय बंद है। कृपया टोन के बाद अपना संदेश छोड़ दीजिए, हमारे सहयोगी आपसे संपर्क करेंगे।",
    fillers: ["जी, अभी देखते हैं।", "कृपया एक क्षण रुकिए।", "एक मिनट दीजिए।"],
    listening: ["जी।", "हाँ जी।"]
  },
  ta: {
    apology: "மன்னிக்கவும், எனக்குப் புரியவில்லை. தயவுசெய்து மீண்டும் ஒரு முறை சொல்ல முடியுமா?",
    transfer: "உங்களை இப்போது எங்கள் சக ஊழியரிடம் இணைக்கிறேன். தயவுசெய்து காத்திருங்கள்.",
    handoff: "உங்கள் விவரத்தை எங்கள் சக ஊழியரிடம் தெரிவித்துவிட்டேன். அவர் விரைவில் உங்களைத் தொடர்புகொள்வார். வணக்கம்.",
    timeIsUp: "இந்த அழைப்பின் அதிகபட்ச நேரம் முடிந்துவிட்டது. அழைத்ததற்கு நன்றி. வணக்கம்.",
    technicalProblem: "மன்னிக்கவும், தொழில்நுட்பக் கோளாறு ஏற்பட்டுள்ளது. எங்கள் சக ஊழியர் விரைவில் உங்களைத் தொடர்புகொள்வார். வணக்கம்.",
    humanUnavailable: "மன்னிக்கவும், இப்போது எங்கள் ஊழியர் யாரும் உங்களிடம் பேச இயலவில்லை. வேறு எப்படி உங்களுக்கு உதவலாம்?",
    personJoins: "இப்போது எங்கள் சக ஊழியர் உங்களுடன் பேசுவார்.",
    personLeft: "நீங்கள் மீண்டும் ஏஐ உதவியாளருடன் பேசுகிறீர்கள். வேறு எப்படி உங்களுக்கு உதவலாம்?",
    queue: "எங்கள் ஊழியர்கள் அனைவரும் வேறு அழைப்புகளில் உள்ளனர். வரிசையில் உங்கள் எண் #. தயவுசெய்து காத்திருங்கள்.",
    closed:
      "எங்கள் அலுவலகம் இப்போது மூடப்பட்டுள்ளது. தயவுசெய்து ஒலிக்குப் பிறகு உங்கள் செய்தியைப் பதிவு செய்யுங்கள், எங்கள் சக ஊழியர் உங்களைத் தொடர்புகொள்வார்.",
    fillers: ["ஒரு நிமிடம், பார்க்கிறேன்.", "கொஞ்சம் காத்திருங்கள்.", "இதோ பார்த்துச் சொல்கிறேன்."],
    listening: ["ம்ம்.", "சரிங்க."]
  },
  te: {
    apology: "క్షమించండి, నాకు అర్థం కాలేదు. దయచేసి మళ్ళీ ఒకసారి చెప్పగలరా?",
    transfer: "మిమ్మల్ని ఇప్పుడు మా సహోద్యోగికి కలుపుతున్నాను. దయచేసి లైన్‌లో ఉండండి.",
    handoff: "మీ విషయం మా సహోద్యోగికి తెలియజేశాను. వారు త్వరలో మిమ్మల్ని సంప్రదిస్తారు. నమస్కారం.",
    timeIsUp: "ఈ కాల్ గరిష్ఠ సమయం ముగిసింది. కాల్ చేసినందుకు ధన్యవాదాలు. నమస్కారం.",
    technicalProblem: "క్షమించండి, సాంకేతిక సమస్య వచ్చింది. మా సహోద్యోగి త్వరలో మిమ్మల్ని సంప్రదిస్తారు. నమస్కారం.",
    humanUnavailable: "క్షమించండి, ప్రస్తుతం మా సహోద్యోగులు ఎవరూ మీతో మాట్లాడలేకపోతున్నారు. నేను మీకు ఇంకా ఎలా సహాయం చేయగలను?",
    personJoins: "ఇప్పుడు మా సహోద్యోగి మీతో మాట్లాడతారు.",
    personLeft: "మీరు మళ్ళీ ఏఐ అసిస్టెంట్‌తో మాట్లాడుతున్నారు. మీకు ఇంకా ఎలా సహాయం చేయగలను?",
    queue: "మా సహోద్యోగులందరూ ఇతర కాల్స్‌లో ఉన్నారు. వరుసలో మీ నంబర్ #. దయచేసి లైన్‌లో ఉండండి.",
    closed: "మా కార్యాలయం ప్రస్తుతం మూసి ఉంది. దయచేసి టోన్ తర్వాత మీ సందేశాన్ని వదలండి, మా సహోద్యోగి మిమ్మల్ని సంప్రదిస్తారు.",
    fillers: ["ఒక్క నిమిషం, చూస్తాను.", "దయచేసి కాస్త ఆగండి.", "చూసి చెప్తాను."],
    listening: ["ఆ.", "సరేనండి."]
  },
  bn: {
    apology: "দুঃখিত, আমি বুঝতে পারিনি। দয়া করে আর একবার বলবেন?",
    transfer: "আপনাকে এখন আমাদের সহকর্মীর সঙ্গে যুক্ত করছি। দয়া করে লাইনে থাকুন।",
    handoff: "আপনার কথা আমাদের সহকর্মীকে জানিয়ে দিয়েছি। তিনি শীঘ্রই আপনার সঙ্গে যোগাযোগ করবেন। নমস্কার।",
    timeIsUp: "এই কলের সর্বোচ্চ সময় শেষ হয়ে গেছে। কল করার জন্য ধন্যবাদ। নমস্কার।",
    technicalProblem: "দুঃখিত, একটি প্রযুক্তিগত সমস্যা হয়েছে। আমাদের সহকর্মী শীঘ্রই আপনার সঙ্গে যোগাযোগ করবেন। নমস্কার।",
    humanUnavailable: "দুঃখিত, এই মুহূর্তে আমাদের কোনো সহকর্মী আপনার সঙ্গে কথা বলতে পারছেন না। আর কীভাবে আপনাকে সাহায্য করতে পারি?",
    personJoins: "এখন আমাদের সহকর্মী আপনার সঙ্গে কথা বলবেন।",
    personLeft: "আপনি আবার এআই সহায়কের সঙ্গে কথা বলছেন। আর কীভাবে আপনাকে সাহায্য করতে পারি?",
    queue: "আমাদের সব সহকর্মী এখন ব্যস্ত। লাইনে আপনার নম্বর #। দয়া করে অপেক্ষা করুন।",
    closed: "আমাদের অফিস এই মুহূর্তে বন্ধ আছে। দয়া করে টোনের পরে আপনার বার্তা রাখুন, আমাদের সহকর্মী আপনার সঙ্গে যোগাযোগ করবেন।",
    fillers: ["একটু দেখছি।", "এক মিনিট, দয়া করে।", "একটু অপেক্ষা করুন।"],
    listening: ["হুম।", "আচ্ছা।"]
  },
  mr: {
    apology: "माफ करा, मला समजलं नाही. कृपया पुन्हा एकदा सांगाल का?",
    transfer: "तुम्हाला आता आमच्या सहकाऱ्यांशी जोडत आहे. कृपया लाइनवर राहा.",
    handoff: "तुमची विनंती आमच्या सहकाऱ्यांकडे पोहोचवली आहे. ते लवकरच तुमच्याशी संपर्क साधतील. नमस्कार.",
    timeIsUp: "या कॉलची कमाल वेळ संपली आहे. कॉल केल्याबद्दल धन्यवाद. नमस्कार.",
    technicalProblem: "माफ करा, तांत्रिक अडचण आली आहे. आमचे सहकारी लवकरच तुमच्याशी संपर्क साधतील. नमस्कार.",
    humanUnavailable: "माफ करा, आत्ता आमचे कोणीही सहकारी तुमच्याशी बोलू शकत नाहीत. तुम्हाला आणखी काय मदत हवी आहे?",
    personJoins: "आता आमचे सहकारी तुमच्याशी बोलतील.",
    personLeft: "तुम्ही पुन्हा एआय सहाय्यकाशी बोलत आहात. तुम्हाला आणखी काय मदत हवी आहे?",
    queue: "आमचे सर्व सहकारी सध्या व्यस्त आहेत. रांगेत तुमचा क्रमांक # आहे. कृपया लाइनवर राहा.",
    closed: "आमचे कार्यालय सध्या बंद आहे. कृपया टोननंतर तुमचा निरोप ठेवा, आमचे सहकारी तुमच्याशी संपर्क साधतील.",
    fillers: ["एक मिनिट, बघूया.", "कृपया एक क्षण थांबा.", "लगेच पाहूया."],
    listening: ["हं.", "हो."]
  },
  gu: {
    apology: "માફ કરશો, મને સમજાયું નહીં. કૃપા કરીને ફરી એકવાર કહેશો?",
    transfer: "હું તમને હમણાં અમારા સાથી સાથે જોડું છું. કૃપા કરીને લાઇન પર રહેશો.",
    handoff: "તમારી વાત અમારા સાથી સુધી પહોંચાડી દીધી છે. તેઓ જલ્દી તમારો સંપર્ક કરશે. આવજો.",
    timeIsUp: "આ કૉલનો મહત્તમ સમય પૂરો થયો છે. કૉલ કરવા બદલ આભાર. આવજો.",
    technicalProblem: "માફ કરશો, ટેકનિકલ સમસ્યા આવી છે. અમારા સાથી જલ્દી તમારો સંપર્ક કરશે. આવજો.",
    humanUnavailable: "માફ કરશો, અત્યારે અમારા કોઈ સાથી તમારી સાથે વાત કરી શકે તેમ નથી. હું તમને બીજી કઈ રીતે મદદ કરી શકું?",
    personJoins: "હવે અમારા સાથી તમારી સાથે વાત કરશે.",
    personLeft: "તમે ફરીથી એઆઈ સહાયક સાથે વાત કરી રહ્યા છો. બીજી કઈ રીતે મદદ કરી શકું?",
    queue: "અમારા બધા સાથીઓ અત્યારે વ્યસ્ત છે. લાઇનમાં તમારો નંબર # છે. કૃપા કરીને રાહ જોશો.",
    closed: "અમારી ઑફિસ અત્યારે બંધ છે. કૃપા કરીને ટોન પછી તમારો સંદેશ મૂકશો, અમારા સાથી તમારો સંપર્ક કરશે.",
    fillers: ["એક મિનિટ, જોઈ લઉં.", "કૃપા કરીને એક ક્ષણ થોભો.", "હમણાં જ જોઉં છું."],
    listening: ["હં.", "હા જી."]
  },
  pa: {
    apology: "ਮਾਫ਼ ਕਰਨਾ ਜੀ, ਮੈਨੂੰ ਸਮਝ ਨਹੀਂ ਆਈ। ਕਿਰਪਾ ਕਰਕੇ ਇੱਕ ਵਾਰ ਫਿਰ ਦੱਸੋ।",
    transfer: "ਤੁਹਾਡੀ ਗੱਲ ਹੁਣੇ ਸਾਡੇ ਸਾਥੀ ਨਾਲ ਕਰਵਾਈ ਜਾ ਰਹੀ ਹੈ। ਕਿਰਪਾ ਕਰਕੇ ਲਾਈਨ ਉੱਤੇ ਬਣੇ ਰਹੋ।",
    handoff: "ਤੁਹਾਡੀ ਗੱਲ ਸਾਡੇ ਸਾਥੀ ਤੱਕ ਪਹੁੰਚਾ ਦਿੱਤੀ ਗਈ ਹੈ। ਉਹ ਜਲਦੀ ਹੀ ਤੁਹਾਡੇ ਨਾਲ ਸੰਪਰਕ ਕਰਨਗੇ। ਧੰਨਵਾਦ ਜੀ।",
    timeIsUp: "ਇਸ ਕਾਲ ਦਾ ਵੱਧ ਤੋਂ ਵੱਧ ਸਮਾਂ ਪੂਰਾ ਹੋ ਗਿਆ ਹੈ। ਕਾਲ ਕਰਨ ਲਈ ਧੰਨਵਾਦ ਜੀ।",
    technicalProblem: "ਮਾਫ਼ ਕਰਨਾ ਜੀ, ਇੱਕ ਤਕਨੀਕੀ ਸਮੱਸਿਆ ਆ ਗਈ ਹੈ। ਸਾਡੇ ਸਾਥੀ ਜਲਦੀ ਹੀ ਤੁਹਾਡੇ ਨਾਲ ਸੰਪਰਕ ਕਰਨਗੇ। ਧੰਨਵਾਦ ਜੀ।",
    humanUnavailable: "ਮਾਫ਼ ਕਰਨਾ ਜੀ, ਇਸ ਵੇਲੇ ਸਾਡੇ ਕੋਈ ਸਾਥੀ ਤੁਹਾਡੇ ਨਾਲ ਗੱਲ ਨਹੀਂ ਕਰ ਸਕਦੇ। ਤੁਹਾਡੀ ਹੋਰ ਕਿਵੇਂ ਮਦਦ ਕੀਤੀ ਜਾ ਸਕਦੀ ਹੈ?",
    personJoins: "ਹੁਣ ਸਾਡੇ ਸਾਥੀ ਤੁਹਾਡੇ ਨਾਲ ਗੱਲ ਕਰਨਗੇ।",
    personLeft: "ਤੁਸੀਂ ਫਿਰ ਏਆਈ ਸਹਾਇਕ ਨਾਲ ਗੱਲ ਕਰ ਰਹੇ ਹੋ। ਤੁਹਾਡੀ ਹੋਰ ਕਿਵੇਂ ਮਦਦ ਕੀਤੀ ਜਾ ਸਕਦੀ ਹੈ?",
    queue: "ਸਾਡੇ ਸਾਰੇ ਸਾਥੀ ਇਸ ਵੇਲੇ ਰੁੱਝੇ ਹੋਏ ਹਨ। ਕਤਾਰ ਵਿੱਚ ਤੁਹਾਡਾ ਨੰਬਰ # ਹੈ। ਕਿਰਪਾ ਕਰਕੇ ਲਾਈਨ ਉੱਤੇ ਬਣੇ ਰਹੋ।",
    closed: "ਸਾਡਾ ਦਫ਼ਤਰ ਇਸ ਵੇਲੇ ਬੰਦ ਹੈ। ਕਿਰਪਾ ਕਰਕੇ ਟੋਨ ਤੋਂ ਬਾਅਦ ਆਪਣਾ ਸੁਨੇਹਾ ਛੱਡੋ, ਸਾਡੇ ਸਾਥੀ ਤੁਹਾਡੇ ਨਾਲ ਸੰਪਰਕ ਕਰਨਗੇ।",
    fillers: ["ਜੀ, ਹੁਣੇ ਦੇਖਦੇ ਹਾਂ।", "ਕਿਰਪਾ ਕਰਕੇ ਇੱਕ ਮਿੰਟ ਰੁਕੋ।", "ਇੱਕ ਮਿੰਟ ਜੀ।"],
    listening: ["ਜੀ।", "ਹਾਂ ਜੀ।"]
  },
  kn: {
    apology: "ಕ್ಷಮಿಸಿ, ನನಗೆ ಅರ್ಥವಾಗಲಿಲ್ಲ. ದಯವಿಟ್ಟು ಇನ್ನೊಮ್ಮೆ ಹೇಳುತ್ತೀರಾ?",
    transfer: "ನಿಮ್ಮನ್ನು ಈಗ ನಮ್ಮ ಸಹೋದ್ಯೋಗಿಗೆ ಸಂಪರ್ಕಿಸುತ್ತಿದ್ದೇನೆ. ದಯವಿಟ್ಟು ಲೈನ್‌ನಲ್ಲಿರಿ.",
    handoff: "ನಿಮ್ಮ ವಿಷಯವನ್ನು ನಮ್ಮ ಸಹೋದ್ಯೋಗಿಗೆ ತಿಳಿಸಿದ್ದೇನೆ. ಅವರು ಶೀಘ್ರದಲ್ಲೇ ನಿಮ್ಮನ್ನು ಸಂಪರ್ಕಿಸುತ್ತಾರೆ. ನಮಸ್ಕಾರ.",
    timeIsUp: "ಈ ಕರೆಯ ಗರಿಷ್ಠ ಸಮಯ ಮುಗಿದಿದೆ. ಕರೆ ಮಾಡಿದ್ದಕ್ಕೆ ಧನ್ಯವಾದಗಳು. ನಮಸ್ಕಾರ.",
    technicalProblem: "ಕ್ಷಮಿಸಿ, ತಾಂತ್ರಿಕ ಸಮಸ್ಯೆ ಉಂಟಾಗಿದೆ. ನಮ್ಮ ಸಹೋದ್ಯೋಗಿ ಶೀಘ್ರದಲ್ಲೇ ನಿಮ್ಮನ್ನು ಸಂಪರ್ಕಿಸುತ್ತಾರೆ. ನಮಸ್ಕಾರ.",
    humanUnavailable: "ಕ್ಷಮಿಸಿ, ಸದ್ಯಕ್ಕೆ ನಮ್ಮ ಯಾವ ಸಹೋದ್ಯೋಗಿಯೂ ನಿಮ್ಮೊಂದಿಗೆ ಮಾತನಾಡಲು ಲಭ್ಯವಿಲ್ಲ. ನಾನು ನಿಮಗೆ ಬೇರೆ ಹೇಗೆ ಸಹಾಯ ಮಾಡಲಿ?",
    personJoins: "ಈಗ ನಮ್ಮ ಸಹೋದ್ಯೋಗಿ ನಿಮ್ಮೊಂದಿಗೆ ಮಾತನಾಡುತ್ತಾರೆ.",
    personLeft: "ನೀವು ಮತ್ತೆ ಎಐ ಸಹಾಯಕದೊಂದಿಗೆ ಮಾತನಾಡುತ್ತಿದ್ದೀರಿ. ಇನ್ನೂ ಹೇಗೆ ಸಹಾಯ ಮಾಡಲಿ?",
    queue: "ನಮ್ಮ ಎಲ್ಲಾ ಸಹೋದ್ಯೋಗಿಗಳು ಬೇರೆ ಕರೆಗಳಲ್ಲಿದ್ದಾರೆ. ಸರದಿಯಲ್ಲಿ ನಿಮ್ಮ ಸಂಖ್ಯೆ #. ದಯವಿಟ್ಟು ಕಾಯಿರಿ.",
    closed: "ನಮ್ಮ ಕಚೇರಿ ಈಗ ಮುಚ್ಚಿದೆ. ದಯವಿಟ್ಟು ಟೋನ್ ನಂತರ ನಿಮ್ಮ ಸಂದೇಶವನ್ನು ಬಿಡಿ, ನಮ್ಮ ಸಹೋದ್ಯೋಗಿ ನಿಮ್ಮನ್ನು ಸಂಪರ್ಕಿಸುತ್ತಾರೆ.",
    fillers: ["ಒಂದು ನಿಮಿಷ, ನೋಡುತ್ತೇನೆ.", "ದಯವಿಟ್ಟು ಸ್ವಲ್ಪ ಕಾಯಿರಿ.", "ಈಗಲೇ ನೋಡಿ ಹೇಳುತ್ತೇನೆ."],
    listening: ["ಹೂಂ.", "ಸರಿ."]
  },
  ml: {
    apology: "ക്ഷമിക്കണം, എനിക്ക് മനസ്സിലായില്ല. ദയവായി ഒന്നുകൂടി പറയാമോ?",
    transfer: "നിങ്ങളെ ഇപ്പോൾ ഞങ്ങളുടെ ടീമിലെ ഒരാളുമായി ബന്ധിപ്പിക്കാം. ദയവായി ലൈനിൽ തുടരൂ.",
    handoff: "നിങ്ങളുടെ കാര്യം ഞങ്ങളുടെ ടീമിനെ അറിയിച്ചിട്ടുണ്ട്. അവർ ഉടൻ നിങ്ങളെ ബന്ധപ്പെടും. നമസ്കാരം.",
    timeIsUp: "ഈ കോളിന്റെ പരമാവധി സമയം കഴിഞ്ഞു. വിളിച്ചതിന് നന്ദി. നമസ്കാരം.",
    technicalProblem: "ക്ഷമിക്കണം, ഒരു സാങ്കേതിക പ്രശ്നം ഉണ്ടായി. ഞങ്ങളുടെ ടീമിലെ ഒരാൾ ഉടൻ നിങ്ങളെ ബന്ധപ്പെടും. നമസ്കാരം.",
    humanUnavailable:
      "ക്ഷമിക്കണം, ഇപ്പോൾ ഞങ്ങളുടെ ടീമിലെ ആർക്കും നിങ്ങളുടെ കോൾ എടുക്കാൻ കഴിയുന്നില്ല. മറ്റെങ്ങനെയാണ് ഞാൻ നിങ്ങളെ സഹായിക്കേണ്ടത്?",
    personJoins: "ഇനി ഞങ്ങളുടെ ടീമിലെ ഒരാൾ നിങ്ങളോട് സംസാരിക്കും.",
    personLeft: "നിങ്ങൾ വീണ്ടും എഐ സഹായിയോടാണ് സംസാരിക്കുന്നത്. മറ്റെങ്ങനെയാണ് സഹായിക്കേണ്ടത്?",
    queue: "ഞങ്ങളുടെ ടീമിലെ എല്ലാവരും തിരക്കിലാണ്. ക്യൂവിൽ നിങ്ങളുടെ നമ്പർ # ആണ്. ദയവായി കാത്തിരിക്കൂ.",
    closed:
      "ഞങ്ങളുടെ ഓഫീസ് ഇപ്പോൾ അടച്ചിരിക്കുകയാണ്. ദയവായി ടോണിന് ശേഷം നിങ്ങളുടെ സന്ദേശം രേഖപ്പെടുത്തൂ, ഞങ്ങളുടെ ടീമിലെ ഒരാൾ നിങ്ങളെ ബന്ധപ്പെടും.",
    fillers: ["ഒരു നിമിഷം, നോക്കട്ടെ.", "ദയവായി അൽപ്പം കാത്തിരിക്കൂ.", "ഇപ്പോൾ നോക്കി പറയാം."],
    listening: ["ഉം.", "ശരി."]
  },
  od: {
    apology: "କ୍ଷମା କରିବେ, ମୁଁ ବୁଝିପାରିଲି ନାହିଁ। ଦୟାକରି ଆଉ ଥରେ କହିବେ କି?",
    transfer: "ଆପଣଙ୍କୁ ଏବେ ଆମ ସହକର୍ମୀଙ୍କ ସହ ଯୋଡୁଛି। ଦୟାକରି ଲାଇନରେ ରୁହନ୍ତୁ।",
    handoff: "ଆପଣଙ୍କ କଥା ଆମ ସହକର୍ମୀଙ୍କୁ ଜଣାଇ ଦିଆଯାଇଛି। ସେ ଶୀଘ୍ର ଆପଣଙ୍କ ସହ ଯୋଗାଯୋଗ କରିବେ। ନମସ୍କାର।",
    timeIsUp: "ଏହି କଲର ସର୍ବାଧିକ ସମୟ ଶେଷ ହୋଇଛି। କଲ କରିଥିବାରୁ ଧନ୍ୟବାଦ। ନମସ୍କାର।",
    technicalProblem: "କ୍ଷମା କରିବେ, ଗୋଟିଏ ବୈଷୟିକ ସମସ୍ୟା ହୋଇଛି। ଆମ ସହକର୍ମୀ ଶୀଘ୍ର ଆପଣଙ୍କ ସହ ଯୋଗାଯୋଗ କରିବେ। ନମସ୍କାର।",
    humanUnavailable: "କ୍ଷମା କରିବେ, ବର୍ତ୍ତମାନ ଆମର କୌଣସି ସହକର୍ମୀ ଆପଣଙ୍କ ସହ କଥା ହୋଇପାରୁ ନାହାନ୍ତି। ମୁଁ ଆପଣଙ୍କୁ ଆଉ କିପରି ସାହାଯ୍ୟ କରିପାରିବି?",
    personJoins: "ଏବେ ଆମ ସହକର୍ମୀ ଆପଣଙ୍କ ସହ କଥା ହେବେ।",
    personLeft: "ଆପଣ ପୁଣି ଏଆଇ ସହାୟକ ସହ କଥା ହେଉଛନ୍ତି। ଆଉ କିପରି ସାହାଯ୍ୟ କରିପାରିବି?",
    queue: "ଆମର ସମସ୍ତ ସହକର୍ମୀ ଏବେ ବ୍ୟସ୍ତ ଅଛନ୍ତି। ଧାଡ଼ିରେ ଆପଣଙ୍କ ନମ୍ବର #। ଦୟାକରି ଅପେକ୍ଷା କରନ୍ତୁ।",
    closed: "ଆମ କାର୍ଯ୍ୟାଳୟ ଏବେ ବନ୍ଦ ଅଛି। ଦୟାକରି ଟୋନ ପରେ ଆପଣଙ୍କ ବାର୍ତ୍ତା ଛାଡ଼ନ୍ତୁ, ଆମ ସହକର୍ମୀ ଆପଣଙ୍କ ସହ ଯୋଗାଯୋଗ କରିବେ।",
    fillers: ["ଗୋଟିଏ ମିନିଟ, ଦେଖୁଛି।", "ଦୟାକରି ଟିକେ ଅପେକ୍ଷା କରନ୍ତୁ।", "ଏବେ ଦେଖି କହୁଛି।"],
    listening: ["ହଁ।", "ଆଜ୍ଞା।"]
  }
}

const byLanguage: ReadonlyMap<string, Sentences> = new Map(Object.entries(sentences))

const sentencesOf = (language: string): Sentences => byLanguage.get(primarySubtag(language)) ?? english

/** The sentences for a BCP 47 tag such as `hi-IN`; in English for a language without sentences of its own. */
export const fixedPhrases = (language: string): FixedPhrases => {
  const { queue, fillers: _, listening: __, ...rest } = sentencesOf(language)
  return { ...rest, queue: (position) => queue.replace("#", String(position)) }
}

/** Fillers for a slow tool or model (`use_fillers`). They are whole sentences, because some voices spell out an "umm". */
export const fillers = (language: string): ReadonlyArray<string> => sentencesOf(language).fillers

/** Listening sounds while the caller speaks for long (`backchanneling`). */
export const listeningSounds = (language: string): ReadonlyArray<string> => sentencesOf(language).listening
