/** People who listen to live calls, as the dashboard does: each is invited over the REST interface, and gets what both sides say. */
import { WebSocket } from "ws"
import type { Limit } from "../support/Report.ts"
import { summarize } from "../support/Statistics.ts"
import type { Table } from "../support/Table.ts"
import type { Stage } from "./Stage.ts"

/** What a listener may be behind, so also the longest time without sound. Milliseconds. */
const mostBehindMs = 300
/** Of sound, mu-law. */
const bytesPerSecond = 8_000

/** What the listeners heard since they were last asked. */
export interface Listened {
  /** How many listened at the end. */
  readonly listeners: number
  /** How many were asked for. */
  readonly asked: number
  /** Seconds of sound that each got for each second. */
  readonly shares: ReadonlyArray<number>
  /** Milliseconds from one piece of sound to the next. */
  readonly gapsMs: ReadonlyArray<number>
}

export interface Listeners {
  /** Counts anew. */
  readonly begin: () => void
  readonly heard: () => Listened
  readonly close: () => void
}

interface Ear {
  readonly socket: WebSocket
  bytes: number
  lastAt: number
  gapsMs: Array<number>
}

const ask = async (url: string, key: string, method: "GET" | "POST"): Promise<unknown> => {
  const answer = await fetch(url, { method, headers: { authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** The place where somebody may listen to the call: its address at the engine. */
const invitation = async ({ baseUrl, engineUrl }: Places, key: string, callId: string): Promise<string> => {
  const { url } = (await ask(`${baseUrl}/api/calls/${callId}/listen`, key, "POST")) as { readonly url: string }
  const { pathname, search } = new URL(url)
  return `${engineUrl.replace("http", "ws")}${pathname}${search}`
}

type Places = Pick<Stage, "baseUrl" | "engineUrl" | "organizations">

/** Resolves when so many listen, each to another call; with fewer calls, to as many as there are. */
export const openListeners = async (places: Places, count: number): Promise<Listeners> => {
  const calls: Array<{ readonly key: string; readonly id: string }> = []
  for (const { key } of places.organizations) {
    const { data } = (await ask(`${places.baseUrl}/api/calls/live`, key, "GET")) as {
      readonly data: ReadonlyArray<{ readonly id: string }>
    }
    calls.push(...data.map(({ id }) => ({ key, id })))
  }
  const ears = await Promise.all(
    calls.slice(0, count).map(async ({ key, id }) => {
      const socket = new WebSocket(await invitation(places, key, id))
      const ear: Ear = { socket, bytes: 0, lastAt: performance.now(), gapsMs: [] }
      socket.on("message", (sound: Buffer) => {
        const now = performance.now()
        ear.gapsMs.push(now - ear.lastAt)
        ear.lastAt = now
        ear.bytes += sound.length
      })
      await new Promise<void>((resolve, reject) => {
        socket.once("open", resolve)
        socket.once("error", reject)
      })
      return ear
    })
  )
  let began = performance.now()
  return {
    begin: () => {
      began = performance.now()
      for (const ear of ears) {
        ear.bytes = 0
        ear.lastAt = began
        ear.gapsMs = []
      }
    },
    heard: () => {
      const seconds = (performance.now() - began) / 1_000
      return {
        listeners: ears.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length,
        asked: count,
        shares: ears.map(({ bytes }) => bytes / bytesPerSecond / seconds),
        gapsMs: ears.flatMap(({ gapsMs }) => gapsMs)
      }
    },
    close: () => {
      for (const { socket } of ears) socket.terminate()
    }
  }
}

export const listenedTable = ({ listeners, shares, gapsMs }: Listened): Table => {
  const gaps = summarize(gapsMs)
  return {
    title: "What people who listened heard",
    columns: ["listeners", "least sound, s for each second", "ms between pieces p50", "p99", "max"],
    rows: [
      [
        String(listeners),
        shares.length === 0 ? "–" : Math.min(...shares).toFixed(3),
        ...[gaps.p50, gaps.p99, gaps.max].map((ms) => ms.toFixed(1))
      ]
    ]
  }
}

export const listenedLimits = ({ listeners, asked, gapsMs }: Listened): ReadonlyArray<Limit> => [
  { name: `listeners missing of ${asked}`, value: asked - listeners, unit: "", most: 0 },
  { name: "longest time without sound for a listener", value: summarize(gapsMs).max, unit: "ms", most: mostBehindMs }
]
