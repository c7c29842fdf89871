/**
 * Messages between the processes of the service, about what is true only now: who looks at a conversation, what is being said in a call. Nothing is kept:
 * who does not listen misses it, and a message may be lost. What must arrive is an event (`domain/events`).
 */
import { Context } from "effect"
import type { JsonObject } from "../Json.ts"

export interface BusMessage {
  readonly organizationId: string
  /** `<kind>.<what>`, e.g. `conversation.presence`. */
  readonly type: string
  /** Unix milliseconds. */
  readonly at: number
  readonly data: JsonObject
}

type Hear = (message: BusMessage) => void

export interface ProcessBus {
  /** Sends a message to all listeners of this process, and of the others. A listener must not throw, and not wait. */
  readonly publish: (message: BusMessage) => void
  /** Call it with a message of another process. */
  readonly relay: (message: BusMessage) => void
  /** Calls `hear` for every message of this process, and with `relayed` also for those of others. Gives a function that ends this. */
  readonly listen: (hear: Hear, wanted: { readonly relayed: boolean }) => () => void
}

export const makeProcessBus = (): ProcessBus => {
  const own = new Set<Hear>()
  const all = new Set<Hear>()
  const tell = (listeners: ReadonlySet<Hear>, message: BusMessage) => {
    for (const hear of listeners) hear(message)
  }
  return {
    publish: (message) => {
      tell(own, message)
      tell(all, message)
    },
    relay: (message) => tell(all, message),
    listen: (hear, { relayed }) => {
      const listeners = relayed ? all : own
      listeners.add(hear)
      return () => void listeners.delete(hear)
    }
  }
}

/** The bus of this process, unless another one is provided. */
export const ProcessBus = Context.Reference<ProcessBus>("parley/domain/ProcessBus", { defaultValue: makeProcessBus })
