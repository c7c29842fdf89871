/** The draft of an agent: what differs from the record, how it is saved, and what happens when somebody else saved it meanwhile. */
import { AnswerError, type VoiceAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { readDraft, writeDraft } from "../../lib/storage.ts"
import { say } from "../../lib/toasts.ts"
import { changedIn, changesOf, readKept, type Settings, settingsOf, withoutSecrets } from "./draft.ts"

export interface Met {
  readonly sentence: string
  readonly theirs: VoiceAgent
}

/** `agent`: as it is known to be saved now. */
export const useDraft = (agent: VoiceAgent) => {
  const client = useQueryClient()
  const name = `agent.${agent.id}`
  /** The record that the draft began with. */
  const [base, setBase] = useState(agent)
  const [draft, setDraft] = useState<Settings>(() => readKept(readDraft(name), agent) ?? settingsOf(agent))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [met, setMet] = useState<Met>()
  const before = useMemo(() => settingsOf(base), [base])
  const changed = useMemo(() => changedIn(before, draft), [before, draft])
  const isDirty = changed.length > 0

  const begin = (record: VoiceAgent, settings = settingsOf(record)) => {
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

  const send = async (record: VoiceAgent, settings: Settings) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const saved = await parley.voiceAgents.update(record.id, changesOf(settingsOf(record), settings), {
        headers: { "if-match": `"${record.updatedAt}"` }
      })
      client.setQueryData(keys.voiceAgent(saved.id), saved)
      void client.invalidateQueries({ queryKey: keys.voiceAgents })
      void client.invalidateQueries({ queryKey: keys.voiceAgentVersions(saved.id) })
      begin(saved)
      say(t("Saved. Calls have it from now on."))
    } catch (cause) {
      const sentence = sentenceOf(cause)
      if (cause instanceof AnswerError && cause.status === 409) {
        // A name that is taken is 409 too: only another record means that somebody else saved.
        const theirs = await parley.voiceAgents.get(record.id).catch(() => undefined)
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
