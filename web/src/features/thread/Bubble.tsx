/** A message: a contact's at the left in amber, ours at the right in green, an AI agent's at the right in violet. */
import type { Message } from "@parley/client"
import { Check, CheckCheck, Clock, OctagonAlert, SmilePlus } from "lucide-react"
import { memo } from "react"
import type { Person } from "../../api/people.ts"
import { Button } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { cx } from "../../lib/classes.ts"
import { clock, moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { preview, statusName } from "../../lib/words.ts"
import { MessageBody } from "./MessageBody.tsx"
import { ReactionMarks } from "./ReactionMarks.tsx"
import { canReactTo, type Reactions } from "./reactions.ts"

const statusIcons = {
  received: Check,
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: OctagonAlert
} as const

export const bubbleClass = (who: "contact" | "human" | "ai") =>
  cx(
    "min-w-0 max-w-full px-3 py-2",
    who === "contact" ? "rounded-xl rounded-es-[3px] bg-contact-soft" : "rounded-xl rounded-ee-[3px]",
    who === "human" && "bg-accent-soft",
    who === "ai" && "bg-ai-soft"
  )

export interface BubbleProps {
  readonly message: Message
  readonly sender: Person | undefined
  readonly contactName: string
  readonly answered: Message | undefined
  readonly reactions: Reactions | undefined
  readonly mine: boolean
  /** Reacts to the message, or takes the reaction back. Without it one cannot. */
  readonly onReact: ((message: Message, emoji?: "") => void) | undefined
}

export const Bubble = memo(function Bubble({
  message,
  sender,
  contactName,
  answered,
  reactions,
  mine,
  onReact
}: BubbleProps) {
  const { id, direction, status, failure, createdAt } = message
  const out = direction === "outbound"
  const who = out ? (sender?.who ?? "human") : "contact"
  const name = out ? (mine ? t("You") : (sender?.name ?? t("Us"))) : contactName
  return (
    <div
      id={id}
      className={cx(
        "flex max-w-[86%] flex-col gap-1 md:max-w-[72%]",
        out ? "items-end self-end" : "items-start self-start"
      )}
    >
      <span className="sr-only">{t("{name} at {time}", { name, time: clock(createdAt) })}</span>
      {out && !mine && (
        <span aria-hidden="true" className={cx("text-label font-medium", who === "ai" ? "text-ai" : "text-accent")}>
          {name}
        </span>
      )}
      <div className={cx("group relative", bubbleClass(who))}>
        {answered !== undefined && (
          <p className="mb-1 truncate border-s-2 border-current ps-2 text-small text-ink-2" dir="auto">
            {preview(answered)}
          </p>
        )}
        <MessageBody message={message} />
        {onReact !== undefined && canReactTo(message) && (
          <Button
            small
            tone="quiet"
            icon={SmilePlus}
            label={t("React")}
            className={cx(
              "absolute top-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:-top-1 pointer-coarse:opacity-100",
              out ? "end-full" : "start-full"
            )}
            onClick={() => onReact(message)}
          />
        )}
      </div>
      {reactions !== undefined && (
        <ReactionMarks reactions={reactions} onTakeBack={onReact && (() => onReact(message, ""))} />
      )}
      <span className={cx("num flex flex-wrap items-center gap-1 text-label text-ink-3", out && "justify-end")}>
        <time dateTime={createdAt} title={moment(createdAt)}>
          {clock(createdAt)}
        </time>
        {out && (
          <span
            className={cx(
              "flex items-center gap-1",
              status === "read" && "text-accent",
              status === "failed" && "text-danger"
            )}
          >
            · {statusName(status)} <Icon of={statusIcons[status]} size={12} />
          </span>
        )}
      </span>
      {failure !== null && <p className="text-small text-danger">{failure.reason}</p>}
    </div>
  )
})
