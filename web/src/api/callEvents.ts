/** Tells the parts of a page what goes on in calls at this moment. Whoever shows it reads the records after a pause: nothing is sent again. */
import { useEffect, useRef } from "react"
import type { CallEvent } from "./callEvent.ts"

const listeners = new Set<(event: CallEvent) => void>()

export const tellCallEvent = (event: CallEvent): void => {
  for (const listener of listeners) listener(event)
}

/** Told each of them for as long as the component is shown. */
export const useCallEvents = (listener: (event: CallEvent) => void): void => {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const told = (event: CallEvent) => latest.current(event)
    listeners.add(told)
    return () => void listeners.delete(told)
  }, [])
}
