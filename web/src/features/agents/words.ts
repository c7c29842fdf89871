/** What the settings of an agent are called on the page, and in which section they are. */
import { message, t } from "../../lib/i18n.ts"
import type { SettingName } from "./draft.ts"

const names: Readonly<Record<SettingName, string>> = {
  name: message("Name"),
  description: message("Description"),
  welcomeMessage: message("Welcome message"),
  systemPrompt: message("Prompt"),
  primaryLanguage: message("Language"),
  voiceFamily: message("Family of voices"),
  voiceId: message("Voice"),
  backchanneling: message("Listening sounds"),
  use_fillers: message("Fillers"),
  ambient_noise: message("Quiet office"),
  endpointing: message("End of the caller’s turn"),
  interruption: message("Interruptions"),
  silence: message("Silence"),
  tools: message("Tools"),
  knowledgeBases: message("Knowledge"),
  humanDestination: message("Human"),
  escalationPhrases: message("Words for it"),
  fallbackLine: message("Fallback sentence"),
  recording: message("Recording"),
  maxCallSeconds: message("Longest call"),
  voicemail: message("Voicemail"),
  callFields: message("Facts to find")
}
export const settingName = (name: SettingName): string => t(names[name])

export const sections = [
  "basics",
  "voice",
  "turns",
  "tools",
  "knowledge",
  "handover",
  "calls",
  "disclosure",
  "versions"
] as const
export type Section = (typeof sections)[number]

const sectionNames: Readonly<Record<Section, string>> = {
  basics: message("Basics"),
  voice: message("Voice"),
  turns: message("Turn-taking"),
  tools: message("Tools"),
  knowledge: message("Knowledge"),
  handover: message("Handing over"),
  calls: message("Calls"),
  disclosure: message("Disclosure"),
  versions: message("Versions")
}
export const sectionName = (section: Section): string => t(sectionNames[section])

/** Where a setting is changed. */
export const sectionOf = (name: SettingName): Section => {
  switch (name) {
    case "name":
    case "description":
    case "welcomeMessage":
    case "systemPrompt":
      return "basics"
    case "primaryLanguage":
    case "voiceFamily":
    case "voiceId":
    case "backchanneling":
    case "use_fillers":
    case "ambient_noise":
      return "voice"
    case "endpointing":
    case "interruption":
    case "silence":
      return "turns"
    case "tools":
      return "tools"
    case "knowledgeBases":
      return "knowledge"
    case "humanDestination":
    case "escalationPhrases":
    case "fallbackLine":
      return "handover"
    default:
      return "calls"
  }
}
