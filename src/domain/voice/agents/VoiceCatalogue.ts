/** The choices for a voice agent: families, languages and voices, and the features that each voice does not support. */
import { Schema } from "effect"
import { VoiceFamily } from "../../ai/providers/Speech.ts"
import { type Organization, premiumRefusal } from "../../people/organizations/Organization.ts"
import { features, limitsOf } from "./Compatibility.ts"
import { PrimaryLanguage } from "./VoiceAgent.ts"
import { families, languageNames, speaks, suggestedFamily, voices } from "./Voices.ts"

const Feature = Schema.Literals(features)

export const VoiceCatalogue = Schema.Struct({
  families: Schema.Array(
    Schema.Struct({
      id: VoiceFamily,
      name: Schema.String,
      available: Schema.Boolean,
      /** Why this organization may not use it; null when it may. */
      reason: Schema.NullOr(Schema.String)
    })
  ),
  languages: Schema.Array(
    Schema.Struct({
      tag: PrimaryLanguage,
      name: Schema.String,
      suggestedFamily: VoiceFamily,
      /** Families with a voice that speaks the language. */
      families: Schema.Array(VoiceFamily)
    })
  ),
  voices: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      family: VoiceFamily,
      name: Schema.String,
      gender: Schema.Literals(["female", "male"]),
      accent: Schema.NullOr(Schema.String),
      /** Primary languages that an agent with this voice can have. */
      languages: Schema.Array(PrimaryLanguage),
      features: Schema.Array(Feature),
      /** Features that are switched off when an agent with this voice requests them. */
      unsupported: Schema.Array(Schema.Struct({ feature: Feature, reason: Schema.String }))
    })
  )
}).annotate({
  title: "VoiceCatalogue",
  examples: [
    {
      families: [{ id: "english", name: "English", available: true, reason: null }],
      languages: [{ tag: "en-US", name: "English (US)", suggestedFamily: "english", families: ["english", "premium"] }],
      voices: [
        {
          id: "aura-2-thalia-en",
          family: "english",
          name: "Thalia",
          gender: "female",
          accent: "American",
          languages: ["en-US", "en-GB", "en-AU"],
          features: ["use_fillers"],
          unsupported: [{ feature: "ambient_noise", reason: "Voices of the English family have no ambient noise." }]
        }
      ]
    }
  ]
})
export type VoiceCatalogue = typeof VoiceCatalogue.Type

const refusalOf = (family: VoiceFamily, organization: Pick<Organization, "flags">) =>
  family === "premium" ? premiumRefusal(organization) : undefined

/** The catalogue for an organization. With `language`, only the voices that speak it are included. */
export const voiceCatalogue = (
  organization: Pick<Organization, "flags">,
  language?: PrimaryLanguage
): VoiceCatalogue => ({
  families: families.map(({ id, name }) => {
    const refusal = refusalOf(id, organization)
    return { id, name, available: refusal === undefined, reason: refusal ?? null }
  }),
  languages: PrimaryLanguage.literals.map((tag) => ({
    tag,
    name: languageNames[tag],
    suggestedFamily: suggestedFamily(tag),
    families: families
      .map(({ id }) => id)
      .filter((id) => voices.some((voice) => voice.family === id && speaks(voice, tag)))
  })),
  voices: voices
    .filter((voice) => language === undefined || speaks(voice, language))
    .map((voice) => {
      const limits = limitsOf(voice)
      return {
        id: voice.id,
        family: voice.family,
        name: voice.name,
        gender: voice.gender,
        accent: voice.accent ?? null,
        languages: PrimaryLanguage.literals.filter((tag) => speaks(voice, tag)),
        features: features.filter((feature) => limits[feature] === undefined),
        unsupported: features.flatMap((feature) => {
          const reason = limits[feature]
          return reason === undefined ? [] : [{ feature, reason }]
        })
      }
    })
})
