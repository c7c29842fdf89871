/** Voice agents and the voices that they can have, as the browser holds them. */
import type { VoiceCatalogue, VoiceCatalogueVoice } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { firstOf } from "../../lib/firstOf.ts"
import type { Settings } from "./draft.ts"

/** An organization has at most some hundreds. */
export const useAgentList = () =>
  useQuery({
    queryKey: keys.voiceAgents,
    queryFn: ({ signal }) => firstOf(parley.voiceAgents.list({ limit: 100 }, { signal }))
  })

export const useCatalogue = () =>
  useQuery({
    queryKey: keys.voiceCatalogue,
    queryFn: ({ signal }) => parley.voices.list({}, { signal })
  })

export const voiceOf = (
  catalogue: VoiceCatalogue | undefined,
  { voiceFamily, voiceId }: Pick<Settings, "voiceFamily" | "voiceId">
): VoiceCatalogueVoice | undefined =>
  catalogue?.voices.find(({ family, id }) => family === voiceFamily && id === voiceId)

const accentOf: Readonly<Record<string, string>> = { "en-US": "American", "en-GB": "British", "en-AU": "Australian" }

/** The voices that speak a language: those of the family that it suggests first, and among them those with its accent. */
export const voicesFor = (
  catalogue: VoiceCatalogue,
  language: Settings["primaryLanguage"]
): ReadonlyArray<VoiceCatalogueVoice> => {
  const suggested = catalogue.languages.find(({ tag }) => tag === language)?.suggestedFamily
  return catalogue.voices
    .filter(({ languages }) => languages.includes(language))
    .toSorted(
      (a, b) =>
        Number(b.family === suggested) - Number(a.family === suggested) ||
        Number(b.accent === accentOf[language]) - Number(a.accent === accentOf[language])
    )
}

/** Why the organization may not use a voice; undefined when it may. */
export const lockOf = (catalogue: VoiceCatalogue, { family }: VoiceCatalogueVoice): string | undefined =>
  catalogue.families.find(({ id, available }) => id === family && !available)?.reason ?? undefined
