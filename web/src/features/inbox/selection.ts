/** The conversations that are selected, for changes of several at once. They are of the view that is shown: another view forgets them. */
import { useSyncExternalStore } from "react"

let selected: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

const publish = (next: ReadonlySet<string>) => {
  selected = next
  for (const listener of listeners) listener()
}

/** Selects a conversation, or not any more. */
export const toggle = (id: string): void => {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  publish(next)
}

export const select = (ids: ReadonlyArray<string>): void => publish(new Set([...selected, ...ids]))

export const clearSelection = (): void => {
  if (selected.size > 0) publish(new Set())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSelection = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => selected)
