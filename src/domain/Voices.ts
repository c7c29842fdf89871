/** The voices a customer may choose, as data. Adding a voice is adding a row. */

import type { PrimaryLanguage, VoiceAgentSettings } from "./VoiceAgent.ts"
import { primaryLanguages } from "./VoiceAgent.ts"

export type VoiceFamilyName = VoiceAgentSettings["voiceFamily"]

export interface Voice {
  /** The provider's name of the voice; what `voiceId` holds. */
  readonly id: string
  readonly family: VoiceFamilyName
  readonly name: string
  readonly gender: "female" | "male"
  /** Only where the provider names one. */
  readonly accent?: "American" | "British" | "Australian" | "Filipino"
  /** BCP 47 tags this voice speaks. */
  readonly languages: ReadonlyArray<string>
}

/** Every Indic voice speaks every one of these. */
export const indicLanguages: ReadonlyArray<string> = [
  ...primaryLanguages.filter((language) => language.endsWith("-IN")),
  "en-IN"
]

/** The languages of `eleven_flash_v2_5` that an agent can have as its primary one. */
const premiumLanguages: ReadonlyArray<string> = ["hi-IN", "ta-IN", "en-US", "en-GB", "en-AU"]

const title = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const indic = (gender: Voice["gender"], names: string): ReadonlyArray<Voice> =>
  names.split(" ").map((id) => ({ id, family: "indic", name: title(id), gender, languages: indicLanguages }))

/** The accent is the voice's own; the text may be any English. */
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

/** The voice of that id in that family; `undefined` when the family has none such. */
export const findVoice = (family: VoiceFamilyName, id: string): Voice | undefined => byId.get(`${family}/${id}`)

/** The family a primary language suggests. */
export const suggestedFamily = (language: PrimaryLanguage): VoiceFamilyName =>
  language.startsWith("en-") ? "english" : "indic"
