/**
 * Which optional features a voice can give. A feature asked for and not given becomes an `Override`, never a silent change. Where the
 * reasons come from is written in `docs/decisions.md`.
 */
import type { VoiceFamily } from "../../ai/providers/Speech.ts"
import type { Override } from "./VoiceAgent.ts"

export const features = ["backchanneling", "use_fillers", "ambient_noise"] as const
export type Feature = (typeof features)[number]
export type Features = Readonly<Record<Feature, boolean>>

/** Absent: the feature works. A sentence: it does not, and why. */
export type Limits = { readonly [F in Feature]?: string }

export interface CompatibilityTable {
  readonly families: Readonly<Record<VoiceFamily, Limits>>
  /** Added to the family's limits, by voice id. */
  readonly voices: Readonly<Record<string, Limits>>
}

export const compatibility: CompatibilityTable = {
  families: {
    indic: {
      use_fillers:
        'The Indic model bulbul:v2 reads hesitations such as "um" and "hmm" out as words; its provider supports them only from bulbul:v3 on.'
    },
    english: {
      backchanneling:
        'The English voices know no listening sounds such as "mm-hm": of sounds that are not words their provider supports "um" and "uh", with which a speaker asks for the turn.'
    },
    premium: {
      ambient_noise:
        "The loudness of the premium voices changes from clause to clause, and their provider has no setting for it: a steady background would cover some clauses and be lost under others."
    }
  },
  voices: {}
}

/** A voice's own limits come over those of its family. */
export const limitsOf = (
  voice: { readonly family: VoiceFamily; readonly id: string },
  table: CompatibilityTable = compatibility
): Limits => ({ ...table.families[voice.family], ...table.voices[voice.id] })

/** What of the requested features the voice gives, and an override for each one it cannot. */
export const resolveFeatures = (
  requested: Features,
  voice: { readonly family: VoiceFamily; readonly id: string },
  table: CompatibilityTable = compatibility
): { readonly effective: Features; readonly overrides: ReadonlyArray<Override> } => {
  const limits = limitsOf(voice, table)
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
