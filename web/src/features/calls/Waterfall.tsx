/** How long the caller waited in each turn, by its stages. Drawn by begin and end; the figure stands beside each bar. */
import type { CallTurn } from "@parley/client"
import { Volume2 } from "lucide-react"
import { Button } from "../../components/Button.tsx"
import { cx } from "../../lib/classes.ts"
import { number, seconds } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { answerMs, type Bar, barsOf, goalMs, type Stage, spansOf, stages, type Wait } from "./turns.ts"

const names: Readonly<Record<Stage, string>> = {
  decision: message("Decision"),
  transcript: message("Transcript"),
  model: message("Model"),
  speech: message("Speech"),
  heard: message("Heard")
}
const fills: Readonly<Record<Stage, string>> = {
  decision: "bg-stage-1",
  transcript: "bg-stage-2",
  model: "bg-stage-3",
  speech: "bg-stage-4",
  heard: "bg-stage-5"
}

const Legend = () => (
  <ul className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-small text-ink-2">
    {stages.map((stage) => (
      <li key={stage} className="flex items-center gap-1.5">
        <span aria-hidden="true" className={cx("size-[9px] rounded-[3px]", fills[stage])} />
        {t(names[stage])}
      </li>
    ))}
  </ul>
)

const ms = (value: number) => number(Math.round(value), { style: "unit", unit: "millisecond" })

/** One turn: each stage on a line of its own, by begin and end where the service tells them. */
const Detail = ({
  turn,
  wait,
  onHear
}: {
  readonly turn: CallTurn
  readonly wait: Wait | undefined
  readonly onHear: ((wait: Wait) => void) | undefined
}) => {
  const spans: ReadonlyArray<Bar & { readonly guessed?: boolean }> = spansOf(turn) ?? barsOf(turn)
  const begin = Math.min(0, ...spans.map(({ beginMs }) => beginMs))
  const end = Math.max(1, ...spans.map(({ endMs }) => endMs))
  const at = (value: number) => `${((value - begin) / (end - begin)) * 100}%`
  const service = answerMs(turn)
  const heard = wait === undefined ? undefined : wait.endMs - wait.beginMs
  return (
    <section aria-label={t("Turn {n}", { n: turn.turn })} className="mt-3 rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <h3 className="flex-1 font-semibold">{t("Turn {n}", { n: turn.turn })}</h3>
        {wait !== undefined && onHear !== undefined && (
          <Button small icon={Volume2} onClick={() => onHear(wait)}>
            {t("Hear the wait")}
          </Button>
        )}
      </div>
      <table className="w-full">
        <tbody>
          {spans.map(({ stage, beginMs, endMs, guessed = false }) => (
            <tr key={stage}>
              <th scope="row" className="w-28 px-3 py-1 text-start font-normal whitespace-nowrap">
                <span aria-hidden="true" className={cx("me-2 inline-block size-[9px] rounded-[3px]", fills[stage])} />
                {t(names[stage])}
              </th>
              <td aria-hidden="true" dir="ltr" className="relative">
                <span className="absolute inset-x-0 top-1/2 h-2.5 -translate-y-1/2 rounded bg-sunken" />
                <span
                  className={cx(
                    "absolute top-1/2 h-2.5 -translate-y-1/2 rounded-[2px]",
                    fills[stage],
                    guessed && "hatched"
                  )}
                  style={{ left: at(beginMs), width: `${((endMs - beginMs) / (end - begin)) * 100}%` }}
                />
              </td>
              <td className="num w-24 px-3 py-1 text-end whitespace-nowrap">
                {ms(endMs - beginMs)}
                {guessed && <span className="sr-only"> {t("begun on a guess")}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="mt-1 grid grid-cols-3 gap-2 border-t border-line px-3 py-2">
        {(
          [
            [t("On the recording"), heard === undefined ? "—" : seconds(heard)],
            [t("By the service"), service === undefined ? "—" : seconds(service)],
            [t("They agree within"), heard === undefined || service === undefined ? "—" : ms(Math.abs(heard - service))]
          ] as const
        ).map(([label, value]) => (
          <div key={label}>
            <dt className="text-label text-ink-3">{label}</dt>
            <dd className="num font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export const Waterfall = ({
  turns,
  waits,
  chosen,
  onChoose,
  onHear
}: {
  readonly turns: ReadonlyArray<CallTurn>
  /** The waits as they were measured on the recording, by turn. */
  readonly waits: ReadonlyMap<number, Wait>
  readonly chosen: number | undefined
  readonly onChoose: (turn: number) => void
  readonly onHear?: (wait: Wait) => void
}) => {
  const answered = turns.filter((turn) => answerMs(turn) !== undefined)
  /** What was heard, where there is a recording; else what the service says. */
  const totalOf = (turn: CallTurn) => {
    const wait = waits.get(turn.turn)
    return wait === undefined ? (answerMs(turn) ?? 0) : wait.endMs - wait.beginMs
  }
  const longest = Math.max(goalMs * 1.25, ...answered.map((turn) => Math.max(totalOf(turn), answerMs(turn) ?? 0)))
  const detail = answered.find(({ turn }) => turn === chosen)
  if (answered.length === 0) return <p className="py-4 text-ink-3">{t("No turn was measured.")}</p>
  return (
    <>
      <ol className="flex flex-col gap-0.5">
        {answered.map((turn) => {
          const total = totalOf(turn)
          return (
            <li key={turn.turn}>
              <button
                type="button"
                aria-pressed={turn.turn === chosen}
                onClick={() => onChoose(turn.turn)}
                className="grid w-full grid-cols-[28px_minmax(0,1fr)_auto] items-center gap-2 rounded-control px-1 py-1 text-start hover:bg-hover aria-pressed:bg-warn-soft pointer-coarse:min-h-11"
              >
                <span className="num grid size-[22px] place-items-center rounded-md border border-line bg-surface text-label font-semibold">
                  <span className="sr-only">{t("Turn {n}", { n: turn.turn })}</span>
                  <span aria-hidden="true">{number(turn.turn)}</span>
                </span>
                <span aria-hidden="true" dir="ltr" className="relative h-3.5">
                  {barsOf(turn).map(({ stage, beginMs, endMs }) => (
                    <span
                      key={stage}
                      className={cx("absolute inset-y-0 border-e border-surface", fills[stage])}
                      style={{
                        left: `${(beginMs / longest) * 100}%`,
                        width: `${((endMs - beginMs) / longest) * 100}%`
                      }}
                    />
                  ))}
                  <span
                    className="absolute -inset-y-1 border-s-[1.5px] border-dashed border-ink-3"
                    style={{ left: `${(goalMs / longest) * 100}%` }}
                  />
                </span>
                <b className={cx("num w-14 text-end font-semibold", total > goalMs * 1.5 ? "text-warn" : "text-ink")}>
                  {seconds(total)}
                </b>
              </button>
            </li>
          )
        })}
      </ol>
      <Legend />
      <p className="mt-1 text-small text-ink-3">
        {waits.size > 0
          ? t("The figures are measured on the recording; the line is the goal of {time}.", { time: seconds(goalMs) })
          : t("The figures are the service’s; the line is the goal of {time}.", { time: seconds(goalMs) })}
      </p>
      {detail !== undefined && <Detail turn={detail} wait={waits.get(detail.turn)} onHear={onHear} />}
    </>
  )
}
