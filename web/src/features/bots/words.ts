/** What the settings of a text agent are called on the page, and in which section they are. */
import { message, t } from "../../lib/i18n.ts"
import type { BotSetting, BotSettings } from "./draft.ts"

const names: Readonly<Record<BotSetting, string>> = {
  name: message("Name"),
  description: message("Description"),
  voiceAgentId: message("Prompt of a voice agent"),
  systemPrompt: message("Prompt"),
  language: message("Language"),
  disclosureText: message("Disclosure"),
  answers: message("Which conversations it takes"),
  channels: message("Channels"),
  limits: message("Limits"),
  tools: message("Tools"),
  knowledgeBases: message("Knowledge"),
  escalationPhrases: message("Words for it"),
  handOverLine: message("What it says when it hands over"),
  outsideHoursLine: message("Outside business hours"),
  fallbackLine: message("Fallback sentence")
}
export const botSettingName = (name: BotSetting): string => t(names[name])

export const botSections = ["basics", "answering", "tools", "knowledge", "handover", "versions"] as const
export type BotSection = (typeof botSections)[number]

const sectionNames: Readonly<Record<BotSection, string>> = {
  basics: message("Basics"),
  answering: message("Answering"),
  tools: message("Tools"),
  knowledge: message("Knowledge"),
  handover: message("Handing over"),
  versions: message("Versions")
}
export const botSectionName = (section: BotSection): string => t(sectionNames[section])

/** Where a setting is changed. */
export const botSectionOf = (name: BotSetting): BotSection => {
  switch (name) {
    case "tools":
      return "tools"
    case "knowledgeBases":
      return "knowledge"
    case "answers":
    case "channels":
    case "limits":
      return "answering"
    case "escalationPhrases":
    case "handOverLine":
    case "outsideHoursLine":
    case "fallbackLine":
      return "handover"
    default:
      return "basics"
  }
}

const taking: Readonly<Record<BotSettings["answers"], string>> = {
  always: message("Every conversation"),
  outside_hours: message("Every conversation outside business hours"),
  when_unassigned: message("Conversations that nobody has"),
  never: message("Only conversations that are assigned to it")
}
export const answersText = (answers: BotSettings["answers"]): string => t(taking[answers])
export const answersChoices = (): ReadonlyArray<readonly [BotSettings["answers"], string]> =>
  (["when_unassigned", "outside_hours", "always", "never"] as const).map((one) => [one, answersText(one)])
