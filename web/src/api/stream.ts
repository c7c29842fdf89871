/**
 * One stream of events for all tabs of a browser. A Web Lock chooses the tab that reads it; a BroadcastChannel hands what comes to the others. When that
 * tab closes, its lock is free, and the next one goes on after the last event.
 */
import { AnswerError, type Event, type EventGap } from "@parley/client"
import { useSyncExternalStore } from "react"
import { parley } from "./client.ts"
import { hearWatched, sayWatched, setAnnounce, setStream, type WatchTold } from "./watch.ts"

export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "offline"; readonly since: number }

type Told =
  | { readonly kind: "event"; readonly event: Event | EventGap }
  | { readonly kind: "connection"; readonly connection: Connection }
  | { readonly kind: "hello" }
  | WatchTold

let connection: Connection = { state: "connecting" }
const listeners = new Set<() => void>()

const setConnection = (next: Connection) => {
  if (next.state === connection.state) return
  connection = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether what the page shows is up to date. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection)

const lastKey = "parley.lastEvent"

/** Keeps where to go on. Passing events, e.g. who is looking at a conversation, have no id. */
const remember = (event: Event | EventGap) => {
  if ("id" in event && event.id !== undefined) sessionStorage.setItem(lastKey, event.id)
}

/** Reads the stream until the signal ends it. The client opens it again by itself; a browser that is online or seen again does not wait for that. */
const read = async (signal: AbortSignal, told: (message: Told) => void) => {
  const say = (next: Connection) => {
    setConnection(next)
    told({ kind: "connection", connection: next })
  }
  const onConnection = (open: boolean) => {
    if (!open) setStream(undefined)
    if (open) say({ state: "live" })
    else if (connection.state !== "offline") say({ state: "offline", since: Date.now() })
  }
  while (!signal.aborted) {
    const again = new AbortController()
    const openAgain = () => {
      if (!document.hidden && navigator.onLine && connection.state === "offline") again.abort()
    }
    const lost = () => {
      onConnection(false)
      again.abort()
    }
    addEventListener("online", openAgain)
    addEventListener("offline", lost)
    document.addEventListener("visibilitychange", openAgain)
    try {
      const lastEventId = sessionStorage.getItem(lastKey) ?? undefined
      const stream = parley.events.stream(
        {},
        { signal: AbortSignal.any([signal, again.signal]), lastEventId, onConnection, onStream: setStream }
      )
      for await (const event of stream) {
        remember(event)
        told({ kind: "event", event })
      }
    } catch (cause) {
      // The session is over: whoever signs in again opens a new stream.
      if (cause instanceof AnswerError) return
      if (!signal.aborted && !again.signal.aborted) throw cause
    } finally {
      removeEventListener("online", openAgain)
      removeEventListener("offline", lost)
      document.removeEventListener("visibilitychange", openAgain)
    }
  }
}

/** Hands events to `sink` until the returned function is called. `organizationId` keeps browsers apart in which two people sign in one after the other. */
export const openStream = (organizationId: string, sink: (event: Event | EventGap) => void): (() => void) => {
  const name = `parley.events.${organizationId}`
  const channel = new BroadcastChannel(name)
  const end = new AbortController()
  let reads = false
  const told = (message: Told) => {
    channel.postMessage(message)
    if (message.kind === "event") sink(message.event)
  }
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind === "hello") {
      if (reads) channel.postMessage({ kind: "connection", connection } satisfies Told)
    } else if (data.kind === "watch") hearWatched(data)
    else if (data.kind === "connection") {
      setConnection(data.connection)
      if (data.connection.state === "live") sayWatched()
    } else {
      remember(data.event)
      sink(data.event)
    }
  }
  channel.postMessage({ kind: "hello" } satisfies Told)
  setAnnounce((told) => channel.postMessage(told))
  const run = () => {
    reads = true
    return read(end.signal, told)
  }
  // Without TLS a browser has no locks, except on this machine: each tab then reads a stream of its own.
  if ("locks" in navigator)
    navigator.locks.request(name, { signal: end.signal }, run).catch((cause: unknown) => {
      if (!end.signal.aborted) throw cause
    })
  else void run()
  return () => {
    end.abort()
    setAnnounce(() => undefined)
    setStream(undefined)
    channel.close()
    connection = { state: "connecting" }
  }
}
