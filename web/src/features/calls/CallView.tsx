/** One call: its figures, its sound, what was said, and why the caller waited. */
import type { CallDetail } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useVoiceAgents } from "../../api/people.ts"
import { useTitle } from "../../components/Page.tsx"
import { NoRecord, Skeleton } from "../../components/States.tsx"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { contactName } from "../../lib/words.ts"
import { CallFigures } from "./CallFigures.tsx"
import { CallHead } from "./CallHead.tsx"
import { CallSound } from "./CallSound.tsx"
import { CallTools } from "./CallTools.tsx"
import { Transcript } from "./Transcript.tsx"
import { goalMs, heardAt, measuredWaits, secondBefore, slowerThan, type Wait, waitOfTurns, waitsOf } from "./turns.ts"
import { usePlayer } from "./usePlayer.ts"
import { Waterfall } from "./Waterfall.tsx"
import { usePeaks } from "./Waveform.tsx"

const Opened = ({ call }: { readonly call: CallDetail }) => {
  const { id, direction, from, to, recording, utterances, toolCalls } = call
  const search = useSearch({ from: "/signed-in/calls/$id" })
  const navigate = useNavigate()
  const slow = search.slow === undefined ? undefined : slowerThan(waitsOf(utterances), search.slow)
  const begin = useRef(search.t ?? (slow === undefined ? 0 : secondBefore(slow))).current
  const player = usePlayer(recording === null ? undefined : `/api/calls/${encodeURIComponent(id)}/recording`, begin)
  const agent = useVoiceAgents().find((one) => one.id === call.agentId)?.name ?? t("the agent")
  const contact = useQuery({
    queryKey: keys.contact(call.contactId ?? ""),
    enabled: call.contactId !== null,
    queryFn: ({ signal }) => parley.contacts.get(call.contactId ?? "", { signal })
  })
  const number_ = phone(direction === "inbound" ? from : to)
  const name = contact.data === undefined ? number_ : contactName(contact.data)
  const [turn, setTurn] = useState<number>()
  const { data: peaks, isPending: isMeasuring } = usePeaks(id, recording !== null)
  const measured = peaks === undefined || peaks.turns.length === 0 ? undefined : measuredWaits(peaks.turns)
  const waits = measured ?? waitsOf(utterances)
  const hear = ({ beginMs, endMs }: Wait) => player.seek(secondBefore({ beginMs }), endMs / 1000 + 0.4)
  const now = recording === null ? undefined : heardAt(utterances, player.at * 1000)
  const heard = player.playing || player.at > 0 ? now : undefined
  const title =
    direction === "inbound" ? t("{name} called {agent}", { name, agent }) : t("{agent} called {name}", { name, agent })
  useTitle(title)
  useEffect(() => {
    if (heard !== undefined && player.playing) document.getElementById(heard.id)?.scrollIntoView({ block: "nearest" })
  }, [heard, player.playing])
  const names = { caller: name, agent }
  const sought = useRef(player.seek)
  sought.current = player.seek
  const seek = useCallback((seconds: number) => sought.current(seconds), [])
  const callersTurns = utterances.filter(({ role }) => role === "caller")
  const step = (by: number) => {
    const ms = player.at * 1000
    const to =
      by > 0
        ? callersTurns.find(({ startMs }) => startMs > ms + 50)
        : callersTurns.findLast(({ startMs }) => startMs < ms - 500)
    if (to !== undefined) player.seek(to.startMs / 1000)
  }
  const nextSlow = () => {
    const next = waits.find(({ beginMs, endMs }) => endMs - beginMs > goalMs && beginMs > player.at * 1000 + 50)
    if (next !== undefined) hear(next)
  }
  useKeys({
    " ": player.toggle,
    j: () => player.seek(player.at - 5),
    l: () => player.seek(player.at + 5),
    ",": () => step(-1),
    ".": () => step(1),
    w: nextSlow,
    "1": () => player.setRate(1),
    "2": () => player.setRate(1.5),
    "3": () => player.setRate(2),
    Escape: () => void navigate({ to: "/calls" })
  })
  return (
    <>
      <CallHead call={call} title={title} phone={number_} at={player.at} />
      <div className="scroll-thin flex min-h-0 flex-1 flex-col overflow-y-auto lg:overflow-hidden">
        <CallFigures call={call} waits={measured} />
        {recording === null ? (
          <p className="border-b border-line bg-surface px-5 py-3 text-ink-3">{t("This call has no recording.")}</p>
        ) : (
          <CallSound
            peaks={peaks}
            busy={isMeasuring}
            duration={recording.durationSeconds}
            utterances={utterances}
            waits={waits}
            names={names}
            player={player}
          />
        )}
        <div className="grid shrink-0 lg:min-h-0 lg:flex-1 lg:grid-cols-[minmax(0,1fr)_minmax(0,460px)]">
          <Transcript call={call} names={names} peaks={peaks} heard={heard} ms={player.at * 1000} onSeek={seek} />
          <section
            aria-label={t("How long the caller waited")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it.
            tabIndex={0}
            className="scroll-thin min-h-0 border-line bg-bg px-4 py-3 outline-offset-[-2px] max-lg:border-t md:px-5 lg:overflow-y-auto lg:border-s"
          >
            <h2 className="mb-2 font-semibold">{t("How long the caller waited")}</h2>
            <Waterfall
              turns={call.turns}
              waits={waitOfTurns(call.turns, measured ?? [])}
              chosen={turn}
              onChoose={setTurn}
              {...(recording === null ? {} : { onHear: hear })}
            />
            {toolCalls.length > 0 && <CallTools toolCalls={toolCalls} />}
          </section>
        </div>
      </div>
    </>
  )
}

export const CallView = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: keys.call(id),
    queryFn: ({ signal }) => parley.calls.get(id, { signal })
  })
  if (error !== null && data === undefined)
    return (
      <NoRecord
        error={error}
        again={() => void refetch()}
        title={t("This call does not exist.")}
        to="/calls"
        list={t("To the calls")}
      >
        {t("It may have been erased, or belong to another organization.")}
      </NoRecord>
    )
  return data === undefined ? <Skeleton className="m-6 h-10 w-64" /> : <Opened call={data} />
}
