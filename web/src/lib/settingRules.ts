/**
 * What a form of settings knows of them: what differs, what a save sends, and what becomes of two people's changes. Voice agents and text agents have
 * one each. Pure; `test/web/agents.test.ts`.
 */

/** Two people have changed one record: what only one of them changed is clear; `both` has to be decided. */
export interface Meeting<Name> {
  readonly both: ReadonlyArray<Name>
  readonly onlyTheirs: ReadonlyArray<Name>
  readonly onlyMine: ReadonlyArray<Name>
}

export interface SettingRules<Settings> {
  readonly changedIn: (before: Settings, after: Settings) => ReadonlyArray<keyof Settings>
  /** What a save or a try sends: only what differs. */
  readonly changesOf: (before: Settings, after: Settings) => Partial<Settings>
  /** The setting that a sentence of the service is about: it begins with its name. */
  readonly settingOf: (sentence: string | undefined) => keyof Settings | undefined
  readonly meetingOf: (before: Settings, theirs: Settings, mine: Settings) => Meeting<keyof Settings>
  /** Theirs, with mine where only I changed something, and where `mineOf` names it. */
  readonly merged: (before: Settings, theirs: Settings, mine: Settings, mineOf: ReadonlySet<keyof Settings>) => Settings
  /** The draft that a browser kept of the record that was saved at `updatedAt`; undefined when there is none, or it is of another save. */
  readonly readKept: (text: string, record: { readonly updatedAt: string }) => Settings | undefined
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** `names`: all settings, in the order of the form. */
export const settingRules = <Settings extends object>(names: ReadonlyArray<keyof Settings>): SettingRules<Settings> => {
  const picked = (from: Settings, chosen: ReadonlyArray<keyof Settings>) =>
    Object.fromEntries(chosen.map((name) => [name, from[name]])) as unknown as Partial<Settings>

  const changedIn: SettingRules<Settings>["changedIn"] = (before, after) =>
    names.filter((name) => !same(before[name], after[name]))

  const meetingOf: SettingRules<Settings>["meetingOf"] = (before, theirs, mine) => {
    const [they, me] = [changedIn(before, theirs), changedIn(before, mine)]
    return {
      both: me.filter((name) => they.includes(name) && !same(theirs[name], mine[name])),
      onlyTheirs: they.filter((name) => !me.includes(name)),
      onlyMine: me.filter((name) => !they.includes(name))
    }
  }

  return {
    changedIn,
    changesOf: (before, after) => picked(after, changedIn(before, after)),
    settingOf: (sentence) => {
      const word = /^\w+/.exec(sentence ?? "")?.[0]
      return names.find((name) => name === word)
    },
    meetingOf,
    merged: (before, theirs, mine, mineOf) => {
      const { both, onlyMine } = meetingOf(before, theirs, mine)
      return { ...theirs, ...picked(mine, [...onlyMine, ...both.filter((name) => mineOf.has(name))]) }
    },
    readKept: (text, record) => {
      if (text === "") return undefined
      try {
        const { readAt, settings } = JSON.parse(text) as { readonly readAt?: unknown; readonly settings?: Settings }
        if (readAt !== record.updatedAt || settings === undefined || !names.every((name) => name in settings))
          return undefined
        return picked(settings, names) as Settings
      } catch {
        // Somebody else wrote it: it is no draft of ours.
        return undefined
      }
    }
  }
}

/** A setting as text, to compare it. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")
