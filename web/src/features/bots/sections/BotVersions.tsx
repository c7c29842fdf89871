/** The versions of the text agent. */
import { useQueryClient } from "@tanstack/react-query"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useSession } from "../../../api/session.tsx"
import { can } from "../../../lib/can.ts"
import { VersionList } from "../../agents/VersionList.tsx"
import { botRules, settingsOf } from "../draft.ts"
import { useBotForm } from "../form.ts"
import { botSettingName } from "../words.ts"

export const BotVersions = () => {
  const { agent, changed } = useBotForm()
  const client = useQueryClient()
  const queryKey = keys.textAgentVersions(agent.id)
  return (
    <VersionList
      rules={botRules}
      nameOf={botSettingName}
      now={settingsOf(agent)}
      isDirty={changed.size > 0}
      mayRestore={can(useSession(), "agents:write")}
      queryKey={queryKey}
      list={(page, signal) => parley.textAgents.versions(agent.id, page, { signal }).then(({ data }) => data)}
      read={(version, signal) =>
        parley.textAgents.version(agent.id, version, { signal }).then(({ settings }) => settingsOf(settings))
      }
      restore={async (version) => {
        client.setQueryData(keys.textAgent(agent.id), await parley.textAgents.restore(agent.id, version))
        void client.invalidateQueries({ queryKey })
        void client.invalidateQueries({ queryKey: keys.textAgents })
        void client.invalidateQueries({ queryKey: keys.people })
      }}
    />
  )
}
