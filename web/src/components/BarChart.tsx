/** Bars that stand for periods, of one or two parts above each other. Their numbers are in a table under it. */
import { number } from "../lib/format.ts"
import { t } from "../lib/i18n.ts"
import { NumberTable } from "./NumberTable.tsx"

export interface Part {
  readonly name: string
  /** The colour of its bars and of its sign in the legend. */
  readonly fill: "fill-accent" | "fill-contact" | "fill-ai"
}

export interface Bar {
  readonly label: string
  /** One value for each part. */
  readonly values: ReadonlyArray<number>
}

const [width, height, foot] = [720, 180, 20]

/** A round number at least as large: 1, 2 or 5 times a power of ten. */
const roundUp = (value: number): number => {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return [1, 2, 5, 10].map((times) => times * step).find((one) => one >= value) ?? step
}

export const BarChart = ({
  title,
  of,
  parts,
  bars
}: {
  readonly title: string
  /** What a bar stands for, e.g. a day: the head of the first column. */
  readonly of: string
  readonly parts: ReadonlyArray<Part>
  readonly bars: ReadonlyArray<Bar>
}) => {
  const top = roundUp(Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0))))
  const slot = width / Math.max(1, bars.length)
  const y = (value: number) => (value / top) * height
  const every = Math.ceil(bars.length / 8)
  return (
    <div className="flex flex-col gap-2">
      {parts.length > 1 && (
        <p aria-hidden="true" className="flex gap-4 text-small text-ink-2">
          {parts.map(({ name, fill }) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <svg aria-hidden="true" width="10" height="10" className={fill}>
                <rect width="10" height="10" rx="2" />
              </svg>
              {name}
            </span>
          ))}
        </p>
      )}
      <svg
        role="img"
        aria-label={t("{title}: up to {n}", { title, n: number(top) })}
        viewBox={`0 0 ${width} ${height + foot}`}
        className="w-full"
      >
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1="0"
            x2={width}
            y1={height - y(top * share)}
            y2={height - y(top * share)}
            className="stroke-line"
          />
        ))}
        {bars.map(({ label, values }, at) => {
          let below = 0
          return (
            <g key={label}>
              {values.map((value, part) => {
                const from = height - y(below + value)
                below += value
                return (
                  <rect
                    key={parts[part]?.name}
                    x={at * slot + slot * 0.15}
                    width={slot * 0.7}
                    y={from}
                    height={y(value)}
                    className={parts[part]?.fill ?? ""}
                  />
                )
              })}
              {at % every === 0 && (
                <text
                  // A label that is wider than its bar would begin outside of the picture.
                  x={at === 0 && every > 1 ? 0 : at * slot + slot / 2}
                  y={height + 15}
                  textAnchor={at === 0 && every > 1 ? "start" : "middle"}
                  className="fill-ink-3 text-[11px]"
                >
                  {label}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <NumberTable
        title={title}
        head={[of, ...parts.map(({ name }) => name)]}
        rows={bars.map(({ label, values }) => [
          label,
          ...values.map((value) => number(value, { maximumFractionDigits: 2 }))
        ])}
      />
    </div>
  )
}
