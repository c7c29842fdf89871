/** One call: its figures, its sound, what was said, and why the caller waited. */
import { AnswerError, type CallDetail } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { ArrowLeft, Download, Link2, MessageCircle, Pause, Play, Wrench } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useVoiceAgents } from "../../api/people.ts"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { useTitle } from "../../components/Page.tsx"
import { Segmented } from "../../components/Segmented.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { cx } from "../../lib/classes.ts"
import { length, moment, money, number, percent, phone, seconds } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { say } from "../../lib/toasts.ts"
import { callState, contactName, endName } from "../../lib/words.ts"
import { callTone } from "../thread/CallCard.tsx"
import {
  answerMs,
  goalMs,
  heardAt,
  measuredWaits,
  medianAnswerMs,
  medianOf,
  type Wait,
  waitOfTurns,
  waitsOf
} from "./turns.ts"
import { usePlayer } from "./usePlayer.ts"
import { Waterfall } from "./Waterfall.tsx"
import { usePeaks, Waveform } from "./Waveform.tsx"

const Figure = ({
  label,
  children,
  under
}: {
  readonly label: string
  readonly children: React.ReactNode
  readonly under?: string
}) => (
  <div className="border-line px-4 py-2 not-last:border-e md:px-5">
    <dt className="text-small text-ink-3">{label}</dt>
    <dd>
      <b className="num block text-[1rem] leading-6 font-semibold tracking-tight">{children}</b>
      {under !== undefined && <span className="text-label text-ink-3">{under}</span>}
    </dd>
  </div>
)

const Figures = ({ call, waits }: { readonly call: CallDetail; readonly waits: ReadonlyArray<Wait> | undefined }) => {
  const measured = call.turns.flatMap((turn) => {
    const ms = answerMs(turn)
    return ms === undefined ? [] : [{ turn: turn.turn, ms }]
  })
  const heard = waits?.map(({ beginMs, endMs }) => endMs - beginMs)
  const isHeard = heard !== undefined && heard.length > 0
  const median = isHeard ? medianOf(heard) : medianAnswerMs(call.turns)
  const slowest = isHeard ? { ms: Math.max(...heard), turn: undefined } : measured.toSorted((a, b) => b.ms - a.ms)[0]
  const ok = call.toolCalls.filter(({ outcome }) => outcome === "ok").length
  return (
    <dl className="grid grid-cols-2 border-b border-line bg-surface md:grid-cols-3 lg:grid-cols-6">
      <Figure
        label={t("Answered in")}
        under={
          isHeard
            ? t("measured on the recording · {n, plural, one {# turn} other {# turns}}", { n: heard.length })
            : t("by the service · {n, plural, one {# turn} other {# turns}}", { n: measured.length })
        }
      >
        {median === undefined ? "—" : seconds(median)}
      </Figure>
      <Figure
        label={t("Slowest")}
        {...(slowest?.turn === undefined ? {} : { under: t("turn {n}", { n: slowest.turn }) })}
      >
        {slowest === undefined ? "—" : seconds(slowest.ms)}
      </Figure>
      <Figure label={t("Interruptions")}>{number(call.interruptions)}</Figure>
      <Figure label={t("Agent talked")} under={t("of all speech")}>
        {call.talkRatio === null ? "—" : percent(call.talkRatio)}
      </Figure>
      <Figure label={t("Tools")}>
        {call.toolCalls.length === 0 ? "—" : `${number(ok)} / ${number(call.toolCalls.length)}`}
      </Figure>
      <Figure label={t("Billed")} {...(call.cost === null ? {} : { under: money(Number(call.cost.price), "USD") })}>
        {call.cost === null ? (call.test ? t("nothing") : "—") : t("{n} min", { n: call.cost.minutes })}
      </Figure>
    </dl>
  )
}

const rates = ["1", "1.5", "2"] as const

