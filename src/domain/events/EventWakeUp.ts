/**
 * Wakes readers of the event log when there is something new, so that they need not wait for their next look. Nothing depends on it: a reader
 * that is not woken finds the event a moment later. It says nothing about what is new.
 */
import { Context } from "effect"

export interface EventWakeUp {
  /** A transaction of this process that recorded events is committed. */
  readonly wake: () => void
  /** Another process said so. */
  readonly relay: () => void
  /** Calls `hear` for every wake-up of this process, and for relayed ones if these are wanted, until the function it gives is called. */
  readonly listen: (hear: () => void, wanted: { readonly relayed: boolean }) => () => void
}

export const makeEventWakeUp = (): EventWakeUp => {
  const own = new Set<() => void>()
  const all = new Set<() => void>()
  const tell = (listeners: ReadonlySet<() => void>) => {
    for (const hear of listeners) hear()
  }
  return {
    wake: () => {
      tell(own)
      tell(all)
    },
    relay: () => tell(all),
    listen: (hear, { relayed }) => {
      const listeners = relayed ? all : own
      listeners.add(hear)
      return () => void listeners.delete(hear)
    }
  }
}

/** One per process, unless another is provided. */
export const EventWakeUp = Context.Reference<EventWakeUp>("parley/domain/EventWakeUp", {
  defaultValue: makeEventWakeUp
})
