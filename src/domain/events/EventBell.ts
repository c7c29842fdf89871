/**
 * Says that there is something new in the event log, so that readers need not wait for their next look. Nothing depends on it: who does not
 * hear it finds the event a moment later. It says nothing about what is new.
 */
import { Context } from "effect"

export interface EventBell {
  /** A transaction of this process that recorded events is committed. */
  readonly ring: () => void
  /** Another process said so. */
  readonly echo: () => void
  /** Calls `hear` for every ring, and for echoes if these are wanted, until the function it gives is called. */
  readonly listen: (hear: () => void, wanted: { readonly echoes: boolean }) => () => void
}

export const makeEventBell = (): EventBell => {
  const own = new Set<() => void>()
  const all = new Set<() => void>()
  const tell = (listeners: ReadonlySet<() => void>) => {
    for (const hear of listeners) hear()
  }
  return {
    ring: () => {
      tell(own)
      tell(all)
    },
    echo: () => tell(all),
    listen: (hear, { echoes }) => {
      const listeners = echoes ? all : own
      listeners.add(hear)
      return () => void listeners.delete(hear)
    }
  }
}

/** One per process, unless another is provided. */
export const EventBell = Context.Reference<EventBell>("parley/domain/EventBell", { defaultValue: makeEventBell })
