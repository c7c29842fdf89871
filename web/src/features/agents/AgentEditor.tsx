/** One voice agent: its sections, what is not saved, and the test call beside them. */
import { AnswerError, type VoiceAgent } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { ArrowLeft, Check, Mic, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Icon } from "../../components/Icon.tsx"
import { useTitle } from "../../components/Page.tsx"
import { SaveBar } from "../../components/SaveBar.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { ago, phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { useNow } from "../../lib/time.ts"
import { say } from "../../lib/toasts.ts"
import { TestPanel } from "../testcall/TestPanel.tsx"
import { Differences } from "./Compare.tsx"
import { Conflict } from "./Conflict.tsx"
import { changesOf, settingOf } from "./draft.ts"
import { FormProvider } from "./form.ts"
import { LeaveGuard } from "./LeaveGuard.tsx"
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
import { type Section, sectionName, sectionOf, sections, settingName } from "./words.ts"

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

const Remove = ({ agent, onClose }: { readonly agent: VoiceAgent; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await parley.voiceAgents.remove(agent.id)
      client.removeQueries({ queryKey: keys.voiceAgent(agent.id) })
      void client.invalidateQueries({ queryKey: keys.voiceAgents })
      onClose()
      await navigate({ to: "/agents", ignoreBlocker: true })
      say(t("{name} is deleted.", { name: agent.name }))
    } catch (cause) {
      setProblem(sentenceOf(cause))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t("Delete {name}?", { name: agent.name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("Keep it")}</Button>
          <Button tone="danger" disabled={busy} onClick={() => void remove()}>
            {t("Delete agent")}
          </Button>
        </>
      }
    >
      <p>
        {agent.phoneNumber === null
          ? t("Its calls stay in the records. This cannot be undone.")
          : t(
              "Its number {number} stays with you, but nobody answers it then. Its calls stay in the records. This cannot be undone.",
              {
                number: phone(agent.phoneNumber)
              }
            )}
      </p>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

const Opened = ({ agent, section }: { readonly agent: VoiceAgent; readonly section: Section }) => {
  const session = useSession()
  const mayWrite = can(session, "voice:write")
  const form = useDraft(agent)
  const { draft, before, changed, problem } = form
  const [opened, setOpened] = useState<"compare" | "remove">()
  const [testing, setTesting] = useState(false)
  const now = useNow()
  useTitle(draft.name)
  useKeys({ "Mod+s": () => void form.save() })
  const Body = bodies[section]
  const asked = settingOf(problem)
  const changedHere = (one: Section) => changed.filter((name) => sectionOf(name) === one).length
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
      <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1.5 md:px-5">
        <Link to="/agents" aria-label={t("Back to the list")} className={buttonClass({ tone: "quiet", square: true })}>
          <Icon of={ArrowLeft} />
        </Link>
        <h1 className="min-w-0 truncate text-title font-semibold tracking-tight" dir="auto">
          {draft.name}
        </h1>
        {agent.phoneNumber === null ? (
          <Chip>{t("no number")}</Chip>
        ) : (
          <Chip tone="good" icon={Check}>
            {t("answers {number}", { number: phone(agent.phoneNumber) })}
          </Chip>
        )}
        <span className="text-ink-3 max-md:hidden">{t("saved: {when}", { when: ago(agent.updatedAt, now) })}</span>
        <span className="flex-1" />
        {mayWrite && (
          <>
            <Button
              tone="quiet"
              icon={Trash2}
              label={t("Delete {name}", { name: agent.name })}
              onClick={() => setOpened("remove")}
            />
            <Button icon={Mic} aria-pressed={testing} onClick={() => setTesting(!testing)}>
              {t("Test call")}
            </Button>
          </>
        )}
      </header>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div className="flex min-h-0 flex-1 flex-col md:flex-row">
            <nav
              aria-label={t("Sections")}
              className="scroll-thin flex shrink-0 gap-0.5 overflow-x-auto border-line p-2 max-md:border-b max-md:bg-surface md:w-44 md:flex-col md:overflow-y-auto md:p-4"
            >
              {sections.map((one) => (
                <Link
                  key={one}
                  to="/agents/$id/$section"
                  params={{ id: agent.id, section: one }}
                  replace
                  className="flex min-h-7 items-center gap-2 rounded-md px-2 whitespace-nowrap text-ink-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-ink pointer-coarse:min-h-11"
                >
                  <span className="flex-1">{sectionName(one)}</span>
                  {one === "tools" && draft.tools.length > 0 && (
                    <span className="num text-small text-ink-3">{draft.tools.length}</span>
                  )}
                  {changedHere(one) > 0 && (
                    <span className="size-1.5 rounded-full bg-warn">
                      <span className="sr-only">{t("Changed")}</span>
                    </span>
                  )}
                </Link>
              ))}
            </nav>
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
            changes={changesOf(before, draft)}
            onClose={() => setTesting(false)}
          />
        )}
      </div>
      {opened === "compare" && (
        <Dialog title={t("What you have changed")} onClose={() => setOpened(undefined)}>
          <Differences before={before} after={draft} />
        </Dialog>
      )}
      {opened === "remove" && <Remove agent={agent} onClose={() => setOpened(undefined)} />}
      {form.met !== undefined && (
        <Conflict
          sentence={form.met.sentence}
          before={before}
          theirs={form.met.theirs}
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
    return error instanceof AnswerError && error.status === 404 ? (
      <Empty
        title={t("This agent does not exist.")}
        action={
          <Link to="/agents" className={buttonClass({})}>
            {t("To the agents")}
          </Link>
        }
      >
        {t("It may have been deleted, or belong to another organization.")}
      </Empty>
    ) : (
      <ErrorBlock error={error} again={() => void refetch()} />
    )
  return data === undefined ? <Skeleton className="m-6 h-10 w-64" /> : <Opened agent={data} section={section} />
}
