/** Plots as SVG text. */
import { type Bin, histogram, percentile } from "./Statistics.ts"

export interface Histogram {
  readonly _tag: "Histogram"
  readonly title: string
  readonly unit: string
  readonly values: ReadonlyArray<number>
  /** Drawn as a line: what was promised. */
  readonly limit?: number
}

/** Points joined by a line. */
export interface Series {
  readonly _tag: "Series"
  readonly title: string
  readonly xUnit: string
  readonly unit: string
  readonly points: ReadonlyArray<readonly [x: number, y: number]>
}

/** One figure of each of several things. */
export interface Bars {
  readonly _tag: "Bars"
  readonly title: string
  readonly unit: string
  readonly bars: ReadonlyArray<readonly [name: string, value: number]>
  /** Drawn as a line: what was promised. */
  readonly limit?: number
}

export type Plot = Histogram | Series | Bars

const [width, height, left, bottom] = [720, 240, 50, 30]
const [right, top] = [width - 10, 10]

const svg = (content: ReadonlyArray<string>, high = height) =>
  `<svg viewBox="0 0 ${width} ${high}" width="${width}" font-family="system-ui,sans-serif" font-size="11">${content.join("")}</svg>`

const scale = (low: number, high: number, from: number, to: number) => {
  const range = high - low || 1
  return (value: number) => Math.round((from + ((value - low) / range) * (to - from)) * 10) / 10
}

const label = (x: number, y: number, text: string, anchor = "middle") =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#555">${text}</text>`

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const figure = (value: number) => String(Number(value.toPrecision(3)))

const axes = (xLabels: ReadonlyArray<readonly [number, string]>, most: number) => [
  `<path d="M${left} ${top}V${height - bottom}H${right}" fill="none" stroke="#999"/>`,
  label(left - 5, top + 10, figure(most), "end"),
  ...xLabels.map(([x, text]) => label(x, height - bottom + 15, text))
]

const upright = (x: number, colour: string, text: string, to = height - bottom) =>
  `<path d="M${x} ${top}V${to}" stroke="${colour}" stroke-dasharray="4 3"/>${label(x + 3, top + 10, text, "start")}`

const histogramSvg = ({ values, unit, limit }: Histogram): string => {
  const bins: ReadonlyArray<Bin> = histogram(values)
  if (bins.length === 0) return svg([label(width / 2, height / 2, "nothing was measured")])
  const low = Math.min(bins[0].from, limit ?? Number.POSITIVE_INFINITY)
  const high = Math.max(bins[bins.length - 1].to, limit ?? Number.NEGATIVE_INFINITY)
  const most = Math.max(...bins.map(({ count }) => count))
  const x = scale(low, high, left, right)
  const y = scale(0, most, height - bottom, top)
  const bars = bins.map(
    ({ from, to, count }) =>
      `<rect x="${x(from)}" y="${y(count)}" width="${Math.max(1, x(to) - x(from) - 1)}" height="${y(0) - y(count)}" fill="#4a7fb5"/>`
  )
  const [p50, p99] = [percentile(values, 0.5), percentile(values, 0.99)]
  return svg([
    ...bars,
    ...axes(
      [
        [x(low), `${figure(low)} ${unit}`],
        [x(high) - 20, `${figure(high)} ${unit}`]
      ],
      most
    ),
    upright(x(p50), "#2a2", `p50 ${figure(p50)}`),
    upright(x(p99), "#a62", `p99 ${figure(p99)}`),
    ...(limit === undefined ? [] : [upright(x(limit), "#c22", `limit ${figure(limit)}`)])
  ])
}

const seriesSvg = ({ points, xUnit, unit }: Series): string => {
  if (points.length === 0) return svg([label(width / 2, height / 2, "nothing was measured")])
  const xs = points.map(([x]) => x)
  const [low, high] = [Math.min(...xs), Math.max(...xs)]
  const most = Math.max(0, ...points.map(([, y]) => y))
  const x = scale(low, high, left, right)
  const y = scale(0, most, height - bottom, top)
  const path = points.map(([px, py], i) => `${i === 0 ? "M" : "L"}${x(px)} ${y(py)}`).join("")
  return svg([
    `<path d="${path}" fill="none" stroke="#4a7fb5" stroke-width="1.5"/>`,
    ...axes(
      [
        [x(low), `${figure(low)} ${xUnit}`],
        [x(high) - 20, `${figure(high)} ${xUnit}`]
      ],
      most
    ),
    label(left + 5, top + 10, unit, "start")
  ])
}

const barHeight = 24
/** Room for names, at the left of the bars. */
const nameWidth = 240

const barsSvg = ({ bars, unit, limit }: Bars): string => {
  const measured = bars.filter(([, value]) => Number.isFinite(value))
  if (measured.length === 0) return svg([label(width / 2, height / 2, "nothing was measured")])
  const x = scale(0, Math.max(0, limit ?? 0, ...measured.map(([, value]) => value)), nameWidth, right - 80)
  const [bottomOf, low] = [(row: number) => top + 15 + (row + 1) * barHeight, x(0)]
  const rows = measured.flatMap(([name, value], row) => [
    label(low - 5, bottomOf(row) - 7, escaped(name), "end"),
    `<rect x="${low}" y="${bottomOf(row) - barHeight + 4}" width="${Math.max(1, x(value) - low)}" height="${barHeight - 6}" fill="#4a7fb5"/>`,
    label(x(value) + 5, bottomOf(row) - 7, `${figure(value)} ${unit}`, "start")
  ])
  const high = bottomOf(measured.length - 1) + 5
  return svg(
    [...rows, ...(limit === undefined ? [] : [upright(x(limit), "#c22", `limit ${figure(limit)}`, high)])],
    high
  )
}

export const plotSvg = (plot: Plot): string => {
  if (plot._tag === "Histogram") return histogramSvg(plot)
  return plot._tag === "Series" ? seriesSvg(plot) : barsSvg(plot)
}
