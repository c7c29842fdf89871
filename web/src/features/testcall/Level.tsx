/** How loud both sides are, over the last seconds: the caller amber, the agent violet. Decoration: the transcript says the same in words. */
import { type RefObject, useEffect, useRef } from "react"
import type { Loudness } from "./useTestCall.ts"

const bars = 80

export const Level = ({ loudness }: { readonly loudness: RefObject<ReadonlyArray<Loudness>> }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext("2d")
    if (element === null || context === null || context === undefined) return
    const style = getComputedStyle(element)
    let frame = 0
    let drawn: ReadonlyArray<Loudness> | undefined
    const draw = () => {
      frame = requestAnimationFrame(draw)
      const all = loudness.current
      if (all === drawn) return
      drawn = all
      const scale = devicePixelRatio
      const [width, height] = [element.clientWidth, element.clientHeight]
      element.width = width * scale
      element.height = height * scale
      context.scale(scale, scale)
      const step = width / bars
      // Two frames of 20 ms are one bar.
      const begin = Math.max(0, all.length - bars * 2)
      const first = bars - Math.ceil((all.length - begin) / 2)
      for (let at = begin; at < all.length; at += 2) {
        const pair = [all[at], all[at + 1]]
        const caller = Math.max(...pair.map((one) => one?.caller ?? 0))
        const agent = Math.max(...pair.map((one) => one?.agent ?? 0))
        const loud = Math.max(caller, agent)
        const tall = Math.max(2, Math.sqrt(Math.min(1, loud)) * (height - 4))
        context.fillStyle = style.getPropertyValue(
          loud < 0.02 ? "--line-strong" : agent > caller ? "--ai" : "--contact"
        )
        context.fillRect((first + (at - begin) / 2) * step, (height - tall) / 2, Math.max(1, step - 2), tall)
      }
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [loudness])
  return (
    <div aria-hidden="true">
      <canvas ref={canvas} className="h-9 w-full rounded-lg bg-sunken" />
    </div>
  )
}
