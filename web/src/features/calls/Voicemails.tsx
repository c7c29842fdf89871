/** What callers left outside business hours: each with its words, and its sound. */
import type { Call } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { MessageCircle, Pause, Play } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useVoiceAgents } from "../../api/people.ts"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { length, moment, phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { usePlayer } from "./usePlayer.ts"

/** The newest ones: older are found among the calls. */
const most = 25

const Sound = ({ call }: { readonly call: Call }) => {
  const player = usePlayer(`/api/calls/${encodeURIComponent(call.id)}/recording`, 0)
  const duration = call.recording?.durationSeconds ?? 0
  return (
    <span className="flex items-center gap-2">
      <Button
        small
        icon={player.playing ? Pause : Play}
        label={player.playing ? t("Pause") : t("Play")}
        className="!rounded-full"
        onClick={player.toggle}
      />
      <input
        type="range"
        aria-label={t("Place in the recording")}
        aria-valuetext={length(player.at)}
        min={0}
        max={Math.max(1, Math.round(duration))}
        value={Math.round(player.at)}
        onChange={(event) => player.seek(event.target.valueAsNumber)}
        className="w-28 accent-accent"
      />
      <span className="num text-small text-ink-3">
        {length(player.at)} / {length(duration)}
      </span>
    </span>
  )
}

const Row = ({ call, agent }: { readonly call: Call; readonly agent: string | undefined }) => {
  // Its words are in the call alone; the page of the call has them then.
  const { data } = useQuery({
    queryKey: keys.call(call.id),
    queryFn: ({ signal }) => parley.calls.get(call.id, { signal })
  })
  const words = data?.utterances.map(({ text }) => text).join(" ") ?? ""
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 not-last:border-b not-last:border-line">
      <span className="min-w-0 flex-1 basis-60">
        <Link to="/calls/$id" params={{ id: call.id }} className="num font-semibold hover:underline">
          {phone(call.from)}
        </Link>
        <span className="num text-small text-ink-3">
          {" "}
          · {moment(call.createdAt)}
          {agent !== undefined && (
            <>
              {" "}
              · <bdi>{agent}</bdi>
            </>
          )}
        </span>
        <span className="block text-ink-2" dir="auto">
          {data === undefined ? "…" : words === "" ? t("No words were understood.") : words}
        </span>
      </span>
      <Sound call={call} />
      {call.conversationId !== null && (
        <Link
          to="/inbox"
          search={{ c: call.conversationId }}
          aria-label={t("Conversation")}
          title={t("Conversation")}
          className={buttonClass({ small: true, square: true })}
        >
          <Icon of={MessageCircle} size={14} />
        </Link>
      )}
    </li>
  )
}

export const Voicemails = () => {
  const agents = useVoiceAgents()
  const filter = { endReason: "outside_hours", limit: most } as const
  const { data, error, refetch } = useQuery({
    queryKey: keys.calls(filter),
    queryFn: ({ signal }) => parley.calls.list(filter, { signal }).then(({ data }) => data)
  })
  const left = data?.filter(({ recording }) => recording !== null)
  return (
    <>
      <PageHead title={t("Voicemails")}>
        <Link to="/calls" className={buttonClass({})}>
          {t("To the calls")}
        </Link>
      </PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        {error !== null && left === undefined ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : left === undefined ? (
          <Skeleton className="mx-auto h-24 max-w-[860px]" />
        ) : left.length === 0 ? (
          <Empty title={t("No voicemails.")}>{t("Who calls outside business hours may leave one.")}</Empty>
        ) : (
          <ul className="mx-auto max-w-[860px] rounded-card border border-line bg-surface">
            {left.map((call) => (
              <Row key={call.id} call={call} agent={agents.find(({ id }) => id === call.agentId)?.name} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}
