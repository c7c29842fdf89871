/** What the palette offers besides pages: each part of a page adds its own actions for as long as it is shown. */
import { useEffect, useRef, useSyncExternalStore } from "react"
import type { Choice } from "../../components/Picker.tsx"

const groups = new Map<object, { readonly current: ReadonlyArray<Choice> }>()
const listeners = new Set<() => void>()
let version = 0

const publish = () => {
  version++
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Adds actions to the palette for as long as the component is shown. */
export const useActions = (actions: ReadonlyArray<Choice>): void => {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const token = {}
    groups.set(token, latest)
    publish()
    return () => {
      groups.delete(token)
      publish()
    }
  }, [])
}

/** All actions now. */
export const useAllActions = (): ReadonlyArray<Choice> => {
  useSyncExternalStore(subscribe, () => version)
  return [...groups.values()].toReversed().flatMap(({ current }) => current)
}
