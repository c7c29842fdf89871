/**
 * Wakes readers of the event log when there are new events, so that they need not wait for their next poll. It is only an optimization: a reader that
 * is not woken finds the event a moment later. A wake-up does not say which events are new.
 */
import { Context } from "effect"

export interface EventWakeUp {
  /** Call it when a transaction of this process that recorded events is committed. */
  readonly wake: () => void
  /** Call it when another process reports new events. */
  readonly relay: () => void
  /** Calls `hear` for every wake-up of this process, and with `relayed` also for those of others. Gives a function that ends this. */
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

/** The wake-up of this process, unless another one is provided. */
export const EventWakeUp = Context.Reference<EventWakeUp>("parley/domain/EventWakeUp", {
  defaultValue: makeEventWakeUp
})
