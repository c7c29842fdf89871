/** The draft of a voice agent. */
import type { VoiceAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { agentRules, type Settings, settingsOf } from "./draft.ts"
import { type DraftKind, useSettingDraft } from "./useSettingDraft.ts"

export const agentKind: DraftKind<VoiceAgent, Settings> = {
  rules: agentRules,
  settingsOf,
  read: (id) => parley.voiceAgents.get(id),
  update: (id, changes, options) => parley.voiceAgents.update(id, changes, options)
}

/** `agent`: as it is known to be saved now. */
export const useDraft = (agent: VoiceAgent) => {
  const client = useQueryClient()
  return useSettingDraft(agentKind, agent, (saved) => {
    client.setQueryData(keys.voiceAgent(saved.id), saved)
    void client.invalidateQueries({ queryKey: keys.voiceAgents })
    void client.invalidateQueries({ queryKey: keys.voiceAgentVersions(saved.id) })
    say(t("Saved. Calls have it from now on."))
  })
}
