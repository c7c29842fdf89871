/** Which optional features a voice can give. A feature asked for and not given becomes an `Override`, never a silent change. */
import type { Override } from "./VoiceAgent.ts"
import type { VoiceFamilyName } from "./Voices.ts"

export const features = ["backchanneling", "use_fillers", "ambient_noise"] as const
export type Feature = (typeof features)[number]
export type Features = Readonly<Record<Feature, boolean>>

/** Absent: the feature works. A sentence: it does not, and why. */
type Limits = { readonly [F in Feature]?: string }

export interface CompatibilityTable {
  readonly families: Readonly<Record<VoiceFamilyName, Limits>>
  /** Added to the family's limits, by voice id. */
  readonly voices: Readonly<Record<string, Limits>>
}

export const compatibility: CompatibilityTable = {
  families: {
    indic: {
      use_fillers: 'The Indic voices read fillers such as "umm" out as words.'
    },
    english: {
      backchanneling:
        "The English provider synthesizes at most 20 separate utterances a minute, too few for listening sounds."
    },
    premium: {
      ambient_noise: "The premium provider's voices carry their own room sound, which a second background would mask."
    }
  },
  voices: {}
}

/** What of the requested features the voice gives, and an override for each one it cannot. */
export const resolveFeatures = (
  requested: Features,
  voice: { readonly family: VoiceFamilyName; readonly id: string },
  table: CompatibilityTable = compatibility
): { readonly effective: Features; readonly overrides: ReadonlyArray<Override> } => {
  const limits: Limits = { ...table.families[voice.family], ...table.voices[voice.id] }
  const overrides = features.flatMap((feature): ReadonlyArray<Override> => {
    const reason = limits[feature]
    return requested[feature] && reason !== undefined ? [{ feature, requested: true, effective: false, reason }] : []
  })
  const off = new Set(overrides.map((override) => override.feature))
  const given = (feature: Feature) => requested[feature] && !off.has(feature)
  return {
    effective: {
      backchanneling: given("backchanneling"),
      use_fillers: given("use_fillers"),
      ambient_noise: given("ambient_noise")
    },
    overrides
  }
}