const Opened = ({ call }: { readonly call: CallDetail }) => {
  const {
    id,
    direction,
    from,
    to,
    status,
    endReason,
    startedAt,
    createdAt,
    durationSeconds,
    recording,
    conversationId,
    utterances,
    toolCalls
  } = call
  const search = useSearch({ from: "/signed-in/calls/$id" })
  const navigate = useNavigate()
  const begin = useRef(search.t ?? 0).current
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
  const peaks = usePeaks(id, recording !== null).data
  const measured = peaks === undefined || peaks.turns.length === 0 ? undefined : measuredWaits(peaks.turns)
  const waits = measured ?? waitsOf(utterances)
  const hear = ({ beginMs, endMs }: Wait) => player.seek(Math.max(0, beginMs / 1000 - 0.4), endMs / 1000 + 0.4)
  const now = recording === null ? undefined : heardAt(utterances, player.at * 1000)
  const heard = player.playing || player.at > 0 ? now : undefined
  const title =
    direction === "inbound" ? t("{name} called {agent}", { name, agent }) : t("{agent} called {name}", { name, agent })
  useTitle(title)
  useEffect(() => {
    if (heard !== undefined && player.playing) document.getElementById(heard.id)?.scrollIntoView({ block: "nearest" })
  }, [heard, player.playing])
  const duration = recording?.durationSeconds ?? 0
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
  const copy = async () => {
    const at = player.at > 0 ? `?t=${player.at.toFixed(1)}` : ""
    await navigator.clipboard.writeText(`${location.origin}/calls/${id}${at}`)
    say(t("Copied."))
  }
  return (
    <>
      <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1.5 md:px-5">
        <Link to="/calls" aria-label={t("Back to the list")} className={buttonClass({ tone: "quiet", square: true })}>
          <Icon of={ArrowLeft} />
        </Link>
        <h1 className="min-w-0 truncate text-title font-semibold tracking-tight">{title}</h1>
        <Chip tone={callTone(call)}>{endReason === null ? callState(status) : endName(endReason)}</Chip>
        <p className="num text-ink-3">
          {moment(startedAt ?? createdAt)}
          {durationSeconds !== null && ` · ${length(durationSeconds)}`} · {number_}
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
      <div className="scroll-thin flex min-h-0 flex-1 flex-col overflow-y-auto lg:overflow-hidden">
        <Figures call={call} waits={measured} />
        {recording === null ? (
          <p className="border-b border-line bg-surface px-5 py-3 text-ink-3">{t("This call has no recording.")}</p>
        ) : (
          <section
            aria-label={t("Recording of the call")}
            className="border-b border-line bg-surface px-4 pt-2.5 pb-3 md:px-5"
          >
            <div className="mb-6 flex flex-wrap items-center gap-x-3.5 gap-y-2">
              <Button
                tone="primary"
                icon={player.playing ? Pause : Play}
                label={player.playing ? t("Pause") : t("Play")}
                className="!rounded-full"
                onClick={player.toggle}
              />
              <span className="num font-medium">
                {length(player.at)} <span className="text-ink-3">/ {length(duration)}</span>
              </span>
              <Segmented
                label={t("Speed")}
                value={rates.find((rate) => Number(rate) === player.rate) ?? "1"}
                options={rates.map((value) => ({ value, label: `${value}×` }))}
                onChange={(rate) => player.setRate(Number(rate))}
              />
              <span className="flex-1" />
              <ul className="flex flex-wrap gap-3 text-small text-ink-2">
                {(
                  [
                    ["bg-contact", t("Caller")],
                    ["bg-ai", agent],
                    ["bg-line", t("Waiting for the answer")]
                  ] as const
                ).map(([fill, label]) => (
                  <li key={fill} className="flex items-center gap-1.5">
                    <span aria-hidden="true" className={cx("size-[9px] rounded-[3px]", fill)} />
                    {label}
                  </li>
                ))}
              </ul>
            </div>
            <Waveform
              peaks={peaks}
              duration={duration}
              utterances={utterances}
              waits={waits}
              names={{ caller: name, agent }}
              player={player}
            />
          </section>
        )}
        <div className="grid min-h-0 flex-1 lg:grid-cols-[minmax(0,1fr)_minmax(0,460px)]">
          <section
            aria-label={t("Transcript")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it.
            tabIndex={0}
            className="scroll-thin min-h-0 bg-surface px-4 py-3 outline-offset-[-2px] md:px-5 lg:overflow-y-auto"
          >
            <div className="mb-2 flex items-center gap-2">
              <h2 className="font-semibold">{t("Transcript")}</h2>
              {recording !== null && <Chip tone="accent">{t("follows the sound")}</Chip>}
            </div>
            {call.summary?.text && (
              <p className="mb-3 rounded-s-[4px] rounded-e-lg border-s-[3px] border-ai bg-ai-soft px-3 py-2" dir="auto">
                <b className="block text-small font-semibold">{t("Summary")}</b>
                {call.summary.text}
              </p>
            )}
            {utterances.length === 0 && <p className="text-ink-3">{t("Nothing was said in this call.")}</p>}
            <ol className="flex flex-col">
              {utterances.map(({ id: key, role, by, text, startMs, interrupted }) => (
                <li
                  key={key}
                  id={key}
                  className={cx(
                    "grid grid-cols-[42px_minmax(0,1fr)] gap-2 rounded-lg px-2 py-1.5 -mx-2",
                    heard?.id === key && "bg-selected"
                  )}
                >
                  <button
                    type="button"
                    aria-label={t("Hear it from {time}", { time: length(startMs / 1000) })}
                    onClick={() => player.seek(startMs / 1000)}
                    className="num min-h-6 self-start text-start text-label text-ink-3 hover:text-ink pointer-coarse:min-h-11"
                  >
                    {length(startMs / 1000)}
                  </button>
                  <div>
                    <p className="flex flex-wrap items-center gap-1.5">
                      <b className={cx("text-small font-semibold", role === "caller" ? "text-contact" : "text-ai")}>
                        <bdi>{by === "person" ? t("Colleague") : role === "caller" ? name : agent}</bdi>
                      </b>
                      {interrupted && <Chip tone="danger">{t("interrupted")}</Chip>}
                    </p>
                    <p dir="auto">{text}</p>
                  </div>
                </li>
              ))}
            </ol>
          </section>
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
            {toolCalls.length > 0 && (
              <>
                <h2 className="mt-5 mb-2 font-semibold">{t("Tools")}</h2>
                <ul className="flex flex-col gap-2">
                  {toolCalls.map((tool) => (
                    <li key={tool.id} className="rounded-lg border border-line bg-surface px-3 py-2">
                      <p className="flex flex-wrap items-center gap-1.5">
                        <Icon of={Wrench} size={14} className="text-ink-3" />
                        <code className="font-mono text-small">{tool.name}</code>
                        <Chip tone={tool.outcome === "ok" ? "good" : "danger"}>
                          {tool.outcome === "ok" ? "ok" : t("failed")}
                        </Chip>
                        {tool.withheld !== null && tool.withheld !== undefined && (
                          <Chip tone="warn" title={tool.withheld.join(", ")}>
                            {t("kept back by the content filter")}
                          </Chip>
                        )}
                        <span className="num text-small text-ink-3">
                          {number(Math.round(tool.durationMs), { style: "unit", unit: "millisecond" })}
                        </span>
                      </p>
                      <dl className="mt-1 font-mono text-label text-ink-2" dir="ltr">
                        <dt className="text-ink-3">{t("asked")}</dt>
                        <dd className="max-h-32 overflow-y-auto whitespace-pre-wrap">{tool.arguments}</dd>
                        <dt className="text-ink-3">{t("answered")}</dt>
                        <dd className="max-h-32 overflow-y-auto whitespace-pre-wrap">{tool.result}</dd>
                      </dl>
                    </li>
                  ))}
                </ul>
              </>
            )}
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
    return error instanceof AnswerError && error.status === 404 ? (
      <Empty
        title={t("This call does not exist.")}
        action={
          <Link to="/calls" className={buttonClass({})}>
            {t("To the calls")}
          </Link>
        }
      >
        {t("It may have been erased, or belong to another organization.")}
      </Empty>
    ) : (
      <ErrorBlock error={error} again={() => void refetch()} />
    )
  return data === undefined ? <Skeleton className="m-6 h-10 w-64" /> : <Opened call={data} />
}
