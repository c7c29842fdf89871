/** The versions of the voice agent. */
import { useQueryClient } from "@tanstack/react-query"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useSession } from "../../../api/session.tsx"
import { can } from "../../../lib/can.ts"
import { agentRules, settingsOf } from "../draft.ts"
import { useForm } from "../form.ts"
import { VersionList } from "../VersionList.tsx"
import { settingName } from "../words.ts"

export const Versions = () => {
  const { agent, changed } = useForm()
  const client = useQueryClient()
  const queryKey = keys.voiceAgentVersions(agent.id)
  return (
    <VersionList
      rules={agentRules}
      nameOf={settingName}
      now={settingsOf(agent)}
      isDirty={changed.size > 0}
      mayRestore={can(useSession(), "voice:write")}
      queryKey={queryKey}
      list={(page, signal) => parley.voiceAgents.versions(agent.id, page, { signal }).then(({ data }) => data)}
      read={(version, signal) =>
        parley.voiceAgents.version(agent.id, version, { signal }).then(({ settings }) => settingsOf(settings))
      }
      restore={async (version) => {
        client.setQueryData(keys.voiceAgent(agent.id), await parley.voiceAgents.restore(agent.id, version))
        void client.invalidateQueries({ queryKey })
      }}
    />
  )
}
