/**
 * Models and voices from before the stack was locked (24 April 2026). Agents of that time still speak with them; no agent can be given one
 * anew. What one is called at the provider today can be set like every name (`TEXT_TO_SPEECH_MODELS`, `TEXT_TO_SPEECH_VOICES`).
 */
import type { VoiceFamily } from "./Speech.ts"

const bulbulV1 = "meera pavithra maitreyi arvind amol amartya diya neel misha vian arjun maya".split(" ")
const aura1 = "asteria luna stella athena hera orion arcas perseus angus orpheus helios zeus"
  .split(" ")
  .map((name) => `aura-${name}-en`)

/** Whether a model of that time has this voice. */
export const isEarlierVoice = (family: VoiceFamily, model: string, voiceId: string): boolean => {
  switch (family) {
    case "indic":
      return model === "bulbul:v1" && bulbulV1.includes(voiceId)
    case "english":
      return model === voiceId && aura1.includes(voiceId)
    case "premium":
      return false
  }
}
