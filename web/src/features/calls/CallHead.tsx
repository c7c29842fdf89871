/** Above a call: who called whom, how it ended, and where one goes from here. */
import type { CallDetail } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { ArrowLeft, Download, Link2, MessageCircle } from "lucide-react"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { copyText } from "../../lib/copyText.ts"
import { length, moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { callState, endName } from "../../lib/words.ts"
import { callTone } from "../thread/CallCard.tsx"

export const CallHead = ({
  call,
  title,
  phone,
  at
}: {
  readonly call: CallDetail
  readonly title: string
  /** The number of the other side, as it is shown. */
  readonly phone: string
  /** The second at which the recording is; a link leads there. */
  readonly at: number
}) => {
  const { id, status, endReason, startedAt, createdAt, durationSeconds, recording, conversationId } = call
  const copy = async () => {
    const place = at > 0 ? `?t=${at.toFixed(1)}` : ""
    if (await copyText(`${location.origin}/calls/${id}${place}`)) say(t("Copied."))
  }
  return (
    <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1.5 md:px-5">
      <Link to="/calls" aria-label={t("Back to the list")} className={buttonClass({ tone: "quiet", square: true })}>
        <Icon of={ArrowLeft} />
      </Link>
      <h1 className="min-w-0 truncate text-title font-semibold tracking-tight">{title}</h1>
      <Chip tone={callTone(call)}>{endReason === null ? callState(status) : endName(endReason)}</Chip>
      <p className="num text-ink-3">
        {moment(startedAt ?? createdAt)}
        {durationSeconds !== null && ` · ${length(durationSeconds)}`} · {phone}
      </p>
      <span className="flex-1" />
      {conversationId !== null && (
        <Link to="/inbox" search={{ c: conversationId }} className={buttonClass({ small: true })}>
          <Icon of={MessageCircle} size={14} /> {t("Conversation")}
        </Link>
      )}
      {recording !== null && (
        <a
          href={`/api/calls/${encodeURIComponent(id)}/recording`}
          download={`${id}.wav`}
          aria-label={t("Download recording")}
          title={t("Download recording")}
          className={buttonClass({ small: true, square: true })}
        >
          <Icon of={Download} size={14} />
        </a>
      )}
      <Button small icon={Link2} label={t("Copy link")} onClick={() => void copy()} />
    </header>
  )
}
