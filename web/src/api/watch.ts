/**
 * Which calls this browser watches: their words and turns come on the one stream that its tabs share. Each tab says which calls it shows; the tab that
 * reads the stream tells the service all of them.
 */
import { AnswerError } from "@parley/client"
import { useEffect } from "react"
import { newKey } from "../lib/newKey.ts"
import { parley } from "./client.ts"

/** The service takes so many for one stream. */
export const mostWatched = 20

/** By tab. */
const watched = new Map<string, ReadonlyArray<string>>()
const tab = newKey()
/** By component of this tab. */
const mine = new Map<object, ReadonlyArray<string>>()
/** The stream that this tab reads, if it is the one that reads. */
let streamId: string | undefined
let planned = false

export interface WatchTold {
  readonly kind: "watch"
  readonly tab: string
  readonly calls: ReadonlyArray<string>
}

let announce: (told: WatchTold) => void = () => undefined

const tellService = () => {
  if (planned || streamId === undefined) return
  planned = true
  queueMicrotask(async () => {
    planned = false
    if (streamId === undefined) return
    const calls = [...new Set([...watched.values()].flat())].slice(0, mostWatched)
    try {
      await parley.events.watch(streamId, { calls })
    } catch (cause) {
      // The stream has ended meanwhile: the next one begins with the same calls.
      if (!(cause instanceof AnswerError && cause.status === 404)) console.warn(cause)
    }
  })
}

/** Says again what this tab shows: to a tab that has just begun to read. */
export const sayWatched = (): void => {
  const calls = [...new Set([...mine.values()].flat())]
  if (calls.length === 0 && !watched.has(tab)) return
  watched.set(tab, calls)
  announce({ kind: "watch", tab, calls })
  tellService()
}

/** What another tab shows. */
export const hearWatched = ({ tab: other, calls }: WatchTold): void => {
  if (calls.length === 0) watched.delete(other)
  else watched.set(other, calls)
  tellService()
}

/** The stream of this tab; undefined when it has broken off, or another tab reads. */
export const setStream = (id: string | undefined): void => {
  streamId = id
  if (id !== undefined && [...watched.values()].some((calls) => calls.length > 0)) tellService()
}

/** How this tab reaches the others. */
export const setAnnounce = (send: (told: WatchTold) => void): void => {
  announce = send
}

if (typeof addEventListener === "function")
  addEventListener("pagehide", () => {
    if (watched.has(tab)) announce({ kind: "watch", tab, calls: [] })
  })

/** Watches calls for as long as the component is shown. */
export const useWatched = (calls: ReadonlyArray<string>): void => {
  const list = calls.slice(0, mostWatched).join(" ")
  useEffect(() => {
    if (list === "") return
    const token = {}
    mine.set(token, list.split(" "))
    sayWatched()
    return () => {
      mine.delete(token)
      sayWatched()
    }
  }, [list])
}
