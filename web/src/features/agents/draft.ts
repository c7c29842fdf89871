/** What is being changed of a voice agent. Pure; `test/web/agents.test.ts`. */
import type { VoiceAgent, VoiceAgentVersionDetailSettings, VoiceCatalogueVoice } from "@parley/client"

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

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const changedIn = (before: Settings, after: Settings): ReadonlyArray<SettingName> =>
  settingNames.filter((name) => !same(before[name], after[name]))

/** What a save or a test call sends: only what differs. */
export const changesOf = (before: Settings, after: Settings): Partial<Settings> =>
  Object.fromEntries(changedIn(before, after).map((name) => [name, after[name]]))

/** The setting that a sentence of the service is about: it begins with its name. */
export const settingOf = (sentence: string | undefined): SettingName | undefined => {
  const word = /^\w+/.exec(sentence ?? "")?.[0]
  return settingNames.find((name) => name === word)
}

/** Two people have changed one agent: what only one of them changed is clear; `both` has to be decided. */
export interface Meeting {
  readonly both: ReadonlyArray<SettingName>
  readonly onlyTheirs: ReadonlyArray<SettingName>
  readonly onlyMine: ReadonlyArray<SettingName>
}

export const meetingOf = (before: Settings, theirs: Settings, mine: Settings): Meeting => {
  const [they, me] = [changedIn(before, theirs), changedIn(before, mine)]
  const both = me.filter((name) => they.includes(name) && !same(theirs[name], mine[name]))
  return {
    both,
    onlyTheirs: they.filter((name) => !me.includes(name)),
    onlyMine: me.filter((name) => !they.includes(name))
  }
}

/** Theirs, with mine where only I changed something, and where `mineOf` names it. */
export const merged = (
  before: Settings,
  theirs: Settings,
  mine: Settings,
  mineOf: ReadonlySet<SettingName>
): Settings => {
  const { both, onlyMine } = meetingOf(before, theirs, mine)
  const taken = [...onlyMine, ...both.filter((name) => mineOf.has(name))]
  return { ...theirs, ...Object.fromEntries(taken.map((name) => [name, mine[name]])) }
}

/** Why a voice does not give a feature; undefined when it does, or is not known. */
export const without = (voice: VoiceCatalogueVoice | undefined, feature: Feature): string | undefined =>
  voice?.unsupported.find((one) => one.feature === feature)?.reason

const isMasked = (value: string) => value.startsWith("********")

/** Settings as a browser may keep them: a value of a header that was typed in is a secret, and is left out. */
export const withoutSecrets = (settings: Settings): Settings => ({
  ...settings,
  tools: settings.tools.map((tool) => {
    if (tool.handler?.type !== "http" || tool.handler.headers === undefined) return tool
    const kept = Object.entries(tool.handler.headers).filter(([, value]) => isMasked(value))
    return { ...tool, handler: { ...tool.handler, headers: Object.fromEntries(kept) } }
  })
})

/** The draft that a browser kept of this record; undefined when there is none, or it is of another save. */
export const readKept = (text: string, agent: Pick<VoiceAgent, "updatedAt">): Settings | undefined => {
  if (text === "") return undefined
  try {
    const { readAt, settings } = JSON.parse(text) as { readonly readAt?: unknown; readonly settings?: Settings }
    return readAt === agent.updatedAt && settings !== undefined && settingNames.every((name) => name in settings)
      ? settingsOf(settings)
      : undefined
  } catch {
    // Somebody else wrote it: it is no draft of ours.
    return undefined
  }
}

/** A setting as text, to compare it. */
export const asText = (value: Settings[SettingName]): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")
