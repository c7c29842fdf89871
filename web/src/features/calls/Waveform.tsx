/** Both sides of a call over time: the caller above, the agent below, the waits of the caller between them. A slider, for keyboard and pointer. */
import type { CallPeaks, Utterance } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { length, seconds } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { heardAt, slowMs, type Wait } from "./turns.ts"
import type { Player } from "./usePlayer.ts"

const points = 1_400

/** How loud both sides were, 0 to 255, and the waits as they are heard. */
export const usePeaks = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: [...keys.call(id), "peaks"],
    enabled,
    queryFn: ({ signal }) => parley.calls.peaks(id, { points }, { signal })
  })

const draw = (
  canvas: HTMLCanvasElement,
  peaks: CallPeaks | undefined,
  waits: ReadonlyArray<Wait>,
  duration: number
) => {
  const context = canvas.getContext("2d")
  if (context === null) return
  const scale = devicePixelRatio
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  canvas.width = width * scale
  canvas.height = height * scale
  context.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(name)
  const x = (ms: number) => (ms / 1000 / duration) * width
  for (const { beginMs, endMs } of waits) {
    context.fillStyle = colour(endMs - beginMs > slowMs ? "--warn-soft" : "--line")
    context.fillRect(x(beginMs), 0, Math.max(2, x(endMs) - x(beginMs)), height)
  }
  context.fillStyle = colour("--line")
  context.fillRect(0, height / 2, width, 1)
  if (peaks === undefined) return
  const bars = Math.floor(width / 3)
  const side = (values: ReadonlyArray<number>, centre: number, fill: string) => {
    context.fillStyle = fill
    const loudest = values.reduce((most, value) => Math.max(most, value), 12)
    for (let bar = 0; bar < bars; bar++) {
      let peak = 0
      const end = Math.ceil(((bar + 1) * points) / bars)
      for (let at = Math.floor((bar * points) / bars); at < end; at++) peak = Math.max(peak, values[at] ?? 0)
      const tall = (peak / loudest) * (height / 2 - 6)
      if (tall >= 1) context.fillRect(bar * 3, centre - tall / 2, 2, tall)
    }
  }
  side(peaks.caller, height / 4, colour("--contact"))
  side(peaks.agent, (height * 3) / 4, colour("--ai"))
}

export interface WaveformProps {
  readonly peaks: CallPeaks | undefined
  readonly duration: number
  readonly utterances: ReadonlyArray<Utterance>
  readonly waits: ReadonlyArray<Wait>
  readonly names: { readonly caller: string; readonly agent: string }
  readonly player: Player
}

export const Waveform = ({ peaks, duration, utterances, waits, names, player }: WaveformProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const again = () => draw(element, peaks, waits, duration)
    again()
    const resized = new ResizeObserver(again)
    resized.observe(element)
    const themed = new MutationObserver(again)
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] })
    return () => {
      resized.disconnect()
      themed.disconnect()
    }
  }, [peaks, waits, duration])
  const speaker = heardAt(utterances, player.at * 1000)
  const time = length(player.at)
  const speaks = speaker !== undefined && player.at * 1000 <= speaker.endMs
  const toPointer = (event: React.PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    player.seek(Math.max(0, Math.min(1, (event.clientX - left) / width)) * duration)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      dir="ltr"
      aria-label={t("Waveform of the recording")}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(player.at)}
      aria-valuetext={
        speaks ? t("{time}, {name} speaks", { time, name: names[speaker.role] }) : t("{time}, silence", { time })
      }
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        toPointer(event)
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) toPointer(event)
      }}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        player.seek(player.at + step)
      }}
      className="relative h-32 cursor-pointer touch-none select-none"
    >
      <canvas ref={canvas} className="size-full" />
      {waits
        .filter(({ beginMs, endMs }) => endMs - beginMs >= 300)
        .map(({ beginMs, endMs }) => (
          <span
            key={beginMs}
            aria-hidden="true"
            className="num absolute -top-4 -translate-x-1/2 text-[0.65625rem] whitespace-nowrap text-ink-3"
            style={{ left: `${((beginMs + endMs) / 2 / 1000 / duration) * 100}%` }}
          >
            {seconds(endMs - beginMs)}
          </span>
        ))}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute -inset-y-1 w-0.5 bg-ink"
        style={{ left: `${Math.min(100, (player.at / duration) * 100)}%` }}
      />
    </div>
  )
}
