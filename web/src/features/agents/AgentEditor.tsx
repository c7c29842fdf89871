/** One voice agent: its sections, what is not saved, and the test call beside them. */
import type { VoiceAgent } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { useTitle } from "../../components/Page.tsx"
import { SaveBar } from "../../components/SaveBar.tsx"
import { NoRecord, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { TestPanel } from "../testcall/TestPanel.tsx"
import { AgentHead } from "./AgentHead.tsx"
import { Differences } from "./Compare.tsx"
import { Conflict } from "./Conflict.tsx"
import { agentRules, settingsOf } from "./draft.ts"
import { FormProvider } from "./form.ts"
import { LeaveGuard } from "./LeaveGuard.tsx"
import { RemoveAgent } from "./RemoveAgent.tsx"
import { SectionLinks } from "./SectionLinks.tsx"
import { Basics } from "./sections/Basics.tsx"
import { CallSettings } from "./sections/CallSettings.tsx"
import { DisclosureText } from "./sections/DisclosureText.tsx"
import { HandOver } from "./sections/HandOver.tsx"
import { KnowledgeChoice } from "./sections/KnowledgeChoice.tsx"
import { Tools } from "./sections/Tools.tsx"
import { Turns } from "./sections/Turns.tsx"
import { Versions } from "./sections/Versions.tsx"
import { Voice } from "./sections/Voice.tsx"
import { useDraft } from "./useDraft.ts"
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
  const session = useSession()
  const mayWrite = can(session, "voice:write")
  const form = useDraft(agent)
  const { draft, before, changed, problem } = form
  const [opened, setOpened] = useState<"compare" | "remove">()
  const [testing, setTesting] = useState(false)
  useTitle(draft.name)
  useKeys({ "Mod+s": () => void form.save() })
  const Body = bodies[section]
  const asked = agentRules.settingOf(problem)
  return (
    <FormProvider
      value={{
        agent: form.base,
        draft,
        set: form.set,
        changed: new Set(changed),
        problemOf: (name) => (asked === name ? problem : undefined)
      }}
    >
      <AgentHead
        agent={agent}
        name={draft.name}
        mayWrite={mayWrite}
        testing={testing}
        onRemove={() => setOpened("remove")}
        onTest={() => setTesting(!testing)}
      />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div className="flex min-h-0 flex-1 flex-col md:flex-row">
            <SectionLinks id={agent.id} tools={draft.tools} changed={changed} />
            <section
              key={section}
              aria-label={sectionName(section)}
              className="scroll-thin min-h-0 flex-1 overflow-y-auto px-4 py-4"
            >
              <fieldset
                // A version may be looked at by who may not change anything.
                disabled={!mayWrite && section !== "versions"}
                className="mx-auto flex max-w-[720px] flex-col gap-3"
              >
                {!mayWrite && <p className="text-ink-3">{t("You may look, but not change.")}</p>}
                <Body />
              </fieldset>
            </section>
          </div>
          <SaveBar
            names={changed.map(settingName)}
            problem={problem}
            busy={form.busy}
            onUndo={form.undo}
            onCompare={() => setOpened("compare")}
            onSave={form.save}
          />
        </div>
        {testing && (
          <TestPanel
            agentId={agent.id}
            agentName={draft.name}
            changes={agentRules.changesOf(before, draft)}
            onClose={() => setTesting(false)}
          />
        )}
      </div>
      {opened === "compare" && (
        <Dialog title={t("What you have changed")} onClose={() => setOpened(undefined)}>
          <Differences rules={agentRules} nameOf={settingName} before={before} after={draft} />
        </Dialog>
      )}
      {opened === "remove" && <RemoveAgent agent={agent} onClose={() => setOpened(undefined)} />}
      {form.met !== undefined && (
        <Conflict
          rules={agentRules}
          nameOf={settingName}
          sentence={form.met.sentence}
          before={before}
          theirs={settingsOf(form.met.theirs)}
          mine={draft}
          onClose={form.leaveOpen}
          onChosen={form.settle}
        />
      )}
      <LeaveGuard stays={`/agents/${agent.id}`} dirty={form.isDirty} kept onForget={form.undo}>
        {t("Calls go on with what is saved.")}
      </LeaveGuard>
    </FormProvider>
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
