/** One voice agent: its sections, what is not saved, and the test call beside them. */
import type { VoiceAgent } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { NoRecord, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { TestPanel } from "../testcall/TestPanel.tsx"
import { AgentHead } from "./AgentHead.tsx"
import { FormProvider } from "./form.ts"
import { RemoveAgent } from "./RemoveAgent.tsx"
import { SectionLinks } from "./SectionLinks.tsx"
import { SettingEditor } from "./SettingEditor.tsx"
import { Basics } from "./sections/Basics.tsx"
import { CallSettings } from "./sections/CallSettings.tsx"
import { DisclosureText } from "./sections/DisclosureText.tsx"
import { HandOver } from "./sections/HandOver.tsx"
import { KnowledgeChoice } from "./sections/KnowledgeChoice.tsx"
import { Tools } from "./sections/Tools.tsx"
import { Turns } from "./sections/Turns.tsx"
import { Versions } from "./sections/Versions.tsx"
import { Voice } from "./sections/Voice.tsx"
import { agentKind, useDraft } from "./useDraft.ts"
import { type Section, sectionName, settingName } from "./words.ts"

const bodies: Readonly<Record<Section, () => React.ReactNode>> = {
  basics: Basics,
  voice: Voice,
  turns: Turns,
  tools: Tools,
  knowledge: KnowledgeChoice,
  handover: HandOver,
  calls: CallSettings,
  disclosure: DisclosureText,
  versions: Versions
}

const Opened = ({ agent, section }: { readonly agent: VoiceAgent; readonly section: Section }) => {
  const mayWrite = can(useSession(), "voice:write")
  const form = useDraft(agent)
  const { draft, changed } = form
  const Body = bodies[section]
  return (
    <SettingEditor
      of={agentKind}
      nameOf={settingName}
      form={form}
      provider={FormProvider}
      section={{ id: section, name: sectionName(section) }}
      mayWrite={mayWrite}
      address={`/agents/${agent.id}`}
      goesOn={t("Calls go on with what is saved.")}
      head={({ trying, onTry, onRemove }) => (
        <AgentHead
          agent={agent}
          name={draft.name}
          mayWrite={mayWrite}
          testing={trying}
          onRemove={onRemove}
          onTest={onTry}
        />
      )}
      links={<SectionLinks id={agent.id} tools={draft.tools} changed={changed} />}
      panel={(changes, onClose) => (
        <TestPanel agentId={agent.id} agentName={draft.name} changes={changes} onClose={onClose} />
      )}
      removal={(onClose) => <RemoveAgent agent={agent} onClose={onClose} />}
    >
      <Body />
    </SettingEditor>
  )
}

export const AgentEditor = ({ id, section }: { readonly id: string; readonly section: Section }) => {
  const { data, error, refetch } = useQuery({
    queryKey: keys.voiceAgent(id),
    queryFn: ({ signal }) => parley.voiceAgents.get(id, { signal })
  })
  if (error !== null && data === undefined)
    return (
      <NoRecord
        error={error}
        again={() => void refetch()}
        title={t("This agent does not exist.")}
        to="/agents"
        list={t("To the agents")}
      >
        {t("It may have been deleted, or belong to another organization.")}
      </NoRecord>
    )
  return data === undefined ? <Skeleton className="m-6 h-10 w-64" /> : <Opened agent={data} section={section} />
}
