/**
 * Models and voices from before the stack was locked (24 April 2026). Agents from that time still use them; no other agent can get one. As for every
 * model and voice, the provider's current name can be set (`TEXT_TO_SPEECH_MODELS`, `TEXT_TO_SPEECH_VOICES`).
 */
import type { VoiceFamily } from "./Speech.ts"

const bulbulV1 = "meera pavithra maitreyi arvind amol amartya diya neel misha vian arjun maya".split(" ")
const aura1 = "asteria luna stella athena hera orion arcas perseus angus orpheus helios zeus"
  .split(" ")
  .map((name) => `aura-${name}-en`)

/** Whether an earlier model has this voice. */
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
