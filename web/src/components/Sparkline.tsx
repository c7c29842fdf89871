/** A small line of how a figure went, without axes: it stands beside the figure itself. Its last point is marked. */
import { number } from "../lib/format.ts"
import { t } from "../lib/i18n.ts"

const [width, height, edge] = [120, 28, 3]

/** `values`: one for each period, the oldest first. */
export const Sparkline = ({ values }: { readonly values: ReadonlyArray<number> }) => {
  const most = Math.max(...values)
  const last = values.at(-1)
  if (last === undefined) return null
  const x = (at: number) => edge + (at * (width - 2 * edge)) / Math.max(1, values.length - 1)
  const y = (value: number) => height - edge - (value / Math.max(1, most)) * (height - 2 * edge)
  return (
    <svg
      role="img"
      aria-label={t("{n, plural, one {# period} other {# periods}}: at most {most}, the last one {last}", {
        n: values.length,
        most: number(most),
        last: number(last)
      })}
      viewBox={`0 0 ${width} ${height}`}
      // Time runs as the page is read.
      className="mt-1 block h-7 w-30 stroke-accent rtl:-scale-x-100"
    >
      <polyline
        points={values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx={x(values.length - 1)} cy={y(last)} r="2.5" className="fill-accent" />
    </svg>
  )
}
