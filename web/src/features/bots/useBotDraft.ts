/** The draft of a text agent: what was changed and not saved. A save sends only what differs, so two people who change different settings keep both. */
import type { TextAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { say } from "../../lib/toasts.ts"
import { type BotSettings, changedIn, changesOf, settingsOf } from "./draft.ts"

export const useBotDraft = (agent: TextAgent) => {
  const client = useQueryClient()
  const [changes, setChanges] = useState<Partial<BotSettings>>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const before = settingsOf(agent)
  const draft: BotSettings = { ...before, ...changes }
  const changed = changedIn(before, draft)

  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const saved = await parley.textAgents.update(agent.id, changesOf(before, draft))
      client.setQueryData(keys.textAgent(saved.id), saved)
      void client.invalidateQueries({ queryKey: keys.textAgents })
      void client.invalidateQueries({ queryKey: keys.people })
      setChanges({})
      say(t("Saved. It applies from the next answer on."))
    } catch (cause) {
      setProblem(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }

  return {
    draft,
    changed,
    problem,
    busy,
    set: (next: Partial<BotSettings>) => {
      setProblem(undefined)
      setChanges((now) => ({ ...now, ...next }))
    },
    undo: () => {
      setProblem(undefined)
      setChanges({})
    },
    save: () => {
      if (!busy && changed.length > 0) void send()
    }
  }
}
