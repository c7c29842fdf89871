/** Plays a voice: one at a time, and the same again stops it. */
import { useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { sayProblem } from "../../lib/toasts.ts"
import type { Settings } from "./draft.ts"

type Asked = Pick<Settings, "voiceFamily" | "voiceId" | "primaryLanguage"> & { readonly text: string }

const longest = 300

export const usePreview = () => {
  const [playing, setPlaying] = useState<string>()
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const toggle = async ({ text, ...voice }: Asked) => {
    const was = playing
    stop.current?.()
    if (was === voice.voiceId) return
    const asking = new AbortController()
    let url: string | undefined
    const audio = new Audio()
    const end = () => {
      asking.abort()
      audio.pause()
      if (url !== undefined) URL.revokeObjectURL(url)
      if (stop.current === end) {
        stop.current = undefined
        setPlaying(undefined)
      }
    }
    stop.current = end
    setPlaying(voice.voiceId)
    try {
      const said = text.replace(/\s+/g, " ").trim().slice(0, longest)
      const file = await parley.voices.preview({ ...voice, text: said }, { signal: asking.signal })
      const blob = await file.blob()
      if (asking.signal.aborted) return
      url = URL.createObjectURL(blob)
      audio.src = url
      audio.addEventListener("ended", end)
      await audio.play()
    } catch (cause) {
      if (!asking.signal.aborted) sayProblem(cause)
      end()
    }
  }
  return { playing, toggle }
}
