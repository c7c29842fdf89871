/** One text agent: its sections, what is not saved, and the try-out beside them. */
import type { TextAgent } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { ArrowLeft, MessageCircle, Trash2 } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { RemoveDialog } from "../../components/RemoveDialog.tsx"
import { ChangedDot, SectionNav, sectionLinkClass } from "../../components/SectionNav.tsx"
import { NoRecord, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { ago } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { type EditorHead, SettingEditor } from "../agents/SettingEditor.tsx"
import type { BotSettings } from "./draft.ts"
import { BotFormProvider } from "./form.ts"
import { Answering } from "./sections/Answering.tsx"
import { BotBasics } from "./sections/BotBasics.tsx"
import { BotHandOver } from "./sections/BotHandOver.tsx"
import { BotKnowledge } from "./sections/BotKnowledge.tsx"
import { BotTools } from "./sections/BotTools.tsx"
import { BotVersions } from "./sections/BotVersions.tsx"
import { TryPanel } from "./TryPanel.tsx"
import { botKind, useBotDraft } from "./useBotDraft.ts"
import { useBot } from "./useBots.ts"
import { answersText, type BotSection, botSectionName, botSectionOf, botSections, botSettingName } from "./words.ts"

const bodies: Readonly<Record<BotSection, () => React.ReactNode>> = {
  basics: BotBasics,
  answering: Answering,
  tools: BotTools,
  knowledge: BotKnowledge,
  handover: BotHandOver,
  versions: BotVersions
}

const Head = ({
  agent,
  name,
  mayWrite,
  trying,
  onTry,
  onRemove
}: EditorHead & {
  readonly agent: TextAgent
  /** As it is now in the form. */
  readonly name: string
  readonly mayWrite: boolean
}) => {
  const now = useNow()
  return (
    <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1.5 md:px-5">
      <Link to="/bots" aria-label={t("Back to the list")} className={buttonClass({ tone: "quiet", square: true })}>
        <Icon of={ArrowLeft} className="rtl:rotate-180" />
      </Link>
      <h1 className="min-w-0 truncate text-title font-semibold tracking-tight" dir="auto">
        {name}
      </h1>
      <Chip tone={agent.answers === "never" ? "plain" : "good"}>{answersText(agent.answers)}</Chip>
      <span className="text-ink-3 max-md:hidden">{t("saved: {when}", { when: ago(agent.updatedAt, now) })}</span>
      <span className="flex-1" />
      {mayWrite && (
        <>
          <Button tone="quiet" icon={Trash2} label={t("Delete {name}", { name: agent.name })} onClick={onRemove} />
          <Button icon={MessageCircle} aria-pressed={trying} onClick={onTry}>
            {t("Try it")}
          </Button>
        </>
      )}
    </header>
  )
}

const Links = ({
  id,
  changed
}: {
  readonly id: string
  /** The settings that are not saved. */
  readonly changed: ReadonlyArray<keyof BotSettings>
}) => (
  <SectionNav>
    {botSections.map((one) => (
      <Link key={one} to="/bots/$id/$section" params={{ id, section: one }} replace className={sectionLinkClass}>
        <span className="flex-1">{botSectionName(one)}</span>
        {changed.some((name) => botSectionOf(name) === one) && <ChangedDot />}
      </Link>
    ))}
  </SectionNav>
)

const Opened = ({ agent, section }: { readonly agent: TextAgent; readonly section: BotSection }) => {
  const mayWrite = can(useSession(), "agents:write")
  const form = useBotDraft(agent)
  const { draft, changed } = form
  const { id, name } = agent
  const Body = bodies[section]
  return (
    <SettingEditor
      of={botKind}
      nameOf={botSettingName}
      form={form}
      provider={BotFormProvider}
      section={{ id: section, name: botSectionName(section) }}
      mayWrite={mayWrite}
      address={`/bots/${id}`}
      goesOn={t("Conversations go on with what is saved.")}
      head={(shown) => <Head {...shown} agent={agent} name={draft.name} mayWrite={mayWrite} />}
      links={<Links id={id} changed={changed} />}
      panel={(changes, onClose) => <TryPanel agentId={id} agentName={draft.name} changes={changes} onClose={onClose} />}
      removal={(onClose) => (
        <RemoveDialog
          name={name}
          action={t("Delete agent")}
          remove={() => parley.textAgents.remove(id)}
          record={keys.textAgent(id)}
          to="/bots"
          list={keys.textAgents}
          onClose={onClose}
        >
          {t("Its conversations become open, for your team. This cannot be undone.")}
        </RemoveDialog>
      )}
    >
      <Body />
    </SettingEditor>
  )
}

export const BotEditor = ({ id, section }: { readonly id: string; readonly section: BotSection }) => {
  const { data, error, refetch } = useBot(id)
  if (data !== undefined) return <Opened agent={data} section={section} />
  if (error === null) return <Skeleton className="m-6 h-10 w-64" />
  return (
    <NoRecord
      error={error}
      again={() => void refetch()}
      title={t("This agent does not exist.")}
      to="/bots"
      list={t("To the agents")}
    >
      {t("It may have been deleted, or belong to another organization.")}
    </NoRecord>
  )
}
