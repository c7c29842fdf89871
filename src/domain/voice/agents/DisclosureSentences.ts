/**
 * The disclosure in the languages of agents. An organization that has not chosen words of its own has the English default, which callers of an agent
 * with another language would not understand.
 *
 * The voice may be a woman's or a man's, so no sentence has a verb or noun that shows the speaker's gender.
 */
import { defaultDisclosureText, type Organization } from "../../people/organizations/Organization.ts"
import type { PrimaryLanguage } from "./VoiceAgent.ts"

/** What the default says, in each language. */
export const disclosureSentences: Readonly<Record<PrimaryLanguage, string>> = {
  "hi-IN": "नमस्ते। इस कॉल पर आपकी बात एक एआई सहायक से हो सकती है।",
  "ta-IN": "வணக்கம். இந்த அழைப்பில் நீங்கள் ஒரு ஏஐ உதவியாளருடன் பேசக்கூடும்.",
  "te-IN": "నమస్కారం. ఈ కాల్‌లో మీరు ఏఐ అసిస్టెంట్‌తో మాట్లాడుతూ ఉండవచ్చు.",
  "bn-IN": "নমস্কার। এই কলে আপনি হয়তো একটি এআই সহকারীর সঙ্গে কথা বলছেন।",
  "mr-IN": "नमस्कार. या कॉलवर तुमचं बोलणं एका एआय सहाय्यकाशी होऊ शकतं.",
  "gu-IN": "નમસ્તે. આ કૉલ પર તમારી વાત એક એઆઈ સહાયક સાથે થઈ શકે છે.",
  "pa-IN": "ਸਤਿ ਸ੍ਰੀ ਅਕਾਲ ਜੀ। ਇਸ ਕਾਲ ਉੱਤੇ ਤੁਹਾਡੀ ਗੱਲ ਇੱਕ ਏਆਈ ਸਹਾਇਕ ਨਾਲ ਹੋ ਸਕਦੀ ਹੈ।",
  "kn-IN": "ನಮಸ್ಕಾರ. ಈ ಕರೆಯಲ್ಲಿ ನೀವು ಎಐ ಸಹಾಯಕರೊಂದಿಗೆ ಮಾತನಾಡುತ್ತಿರಬಹುದು.",
  "ml-IN": "നമസ്കാരം. ഈ കോളിൽ നിങ്ങൾ സംസാരിക്കുന്നത് ഒരു എഐ അസിസ്റ്റന്റിനോട് ആയിരിക്കാം.",
  "od-IN": "ନମସ୍କାର। ଏହି କଲରେ ଆପଣ ହୁଏତ ଜଣେ ଏଆଇ ସହାୟକଙ୍କ ସହ କଥା ହେଉଛନ୍ତି।",
  "en-US": defaultDisclosureText,
  "en-GB": defaultDisclosureText,
  "en-AU": defaultDisclosureText
}

/**
 * What a caller of an agent with this language hears first: the organization's own words in the language, its words for all languages, or else the default
 * in the language.
 */
export const disclosureIn = (
  { disclosureText, disclosureTexts }: Pick<Organization, "disclosureText" | "disclosureTexts">,
  language: PrimaryLanguage
) =>
  disclosureTexts[language] ??
  (disclosureText === defaultDisclosureText ? disclosureSentences[language] : disclosureText)
