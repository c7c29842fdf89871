/** The calls that are under way, as they go on. */
import type { LiveCall } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useCallEvents } from "../../api/callEvents.ts"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useConnection } from "../../api/stream.ts"
import { afterUpdate, withWords } from "./live.ts"

/** A call that is over goes from the list a moment after the engine said so: its record follows. */
const overMs = 1_000

export const useLiveCalls = () => {
  const client = useQueryClient()
  const list = useQuery({
    queryKey: keys.liveCalls,
    queryFn: ({ signal }) => parley.calls.live({ signal }).then(({ data }) => data),
    // What happened while nobody looked was not stored.
    refetchOnMount: "always"
  })
  // What happened between the reading of the list and the opening of the stream, nobody tells again.
  const connected = useConnection().state === "live"
  useEffect(() => {
    if (connected) void client.invalidateQueries({ queryKey: keys.liveCalls })
  }, [connected, client])
  useCallEvents((event) => {
    if (event.type === "call.words" && event.data.final)
      client.setQueryData<ReadonlyArray<LiveCall>>(keys.liveCalls, (known) => known && withWords(known, event))
    if (event.type !== "call.updated") return
    if (event.data.call.state === "over") {
      setTimeout(() => void client.invalidateQueries({ queryKey: keys.liveCalls }), overMs)
      return
    }
    const known = client.getQueryData<ReadonlyArray<LiveCall>>(keys.liveCalls)
    if (known === undefined) return
    const next = afterUpdate(known, event)
    if (next === undefined) void client.invalidateQueries({ queryKey: keys.liveCalls })
    else client.setQueryData(keys.liveCalls, next)
  })
  return list
}

/** The time now, every second: for what is counted before one's eyes. */
export const useSecond = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
