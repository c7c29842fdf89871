/** A call inside the thread: who, how long, what was said, how it ended, and its sound. */
import type { Call, TimelineEntry } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ArrowUpRight, PhoneIncoming, PhoneOutgoing, Wrench } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useVoiceAgents } from "../../api/people.ts"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { cx } from "../../lib/classes.ts"
import { clock, length } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { callState, endName } from "../../lib/words.ts"

/** So many utterances are shown before the rest is asked for. */
const shortly = 4

export const callTone = ({ status, endReason }: Pick<Call, "status" | "endReason">) => {
  if (status === "in_progress") return "good" as const
  if (
    endReason === "queued_for_human" ||
    endReason === "provider_failure" ||
    endReason === "error" ||
    status === "failed"
  )
    return "danger" as const
  return "plain" as const
}

export const CallCard = ({
  call,
  contactName
}: {
  readonly call: NonNullable<TimelineEntry["call"]>
  readonly contactName: string
}) => {
  const { id, direction, startedAt, createdAt, durationSeconds, endReason, status, agentId } = call
  const [whole, setWhole] = useState(false)
  const agent = useVoiceAgents().find((one) => one.id === agentId)?.name ?? t("the agent")
  const detail = useQuery({ queryKey: keys.call(id), queryFn: ({ signal }) => parley.calls.get(id, { signal }) })
  const utterances = detail.data?.utterances ?? call.utterances
  const shown = whole ? utterances : utterances.slice(0, shortly)
  const inbound = direction === "inbound"
  return (
    <article id={id} className="rounded-card border border-line bg-surface px-3 py-2.5 shadow-low">
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="grid size-[30px] place-items-center rounded-lg bg-ai-soft text-ai">
          <Icon of={inbound ? PhoneIncoming : PhoneOutgoing} />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-semibold">
            {inbound ? t("Call from {name}", { name: contactName }) : t("Call to {name}", { name: contactName })}
          </h3>
          <p className="num text-small text-ink-3">
            {clock(startedAt ?? createdAt)}
            {durationSeconds !== null && ` · ${length(durationSeconds)}`}
            {" · "}
            <span className="text-ai">{agent}</span>
          </p>
        </div>
        <Chip tone={callTone(call)}>{endReason === null ? callState(status) : endName(endReason)}</Chip>
        <Link to="/calls/$id" params={{ id }} className={buttonClass({ small: true })}>
          {t("Open call")} <Icon of={ArrowUpRight} size={14} />
        </Link>
      </header>
      {detail.data !== undefined && detail.data.recording !== null && (
        <audio
          controls
          preload="none"
          src={`/api/calls/${encodeURIComponent(id)}/recording`}
          aria-label={t("Recording of the call")}
          className="mt-2 h-9 w-full"
        />
      )}
      {detail.data?.summary?.text && (
        <p className="mt-2 rounded-lg bg-ai-soft px-2.5 py-1.5" dir="auto">
          {detail.data.summary.text}
        </p>
      )}
      {shown.length > 0 && (
        <ol className="mt-2 flex flex-col gap-1">
          {shown.map(({ id: key, role, by, text, startMs, interrupted }) => (
            <li key={key} className="flex gap-1.5">
              <Link to="/calls/$id" params={{ id }} search={{ t: startMs / 1000 }} className="min-w-0 hover:underline">
                <b className={cx("font-semibold", role === "caller" ? "text-contact" : "text-ai")}>
                  {by === "person" ? t("Colleague") : role === "caller" ? contactName : agent}
                </b>{" "}
                <span dir="auto" className="text-ink-2">
                  {text}
                  {interrupted && " —"}
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
      {utterances.length > shortly && (
        <Button small tone="quiet" className="mt-1 -ms-2" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole
            ? t("Show less")
            : t("{count, plural, one {Show # more} other {Show # more}}", { count: utterances.length - shortly })}
        </Button>
      )}
      {(detail.data?.toolCalls.length ?? 0) > 0 && (
        <footer className="mt-2 flex flex-wrap items-center gap-1.5 border-t border-line pt-2 text-small text-ink-3">
          <Icon of={Wrench} size={14} />
          {detail.data?.toolCalls.map((tool) => (
            <Chip key={tool.id} tone={tool.outcome === "ok" ? "good" : "danger"}>
              <span className="font-mono">{tool.name}</span>
            </Chip>
          ))}
        </footer>
      )}
    </article>
  )
}
