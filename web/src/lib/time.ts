/** The time now, for everything on a page that says how long ago or until when: one timer for all of them. */
import { useSyncExternalStore } from "react"

const everyMs = 15_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time now in milliseconds, renewed every 15 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
