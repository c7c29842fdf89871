/** A conversation in the list, 56 px high. */
import type { Conversation } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { AlarmClock, Clock, Hash, MessageCircle, Phone } from "lucide-react"
import { memo } from "react"
import { dueAt, isSnoozed } from "../../api/patch.ts"
import type { Person } from "../../api/people.ts"
import { Avatar } from "../../components/Avatar.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { cx } from "../../lib/classes.ts"
import { ago, number, span, weekdayClock } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { channelName, contactName, preview } from "../../lib/words.ts"
import { toggle } from "./selection.ts"

const channelIcons = { messaging: MessageCircle, voice: Phone, team_chat: Hash } as const

/** What is due within so many milliseconds is said. */
const soonMs = 30 * 60_000

/** How much time is left to answer, or since when it is over. */
export const DueChip = ({ conversation, now }: { readonly conversation: Conversation; readonly now: number }) => {
  const due = dueAt(conversation)
  if (due === undefined || due - now > soonMs) return null
  return due <= now ? (
    <Chip tone="danger">{t("Overdue {time}", { time: span(now - due) })}</Chip>
  ) : (
    <Chip tone="warn" icon={Clock}>
      {t("{time} left", { time: span(due - now) })}
    </Chip>
  )
}

export const ConversationRow = memo(function ConversationRow({
  conversation,
  open,
  selected,
  selectable,
  now,
  nameOf,
  me
}: {
  readonly conversation: Conversation
  /** Whether it is the conversation that is shown. */
  readonly open: boolean
  /** Whether it is among those that are changed together. */
  readonly selected: boolean
  readonly selectable: boolean
  readonly now: number
  readonly nameOf: (id: string) => Person
  readonly me: string
}) {
  const { id, contact, channel, lastMessage, unreadCount, assignee, lastActivityAt } = conversation
  const name = contactName(contact)
  const sender =
    lastMessage?.direction !== "outbound" || lastMessage.sentBy === null
      ? undefined
      : lastMessage.sentBy === me
        ? t("You")
        : nameOf(lastMessage.sentBy).name
  const text = lastMessage === null ? (channel === "voice" ? t("Call") : channelName(channel)) : preview(lastMessage)
  const person = assignee === null ? undefined : nameOf(assignee)
  const unread = unreadCount > 0
  return (
    <div
      className={cx(
        "group relative border-b border-line",
        selected
          ? "bg-accent-soft"
          : open
            ? "bg-selected before:absolute before:inset-y-0 before:start-0 before:w-[3px] before:bg-accent"
            : "hover:bg-hover"
      )}
    >
      {selectable && (
        <label
          className={cx(
            "absolute start-3 top-2.5 z-10 grid size-7 place-items-center rounded-full bg-surface has-focus-visible:opacity-100 pointer-coarse:hidden",
            selected ? "opacity-100" : "opacity-0 group-hover:opacity-100"
          )}
        >
          <input
            type="checkbox"
            className="size-4 accent-accent"
            tabIndex={-1}
            aria-label={t("Select the conversation with {name}", { name })}
            checked={selected}
            onChange={() => toggle(id)}
          />
        </label>
      )}
      <Link
        to="/inbox"
        search={(before) => ({ ...before, c: id })}
        data-conversation={id}
        aria-current={open ? "true" : undefined}
        className="flex h-14 gap-2.5 px-3 py-2 focus-visible:outline-offset-[-2px] pointer-coarse:h-16 pointer-coarse:py-2.5"
      >
        <span className="relative mt-0.5">
          <Avatar name={name} />
          <span
            className={cx(
              "absolute -end-1 -bottom-1 grid size-4 place-items-center rounded-full text-ink-3 pointer-coarse:bottom-1",
              selected ? "bg-accent-soft" : open ? "bg-selected" : "bg-surface"
            )}
          >
            <Icon of={channelIcons[channel]} size={12} />
            <span className="sr-only">{channelName(channel)}</span>
          </span>
        </span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex items-center gap-1.5">
            <bdi className={cx("truncate", unread ? "font-semibold" : "text-ink-2")}>{name}</bdi>
            {isSnoozed(conversation, now) && (
              <Chip icon={AlarmClock}>{weekdayClock(conversation.snoozedUntil ?? "")}</Chip>
            )}
            <DueChip conversation={conversation} now={now} />
            <time dateTime={lastActivityAt} className="num ms-auto shrink-0 text-label text-ink-3">
              {ago(lastActivityAt, now)}
            </time>
          </span>
          <span className="flex items-center gap-1.5">
            <span className={cx("min-w-0 flex-1 truncate", unread ? "text-ink" : "text-ink-3")} dir="auto">
              {sender !== undefined && `${sender}: `}
              {text}
            </span>
            {unread ? (
              <span className="num rounded-[9px] bg-accent px-1.5 text-label leading-[18px] font-semibold text-on-accent">
                {number(unreadCount)}
                <span className="sr-only"> {t("unread")}</span>
              </span>
            ) : (
              person && <Avatar name={person.name} who={person.who} size="s" title={person.name} />
            )}
          </span>
        </span>
      </Link>
    </div>
  )
})
