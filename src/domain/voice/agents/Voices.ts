/** The voices that a customer may choose, as data. To add a voice, add a row. */
import type { VoiceFamily } from "../../ai/providers/Speech.ts"
import { type PrimaryLanguage, primaryLanguages } from "./VoiceAgent.ts"

export interface Voice {
  /** The provider's name of the voice, and the value of `voiceId`. */
  readonly id: string
  readonly family: VoiceFamily
  readonly name: string
  readonly gender: "female" | "male"
  /** Only where the provider names one. */
  readonly accent?: "American" | "British" | "Australian" | "Filipino"
  /** BCP 47 tags of the languages that the voice speaks, as the provider names them. */
  readonly languages: ReadonlyArray<string>
}

export const families: ReadonlyArray<{ readonly id: VoiceFamily; readonly name: string }> = [
  { id: "indic", name: "Indic" },
  { id: "english", name: "English" },
  { id: "premium", name: "Premium multilingual" }
]

export const languageNames: Readonly<Record<PrimaryLanguage, string>> = {
  "hi-IN": "Hindi",
  "ta-IN": "Tamil",
  "te-IN": "Telugu",
  "bn-IN": "Bengali",
  "mr-IN": "Marathi",
  "gu-IN": "Gujarati",
  "pa-IN": "Punjabi",
  "kn-IN": "Kannada",
  "ml-IN": "Malayalam",
  "od-IN": "Odia",
  "en-US": "English (US)",
  "en-GB": "English (UK)",
  "en-AU": "English (Australia)"
}

/** Both Indian providers know English only as `en-IN`. */
export const indianTag = (language: string): string => (language.startsWith("en-") ? "en-IN" : language)

/** The provider's tag for a primary language spoken by a voice of this family. */
export const spokenTag = (family: VoiceFamily, language: PrimaryLanguage): string =>
  family === "indic" ? indianTag(language) : language

/** Every Indic voice speaks all of these. */
const indicLanguages: ReadonlyArray<string> = [
  ...primaryLanguages.filter((language) => language.endsWith("-IN")),
  "en-IN"
]

/** The languages of `eleven_flash_v2_5` that an agent can have as its primary one. */
const premiumLanguages: ReadonlyArray<string> = ["hi-IN", "ta-IN", "en-US", "en-GB", "en-AU"]

const title = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const indic = (gender: Voice["gender"], names: string): ReadonlyArray<Voice> =>
  names.split(" ").map((id) => ({ id, family: "indic", name: title(id), gender, languages: indicLanguages }))

/** A voice keeps its own accent; the text may be any variety of English. */
const english = (accent: NonNullable<Voice["accent"]>, gender: Voice["gender"], names: string): ReadonlyArray<Voice> =>
  names.split(" ").map((name) => ({
    id: `aura-2-${name}-en`,
    family: "english",
    name: title(name),
    gender,
    accent,
    languages: ["en-US", "en-GB", "en-AU"]
  }))

const premium = (id: string, name: string, gender: Voice["gender"], accent: NonNullable<Voice["accent"]>): Voice => ({
  id,
  family: "premium",
  name,
  gender,
  accent,
  languages: premiumLanguages
})

export const voices: ReadonlyArray<Voice> = [
  ...indic("female", "anushka manisha vidya arya"),
  ...indic("male", "abhilash karun hitesh"),
  ...english("British", "male", "draco"),
  ...english("British", "female", "pandora"),
  ...english("Australian", "male", "hyperion"),
  ...english("Australian", "female", "theia"),
  ...english("Filipino", "female", "amalthea"),
  ...english(
    "American",
    "female",
    "andromeda asteria athena aurora callista cora cordelia delia electra harmonia helena hera iris janus juno luna minerva ophelia phoebe selene thalia vesta"
  ),
  ...english(
    "American",
    "male",
    "apollo arcas aries atlas hermes jupiter mars neptune odysseus orion orpheus pluto saturn zeus"
  ),
  premium("21m00Tcm4TlvDq8ikWAM", "Rachel", "female", "American"),
  premium("EXAVITQu4vr4xnSDxMaL", "Sarah", "female", "American"),
  premium("nPczCjzI2devNBz1zQrb", "Brian", "male", "American"),
  premium("JBFqnCBsd6RMkjVDRZzb", "George", "male", "British"),
  premium("XB0fDUnXU5powFXDhCwa", "Charlotte", "female", "British")
]

const byId: ReadonlyMap<string, Voice> = new Map(voices.map((voice) => [`${voice.family}/${voice.id}`, voice]))

/** The voice with this id in this family, or `undefined`. */
export const findVoice = (family: VoiceFamily, id: string): Voice | undefined => byId.get(`${family}/${id}`)

/** The family suggested for a primary language. */
export const suggestedFamily = (language: PrimaryLanguage): VoiceFamily =>
  language.startsWith("en-") ? "english" : "indic"

/** Whether an agent with this voice can have this primary language. */
export const speaks = (voice: Voice, language: PrimaryLanguage): boolean =>
  voice.languages.includes(spokenTag(voice.family, language))

/**
 * The voice that replaces one whose family may not be used. It belongs to the family suggested for the language. It has the same gender and
 * accent if such a voice exists, otherwise the same gender if possible.
 */
export const standIn = (family: VoiceFamily, id: string, language: PrimaryLanguage): Voice => {
  const wanted = findVoice(family, id)
  const candidates = voices.filter((voice) => voice.family === suggestedFamily(language) && speaks(voice, language))
  const sameGender = candidates.filter(({ gender }) => gender === wanted?.gender)
  return sameGender.find(({ accent }) => accent === wanted?.accent) ?? sameGender[0] ?? candidates[0]
}
