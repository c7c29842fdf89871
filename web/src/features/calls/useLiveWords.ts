/** What is said in a call while it goes on: what the record has already, and what the stream brings. */
import type { Utterance } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useCallEvents } from "../../api/callEvents.ts"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useConnection } from "../../api/stream.ts"
import { useWatched } from "../../api/watch.ts"

export type Line =
  | {
      readonly kind: "words"
      readonly role: "caller" | "agent"
      /** A person said it in the agent's place. */
      readonly by?: "person" | undefined
      readonly text: string
      readonly startMs: number
      readonly interrupted: boolean
    }
  | { readonly kind: "turn"; readonly turn: number; readonly answeredMs: number }

const keyOf = ({ role, startMs }: { readonly role: string; readonly startMs: number }) => `${role} ${startMs}`

/** The lines that came live, with the utterances of the record that they do not have, in order. */
export const withRecord = (lines: ReadonlyArray<Line>, utterances: ReadonlyArray<Utterance>): ReadonlyArray<Line> => {
  const live = new Set(lines.flatMap((line) => (line.kind === "words" ? [keyOf(line)] : [])))
  const missed = utterances.filter((utterance) => !live.has(keyOf(utterance)))
  if (missed.length === 0) return lines
  const all: Array<Line> = [...lines]
  for (const { role, by, text, startMs, interrupted } of missed) {
    const later = all.findIndex((line) => line.kind === "words" && line.startMs > startMs)
    all.splice(later < 0 ? all.length : later, 0, { kind: "words", role, by, text, startMs, interrupted })
  }
  return all
}

/** `spoken`: what the agent is saying at this moment. */
export const useLiveWords = (callId: string | undefined) => {
  const client = useQueryClient()
  const [lines, setLines] = useState<ReadonlyArray<Line>>([])
  const [spoken, setSpoken] = useState("")
  useWatched(callId === undefined ? [] : [callId])
  useEffect(() => {
    if (callId === undefined) return
    setLines([])
    setSpoken("")
  }, [callId])
  useCallEvents((event) => {
    if (event.type === "call.words" && event.data.call.id === callId) {
      const { role, by, text, final, startMs } = event.data
      if (!final) setSpoken((before) => (before === "" ? text : `${before} ${text}`))
      else {
        if (role === "agent") setSpoken("")
        setLines((before) => [...before, { kind: "words", role, by, text, startMs, interrupted: false }])
      }
    } else if (event.type === "call.turn" && event.data.call.id === callId) {
      const { turn, firstFrameMs: answeredMs } = event.data.turn
      if (answeredMs === null) return
      // Without the words before it, it would stand where it does not belong.
      setLines((before) => (before.length === 0 ? before : [...before, { kind: "turn", turn, answeredMs }]))
    }
  })
  const record = useQuery({
    queryKey: keys.call(callId ?? ""),
    enabled: callId !== undefined,
    queryFn: ({ signal }) => parley.calls.get(callId ?? "", { signal })
  })
  // What was said before the watch began, or while the stream was broken off, is in the record.
  const connected = useConnection().state === "live"
  useEffect(() => {
    if (!connected || callId === undefined) return
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: keys.call(callId) }), 1_500)
    return () => clearTimeout(timer)
  }, [connected, callId, client])
  return { lines: withRecord(lines, record.data?.utterances ?? []), spoken, call: record.data }
}
