/** One text agent: its sections, what is not saved, and the try-out beside them. */
import type { TextAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { ArrowLeft, MessageCircle, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Icon } from "../../components/Icon.tsx"
import { useTitle } from "../../components/Page.tsx"
import { SaveBar } from "../../components/SaveBar.tsx"
import { ChangedDot, SectionNav, sectionLinkClass } from "../../components/SectionNav.tsx"
import { NoRecord, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { ago } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { useNow } from "../../lib/time.ts"
import { say } from "../../lib/toasts.ts"
import { Differences } from "../agents/Compare.tsx"
import { Conflict } from "../agents/Conflict.tsx"
import { LeaveGuard } from "../agents/LeaveGuard.tsx"
import { botRules, settingsOf } from "./draft.ts"
import { BotFormProvider } from "./form.ts"
import { Answering } from "./sections/Answering.tsx"
import { BotBasics } from "./sections/BotBasics.tsx"
import { BotHandOver } from "./sections/BotHandOver.tsx"
import { BotKnowledge } from "./sections/BotKnowledge.tsx"
import { BotTools } from "./sections/BotTools.tsx"
import { BotVersions } from "./sections/BotVersions.tsx"
import { TryPanel } from "./TryPanel.tsx"
import { useBotDraft } from "./useBotDraft.ts"
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

const Remove = ({ agent: { id, name }, onClose }: { readonly agent: TextAgent; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={t("Delete {name}?", { name })}
      action={t("Delete agent")}
      onClose={onClose}
      onConfirm={async () => {
        await parley.textAgents.remove(id)
        onClose()
        await navigate({ to: "/bots", ignoreBlocker: true })
        client.removeQueries({ queryKey: keys.textAgent(id) })
        void client.invalidateQueries({ queryKey: keys.textAgents })
        say(t("{name} is deleted.", { name }))
      }}
    >
      {t("Its conversations become open, for your team. This cannot be undone.")}
    </ConfirmDialog>
  )
}

const Opened = ({ agent, section }: { readonly agent: TextAgent; readonly section: BotSection }) => {
  const mayWrite = can(useSession(), "agents:write")
  const form = useBotDraft(agent)
  const { before, draft, changed, problem } = form
  const [opened, setOpened] = useState<"compare" | "remove">()
  const [trying, setTrying] = useState(false)
  const now = useNow()
  useTitle(draft.name)
  useKeys({ "Mod+s": () => void form.save() })
  const Body = bodies[section]
  const asked = botRules.settingOf(problem)
  const changedHere = (one: BotSection) => changed.some((name) => botSectionOf(name) === one)
  return (
    <BotFormProvider
      value={{
        agent: form.base,
        draft,
        set: form.set,
        changed: new Set(changed),
        problemOf: (name) => (asked === name ? problem : undefined)
      }}
    >
      <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1.5 md:px-5">
        <Link to="/bots" aria-label={t("Back to the list")} className={buttonClass({ tone: "quiet", square: true })}>
          <Icon of={ArrowLeft} className="rtl:rotate-180" />
        </Link>
        <h1 className="min-w-0 truncate text-title font-semibold tracking-tight" dir="auto">
          {draft.name}
        </h1>
        <Chip tone={agent.answers === "never" ? "plain" : "good"}>{answersText(agent.answers)}</Chip>
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
            <Button icon={MessageCircle} aria-pressed={trying} onClick={() => setTrying(!trying)}>
              {t("Try it")}
            </Button>
          </>
        )}
      </header>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div className="flex min-h-0 flex-1 flex-col md:flex-row">
            <SectionNav>
              {botSections.map((one) => (
                <Link
                  key={one}
                  to="/bots/$id/$section"
                  params={{ id: agent.id, section: one }}
                  replace
                  className={sectionLinkClass}
                >
                  <span className="flex-1">{botSectionName(one)}</span>
                  {changedHere(one) && <ChangedDot />}
                </Link>
              ))}
            </SectionNav>
            <section
              key={section}
              aria-label={botSectionName(section)}
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
            names={changed.map(botSettingName)}
            problem={problem}
            busy={form.busy}
            onUndo={form.undo}
            onCompare={() => setOpened("compare")}
            onSave={form.save}
          />
        </div>
        {trying && (
          <TryPanel
            agentId={agent.id}
            agentName={draft.name}
            changes={botRules.changesOf(before, draft)}
            onClose={() => setTrying(false)}
          />
        )}
      </div>
      {opened === "compare" && (
        <Dialog title={t("What you have changed")} onClose={() => setOpened(undefined)}>
          <Differences rules={botRules} nameOf={botSettingName} before={before} after={draft} />
        </Dialog>
      )}
      {opened === "remove" && <Remove agent={agent} onClose={() => setOpened(undefined)} />}
      {form.met !== undefined && (
        <Conflict
          rules={botRules}
          nameOf={botSettingName}
          sentence={form.met.sentence}
          before={before}
          theirs={settingsOf(form.met.theirs)}
          mine={draft}
          onClose={form.leaveOpen}
          onChosen={form.settle}
        />
      )}
      <LeaveGuard stays={`/bots/${agent.id}`} dirty={form.isDirty} kept onForget={form.undo}>
        {t("Conversations go on with what is saved.")}
      </LeaveGuard>
    </BotFormProvider>
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
