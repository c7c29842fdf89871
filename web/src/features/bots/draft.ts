/** What is being changed of a text agent. Pure; `test/web/bots.test.ts`. */
import type { TextAgent, TextAgentChanges } from "@parley/client"

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

/** The settings of a record, without what the service makes of them. */
export const settingsOf = ({
  id: _,
  organizationId: __,
  createdAt: ___,
  updatedAt: ____,
  ...settings
}: TextAgent): BotSettings => settings

export const changedIn = (before: BotSettings, after: BotSettings): ReadonlyArray<BotSetting> =>
  botSettings.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

/** What a save, a try or a run sends: only what differs. */
export const changesOf = (before: BotSettings, after: BotSettings): TextAgentChanges =>
  Object.fromEntries(changedIn(before, after).map((name) => [name, after[name]]))

/** The setting that a sentence of the service is about: it begins with its name. */
export const settingOf = (sentence: string | undefined): BotSetting | undefined => {
  const word = /^\w+/.exec(sentence ?? "")?.[0]
  return botSettings.find((name) => name === word)
}
