/**
 * The draft of an agent: what differs from the record, how it is saved, and what happens when somebody else saved it meanwhile. Voice agents and text
 * agents have it.
 */
import { AnswerError } from "@parley/client"
import { useEffect, useMemo, useRef, useState } from "react"
import { sentenceOf } from "../../lib/sentence.ts"
import type { SettingRules } from "../../lib/settingRules.ts"
import { readDraft, writeDraft } from "../../lib/storage.ts"
import { type Settings as VoiceSettings, withoutSecrets } from "./draft.ts"

export interface Saved {
  readonly id: string
  readonly updatedAt: string
}

/** The settings of an agent. */
export type TitledSettings = Pick<VoiceSettings, "name" | "tools">

/** How one kind of agent is read and saved. */
export interface DraftKind<Agent extends Saved, Settings> {
  readonly rules: SettingRules<Settings>
  readonly settingsOf: (agent: Agent) => Settings
  readonly read: (id: string) => Promise<Agent>
  readonly update: (
    id: string,
    changes: Partial<Settings>,
    options: { readonly headers: { readonly "if-match": string } }
  ) => Promise<Agent>
}

/** `agent`: as it is known to be saved now. `onSaved`: puts the saved record where the page reads it. */
export const useSettingDraft = <Agent extends Saved, Settings extends TitledSettings>(
  { rules, settingsOf, read, update }: DraftKind<Agent, Settings>,
  agent: Agent,
  onSaved: (agent: Agent) => void
) => {
  const name = `agent.${agent.id}`
  /** The record that the draft began with. */
  const [base, setBase] = useState(agent)
  const [draft, setDraft] = useState<Settings>(() => rules.readKept(readDraft(name), agent) ?? settingsOf(agent))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [met, setMet] = useState<{ readonly sentence: string; readonly theirs: Agent }>()
  const before = useMemo(() => settingsOf(base), [base, settingsOf])
  const changed = useMemo(() => rules.changedIn(before, draft), [rules, before, draft])
  const isDirty = changed.length > 0

  const begin = (record: Agent, settings = settingsOf(record)) => {
    setBase(record)
    setDraft(settings)
    setProblem(undefined)
  }
  // Somebody else saved it. Who has changed nothing sees theirs at once; else the save will say so.
  const adopt = useRef(begin)
  adopt.current = (record) => {
    if (!isDirty && record.updatedAt !== base.updatedAt) begin(record)
  }
  useEffect(() => adopt.current(agent), [agent])

  useEffect(() => {
    writeDraft(name, isDirty ? JSON.stringify({ readAt: base.updatedAt, settings: withoutSecrets(draft) }) : "")
  }, [name, isDirty, base, draft])

  const send = async (record: Agent, settings: Settings) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const saved = await update(record.id, rules.changesOf(settingsOf(record), settings), {
        headers: { "if-match": `"${record.updatedAt}"` }
      })
      onSaved(saved)
      begin(saved)
    } catch (cause) {
      const sentence = sentenceOf(cause)
      if (cause instanceof AnswerError && cause.status === 409) {
        // A name that is taken is 409 too: only another record means that somebody else saved.
        const theirs = await read(record.id).catch(() => undefined)
        if (theirs !== undefined && theirs.updatedAt !== record.updatedAt) return setMet({ sentence, theirs })
      }
      setProblem(sentence)
    } finally {
      setBusy(false)
    }
  }

  return {
    base,
    before,
    draft,
    changed,
    isDirty,
    problem,
    busy,
    met,
    set: (changes: Partial<Settings>) => {
      setProblem(undefined)
      setDraft((now) => ({ ...now, ...changes }))
    },
    undo: () => {
      writeDraft(name, "")
      begin(agent)
    },
    save: () => (busy || !isDirty ? undefined : void send(base, draft)),
    /** Goes on with what was chosen of theirs and mine. */
    settle: (settings: Settings) => {
      if (met === undefined) return
      setMet(undefined)
      begin(met.theirs, settings)
      void send(met.theirs, settings)
    },
    leaveOpen: () => setMet(undefined)
  }
}

export type SettingDraft<Agent extends Saved, Settings extends TitledSettings> = ReturnType<
  typeof useSettingDraft<Agent, Settings>
>
