/** The draft of a text agent. */
import type { TextAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { type DraftKind, useSettingDraft } from "../agents/useSettingDraft.ts"
import { type BotSettings, botRules, settingsOf } from "./draft.ts"

export const botKind: DraftKind<TextAgent, BotSettings> = {
  rules: botRules,
  settingsOf,
  read: (id) => parley.textAgents.get(id),
  update: (id, changes, options) => parley.textAgents.update(id, changes, options)
}

/** `agent`: as it is known to be saved now. */
export const useBotDraft = (agent: TextAgent) => {
  const client = useQueryClient()
  return useSettingDraft(botKind, agent, (saved) => {
    client.setQueryData(keys.textAgent(saved.id), saved)
    void client.invalidateQueries({ queryKey: keys.textAgents })
    void client.invalidateQueries({ queryKey: keys.textAgentVersions(saved.id) })
    void client.invalidateQueries({ queryKey: keys.people })
    say(t("Saved. It applies from the next answer on."))
  })
}
