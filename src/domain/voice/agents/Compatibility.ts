/**
 * Which optional features a voice supports. A feature that is requested but not supported becomes an `Override`, never a silent change.
 * `docs/decisions.md` says where the reasons come from.
 */
import type { VoiceFamily } from "../../ai/providers/Speech.ts"
import type { Override } from "./VoiceAgent.ts"

export const features = ["backchanneling", "use_fillers", "ambient_noise"] as const
export type Feature = (typeof features)[number]
export type Features = Readonly<Record<Feature, boolean>>

/** A missing entry means that the feature works. A sentence says why it does not. */
export type Limits = { readonly [F in Feature]?: string }

export interface CompatibilityTable {
  readonly families: Readonly<Record<VoiceFamily, Limits>>
  /** Limits of single voices, by voice id; added to those of the family. */
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

/** The limits of a voice: its own override those of its family. */
export const limitsOf = (
  voice: { readonly family: VoiceFamily; readonly id: string },
  table: CompatibilityTable = compatibility
): Limits => ({ ...table.families[voice.family], ...table.voices[voice.id] })

/** The requested features that the voice supports, and an override for each one that it does not. */
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
