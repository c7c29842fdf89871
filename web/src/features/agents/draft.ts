/** What is being changed of a voice agent. Pure; `test/web/agents.test.ts`. */
import type { VoiceAgentVersionDetailSettings, VoiceCatalogueVoice } from "@parley/client"
import { settingRules } from "../../lib/settingRules.ts"

export type Settings = VoiceAgentVersionDetailSettings
export type SettingName = keyof Settings
export type Tool = Settings["tools"][number]
export type Feature = "backchanneling" | "use_fillers" | "ambient_noise"

/** All settings, in the order of the form. */
export const settingNames: ReadonlyArray<SettingName> = [
  "name",
  "description",
  "welcomeMessage",
  "systemPrompt",
  "primaryLanguage",
  "voiceFamily",
  "voiceId",
  "backchanneling",
  "use_fillers",
  "ambient_noise",
  "endpointing",
  "interruption",
  "silence",
  "tools",
  "knowledgeBases",
  "humanDestination",
  "escalationPhrases",
  "fallbackLine",
  "recording",
  "maxCallSeconds",
  "voicemail",
  "callFields"
]

/** The settings of a record, without what the service makes of them. */
export const settingsOf = (agent: Settings): Settings =>
  Object.fromEntries(settingNames.map((name) => [name, agent[name]])) as unknown as Settings

export const agentRules = settingRules<Settings>(settingNames)

/** Why a voice does not give a feature; undefined when it does, or is not known. */
export const without = (voice: VoiceCatalogueVoice | undefined, feature: Feature): string | undefined =>
  voice?.unsupported.find((one) => one.feature === feature)?.reason

const isMasked = (value: string) => value.startsWith("********")

/** Settings as a browser may keep them: a value of a header that was typed in is a secret, and is left out. */
export const withoutSecrets = <Kept extends Pick<Settings, "tools">>(settings: Kept): Kept => ({
  ...settings,
  tools: settings.tools.map((tool) => {
    if (tool.handler?.type !== "http" || tool.handler.headers === undefined) return tool
    const kept = Object.entries(tool.handler.headers).filter(([, value]) => isMasked(value))
    return { ...tool, handler: { ...tool.handler, headers: Object.fromEntries(kept) } }
  })
})
