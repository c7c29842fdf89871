/** Plays a recording: where it is, how fast, and how to get elsewhere. */
import { useEffect, useRef, useState } from "react"

export interface Player {
  readonly playing: boolean
  readonly at: number
  readonly rate: number
  readonly toggle: () => void
  /** Goes to a second of the recording; with `until` it plays just that span. */
  readonly seek: (seconds: number, until?: number) => void
  readonly setRate: (rate: number) => void
}

export const usePlayer = (url: string | undefined, begin: number): Player => {
  const audio = useRef<HTMLAudioElement>(undefined)
  const stopAt = useRef<number>(undefined)
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(begin)
  const [rate, setRate] = useState(1)
  useEffect(() => {
    if (url === undefined) return
    const element = new Audio()
    element.preload = "metadata"
    element.src = url
    element.addEventListener("loadedmetadata", () => {
      if (begin > 0) element.currentTime = begin
    })
    audio.current = element
    let frame = 0
    const follow = () => {
      setAt(element.currentTime)
      if (stopAt.current !== undefined && element.currentTime >= stopAt.current) {
        stopAt.current = undefined
        element.pause()
      }
      if (!element.paused) frame = requestAnimationFrame(follow)
    }
    element.addEventListener("play", () => {
      setPlaying(true)
      follow()
    })
    element.addEventListener("pause", () => setPlaying(false))
    element.addEventListener("seeked", () => setAt(element.currentTime))
    return () => {
      cancelAnimationFrame(frame)
      element.pause()
      element.removeAttribute("src")
      element.load()
      audio.current = undefined
    }
  }, [url, begin])
  useEffect(() => {
    if (audio.current !== undefined) audio.current.playbackRate = rate
  }, [rate])
  const play = () => void audio.current?.play().catch(() => setPlaying(false))
  return {
    playing,
    at,
    rate,
    setRate,
    toggle: () => {
      stopAt.current = undefined
      if (audio.current?.paused === false) audio.current.pause()
      else play()
    },
    seek: (seconds, until) => {
      const element = audio.current
      setAt(Math.max(0, seconds))
      if (element === undefined) return
      stopAt.current = until
      element.currentTime = Math.max(
        0,
        Math.min(seconds, Number.isFinite(element.duration) ? element.duration : seconds)
      )
      if (until !== undefined) play()
    }
  }
}
