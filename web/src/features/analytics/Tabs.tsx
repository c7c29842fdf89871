/** The figures of each tab. */
import type { Analytics } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { BarChart } from "../../components/BarChart.tsx"
import { Card } from "../../components/Card.tsx"
import { Sparkline } from "../../components/Sparkline.tsx"
import { Stat } from "../../components/Stat.tsx"
import { number, percent, seconds, shortDate, span } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { Changed } from "./Changed.tsx"
import { HourMap } from "./HourMap.tsx"

export interface Shown {
  readonly now: Analytics
  readonly before: Analytics
}

const time = (value: number | null): string => (value === null ? "–" : span(value * 1_000))
const wait = (ms: number | null): string => (ms === null ? "–" : seconds(ms))
const dayLabel = (period: string): string => shortDate(`${period}T12:00:00Z`)
const grid = "grid gap-3 md:grid-cols-2 lg:grid-cols-4"

/** The share of calls that needed no human. */
const contained = ({ calls: { count, escalated } }: Analytics): number | null =>
  count === 0 ? null : (count - escalated) / count

const Opened = ({ now, before }: Shown) => (
  <Stat name={t("Conversations opened")} value={number(now.conversations.opened)}>
    <Changed now={now.conversations.opened} before={before.conversations.opened} />
    <Sparkline values={now.data.map(({ conversations }) => conversations.opened)} />
  </Stat>
)

const FirstAnswer = ({ now, before }: Shown) => {
  const { medianSeconds, p90Seconds } = now.conversations.firstResponse
  return (
    <Stat name={t("First answer, median")} value={time(medianSeconds)}>
      <Changed now={medianSeconds} before={before.conversations.firstResponse.medianSeconds} />
      <br />
      {t("90 % within {time}", { time: time(p90Seconds) })}
    </Stat>
  )
}

const Contained = ({ now, before }: Shown) => {
  const share = contained(now)
  return (
    <Stat name={t("Calls without a human")} value={share === null ? "–" : percent(share)}>
      <Changed now={share} before={contained(before)} />
      <br />
      {t("{n} of {total} calls", {
        n: number(now.calls.count - now.calls.escalated),
        total: number(now.calls.count)
      })}
    </Stat>
  )
}

const Waited = ({ now, before }: Shown) => {
  const { medianMs, p95Ms } = now.calls.latency
  return (
    <Stat name={t("Callers wait for an answer, median")} value={wait(medianMs)}>
      <Changed now={medianMs} before={before.calls.latency.medianMs} />
      <br />
      {t("95 % within {time}", { time: wait(p95Ms) })}
    </Stat>
  )
}

const Messages = ({ now }: Shown) => (
  <Card title={t("Messages")}>
    <BarChart
      title={t("Messages")}
      of={t("Period")}
      parts={[
        { name: t("received"), fill: "fill-contact" },
        { name: t("sent"), fill: "fill-accent" }
      ]}
      bars={now.data.map(({ period, messages }) => ({
        label: dayLabel(period),
        values: [messages.inbound, messages.outbound]
      }))}
    />
  </Card>
)

const Hours = ({ now }: Shown) => (
  <Card title={t("Calls by weekday and hour")}>
    <HourMap byHour={now.calls.byHour} />
  </Card>
)

/** Leads to the calls of these days in which somebody waited longer. */
const HearThem = ({ now, ms }: { readonly now: Analytics; readonly ms: number }) => (
  <Link
    to="/calls"
    search={{ slow: Math.floor(ms), from: now.from, to: now.to }}
    className="self-start font-medium underline"
  >
    {t("Hear those that took longer than {time}", { time: wait(ms) })}
  </Link>
)

