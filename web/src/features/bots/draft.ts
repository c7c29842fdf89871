/** What is being changed of a text agent. Pure; `test/web/bots.test.ts`. */
import type { TextAgent } from "@parley/client"
import { settingRules } from "../../lib/settingRules.ts"

export type BotSettings = Omit<TextAgent, "id" | "organizationId" | "createdAt" | "updatedAt">
export type BotSetting = keyof BotSettings

/** All settings, in the order of the form. */
export const botSettings: ReadonlyArray<BotSetting> = [
  "name",
  "description",
  "voiceAgentId",
  "systemPrompt",
  "language",
  "disclosureText",
  "answers",
  "channels",
  "limits",
  "tools",
  "knowledgeBases",
  "escalationPhrases",
  "handOverLine",
  "outsideHoursLine",
  "fallbackLine"
]

export const botRules = settingRules<BotSettings>(botSettings)

/** The settings of a record, without what the service makes of them. */
export const settingsOf = (agent: BotSettings): BotSettings =>
  Object.fromEntries(botSettings.map((name) => [name, agent[name]])) as unknown as BotSettings
