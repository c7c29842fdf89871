/** The head of the open conversation: with whom, since when somebody waits, who else is here, and what can be done. */
import type { Conversation } from "@parley/client"
import { Link } from "@tanstack/react-router"
import {
  AlarmClock,
  ArrowLeft,
  Check,
  ChevronDown,
  Eye,
  PanelRight,
  PenLine,
  RotateCcw,
  Sparkles,
  UserRound
} from "lucide-react"
import type { Ref } from "react"
import { dueAt, isSnoozed } from "../../api/patch.ts"
import { useNamer } from "../../api/people.ts"
import { usePresence } from "../../api/presence.ts"
import { useSession } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { can } from "../../lib/can.ts"
import { clock, weekdayClock } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { channelName, contactName } from "../../lib/words.ts"
import { DueChip } from "./ConversationRow.tsx"

/** Who else looks at it or writes: said before two people answer. */
const Others = ({ id }: { readonly id: string }) => {
  const me = useSession().user.id
  const others = usePresence(id, me)
  const writing = others.filter(({ state }) => state === "typing")
  const [first] = writing.length > 0 ? writing : others
  return (
    <span role="status" className="contents">
      {first !== undefined && (
        <Chip tone={writing.length > 0 ? "warn" : "accent"} icon={writing.length > 0 ? PenLine : Eye}>
          {writing.length > 0
            ? t("{name} is writing", { name: first.name })
            : t("{name} is looking", { name: first.name })}
        </Chip>
      )}
    </span>
  )
}

export interface PaneHeadProps {
  readonly conversation: Conversation
  readonly heading: Ref<HTMLHeadingElement>
  readonly summary: boolean
  readonly onSummary: () => void
  readonly onAssign: () => void
  readonly onSnooze: () => void
  readonly onResolve: () => void
  readonly onReopen: () => void
  readonly onPanel: () => void
}

export const PaneHead = ({ conversation, heading, summary, ...on }: PaneHeadProps) => {
  const { id, contact, channel, status, assignee } = conversation
  const session = useSession()
  const nameOf = useNamer()
  const now = useNow()
  const editable = can(session, "conversations:write")
  const name = contactName(contact)
  const due = dueAt(conversation)
  const person = assignee === null ? undefined : nameOf(assignee)
  const snoozed = isSnoozed(conversation, now)
  return (
    <header className="flex min-h-[52px] shrink-0 items-center gap-1.5 border-b border-line bg-surface px-1.5 md:px-5">
      <Link
        to="/inbox"
        search={({ c: _, ...rest }) => rest}
        aria-label={t("Back to the list")}
        className={`${buttonClass({ tone: "quiet", square: true })} md:hidden`}
      >
        <Icon of={ArrowLeft} />
      </Link>
      <Avatar name={name} />
      <div className="min-w-0 flex-1">
        <h2 ref={heading} id="conversation" tabIndex={-1} className="truncate font-semibold outline-none">
          <bdi>{name}</bdi>
        </h2>
        <p className="flex items-center gap-1.5 truncate text-small text-ink-3">
          <span className="truncate">
            {channelName(channel)}
            {due !== undefined &&
              due > now &&
              ` · ${t("answer by {time}", { time: clock(new Date(due).toISOString()) })}`}
            {status === "RESOLVED" && ` · ${t("resolved")}`}
            {snoozed && ` · ${t("snoozed until {time}", { time: weekdayClock(conversation.snoozedUntil ?? "") })}`}
          </span>
          <DueChip conversation={conversation} now={now} />
        </p>
      </div>
      <Others id={id} />
      {editable && (
        <>
          <Button
            small
            tone="ai"
            icon={Sparkles}
            label={t("Sum up the conversation")}
            aria-pressed={summary}
            onClick={on.onSummary}
          />
          <Button small aria-keyshortcuts="a" onClick={on.onAssign} className="max-md:hidden">
            {person === undefined ? (
              <Icon of={UserRound} size={14} />
            ) : (
              <Avatar name={person.name} who={person.who} size="s" />
            )}
            <span className="max-w-32 truncate">
              {person === undefined ? t("Assign") : person.id === session.user.id ? t("You") : person.name}
            </span>
            <Icon of={ChevronDown} size={14} />
          </Button>
          <Button
            small
            tone="quiet"
            icon={AlarmClock}
            label={t("Snooze")}
            aria-keyshortcuts="h"
            aria-pressed={snoozed}
            onClick={on.onSnooze}
            className="max-md:hidden"
          />
          {status === "RESOLVED" ? (
            <Button small icon={RotateCcw} keys="E" aria-keyshortcuts="e" onClick={on.onReopen}>
              {t("Reopen")}
            </Button>
          ) : (
            <Button small icon={Check} keys="E" aria-keyshortcuts="e" onClick={on.onResolve}>
              {t("Resolve")}
            </Button>
          )}
        </>
      )}
      <Button
        small
        tone="quiet"
        icon={PanelRight}
        label={t("About the contact")}
        className="lg:hidden"
        onClick={on.onPanel}
      />
    </header>
  )
}