const Waits = ({ now }: Shown) => {
  const { steps, turns, p90Ms, p95Ms } = now.calls.latency
  return (
    <Card title={t("How long callers waited")}>
      {turns === 0 ? (
        <p className="text-ink-3">{t("Nothing was answered in these days.")}</p>
      ) : (
        <>
          <p className="text-ink-2">
            {t("{n} answers, as the service measured them. 90 % within {time}.", {
              n: number(turns),
              time: wait(p90Ms)
            })}
          </p>
          <BarChart
            title={t("How long callers waited")}
            of={t("From")}
            parts={[{ name: t("answers"), fill: "fill-ai" }]}
            bars={steps.map((step) => ({ label: seconds(step.fromMs), values: [step.turns] }))}
          />
          {[p90Ms, p95Ms].map((ms, at) => ms !== null && <HearThem key={at} now={now} ms={ms} />)}
        </>
      )}
    </Card>
  )
}

export const Overview = (shown: Shown) => (
  <>
    <dl className={grid}>
      <Opened {...shown} />
      <FirstAnswer {...shown} />
      <Contained {...shown} />
      <Waited {...shown} />
    </dl>
    <Messages {...shown} />
    <Hours {...shown} />
  </>
)

export const ConversationFigures = (shown: Shown) => {
  const { now, before } = shown
  const { resolved, resolution } = now.conversations
  return (
    <>
      <dl className={grid}>
        <Opened {...shown} />
        <Stat name={t("Resolved")} value={number(resolved)}>
          <Changed now={resolved} before={before.conversations.resolved} />
        </Stat>
        <FirstAnswer {...shown} />
        <Stat name={t("Resolution, median")} value={time(resolution.medianSeconds)}>
          <Changed now={resolution.medianSeconds} before={before.conversations.resolution.medianSeconds} />
          <br />
          {t("90 % within {time}", { time: time(resolution.p90Seconds) })}
        </Stat>
      </dl>
      <Messages {...shown} />
      <Card title={t("Conversations")}>
        <BarChart
          title={t("Conversations")}
          of={t("Period")}
          parts={[{ name: t("opened"), fill: "fill-accent" }]}
          bars={now.data.map(({ period, conversations }) => ({
            label: dayLabel(period),
            values: [conversations.opened]
          }))}
        />
      </Card>
    </>
  )
}

export const CallFigures = (shown: Shown) => {
  const { now, before } = shown
  return (
    <>
      <dl className={grid}>
        <Stat name={t("Calls")} value={number(now.calls.count)}>
          <Changed now={now.calls.count} before={before.calls.count} />
        </Stat>
        <Stat name={t("Minutes")} value={number(now.calls.minutes)}>
          <Changed now={now.calls.minutes} before={before.calls.minutes} />
        </Stat>
        <Contained {...shown} />
        <Waited {...shown} />
      </dl>
      <Hours {...shown} />
      <Waits {...shown} />
      <Card title={t("Calls")}>
        <BarChart
          title={t("Calls")}
          of={t("Period")}
          parts={[{ name: t("Calls"), fill: "fill-ai" }]}
          bars={now.data.map(({ period, calls }) => ({ label: dayLabel(period), values: [calls.count] }))}
        />
      </Card>
      <Link to="/calls" className="self-start font-medium underline">
        {t("See the calls")}
      </Link>
    </>
  )
}

export const People = ({ now }: Shown) => (
  <Card title={t("Who answered")}>
    {now.people.length === 0 ? (
      <p className="text-ink-3">{t("Nobody in these days.")}</p>
    ) : (
      <div className="overflow-x-auto">
        <table className="w-full border-collapse">
          <caption className="sr-only">{t("Who answered")}</caption>
          <thead>
            <tr className="text-small text-ink-3">
              <th scope="col" className="py-1 text-start font-medium">
                {t("Name")}
              </th>
              {[t("Sent"), t("First answer"), t("Resolved"), t("Calls")].map((name) => (
                <th key={name} scope="col" className="py-1 ps-4 text-end font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {now.people.map(({ id, name, messagesSent, firstResponse, resolved, calls }) => (
              <tr key={id} className="border-t border-line">
                <th scope="row" className="py-1.5 text-start font-normal">
                  <bdi>{name ?? t("Somebody who has left")}</bdi>
                </th>
                {[number(messagesSent), time(firstResponse.medianSeconds), number(resolved), number(calls.count)].map(
                  (value, at) => (
                    <td key={at} className="num py-1.5 ps-4 text-end">
                      {value}
                    </td>
                  )
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Card>
)
