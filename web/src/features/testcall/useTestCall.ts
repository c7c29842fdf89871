/** A test call from the microphone, from the permission to the end. One at a time. */
import { useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { openTelephone, type Telephone } from "../../lib/audio/telephone.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import type { Settings } from "../agents/draft.ts"
import { reachable } from "./address.ts"
import { type CallStream, connect } from "./connect.ts"

export type TestCall =
  | { readonly phase: "idle" }
  | { readonly phase: "opening"; readonly what: "microphone" | "call" }
  | { readonly phase: "running"; readonly callId: string; readonly since: number; readonly microphone: string }
  | { readonly phase: "over"; readonly callId: string | undefined; readonly problem: string | undefined }

/** How loud both sides were in the last frames, the newest last; 0 to 1. */
export interface Loudness {
  readonly caller: number
  readonly agent: number
}
const keptFrames = 160

/** Why there is no microphone, or what else went wrong, in a sentence. */
export const problemOf = (cause: unknown): string => {
  const name = cause instanceof DOMException ? cause.name : undefined
  if (name === "NotAllowedError")
    return t("The browser may not use the microphone. Allow it beside the address, and try again.")
  if (name === "NotFoundError") return t("There is no microphone.")
  if (name === "NotReadableError") return t("Another program holds the microphone.")
  if (name === "SecurityError") return t("Browsers give microphone and live sound only to pages with TLS.")
  return sentenceOf(cause)
}

export const useTestCall = (agentId: string) => {
  const [call, setCall] = useState<TestCall>({ phase: "idle" })
  const loudness = useRef<ReadonlyArray<Loudness>>([])
  const end = useRef<(problem?: string) => void>(undefined)
  useEffect(() => () => end.current?.(), [])

  const start = async (draft: Partial<Settings>) => {
    end.current?.()
    loudness.current = []
    let telephone: Telephone | undefined
    let stream: CallStream | undefined
    let callId: string | undefined
    const asking = new AbortController()
    const over = (problem?: string) => {
      if (end.current !== over) return
      end.current = undefined
      asking.abort()
      stream?.close()
      telephone?.close()
      setCall({ phase: "over", callId, problem })
    }
    end.current = over
    const isOver = () => end.current !== over
    try {
      setCall({ phase: "opening", what: "microphone" })
      telephone = await openTelephone((message) => {
        if (message.kind === "mark") return stream?.mark(message.name)
        loudness.current = [...loudness.current.slice(1 - keptFrames), { caller: message.caller, agent: message.agent }]
        stream?.frame(message.bytes)
      })
      const { microphone, tell, close } = telephone
      if (isOver()) return close()
      setCall({ phase: "opening", what: "call" })
      const placed = await parley.voiceAgents.testCall(agentId, { draft }, { signal: asking.signal })
      if (isOver()) return
      callId = placed.callId
      stream = connect(reachable(placed.url, location), {
        opened: () => setCall({ phase: "running", callId: placed.callId, since: Date.now(), microphone }),
        media: (bytes) => tell({ kind: "media", bytes }),
        mark: (name) => tell({ kind: "mark", name }),
        clear: () => tell({ kind: "clear" }),
        closed: (opened) => over(opened ? undefined : t("The call could not be connected."))
      })
    } catch (cause) {
      over(problemOf(cause))
    }
  }
  return { call, start, end: () => end.current?.(), loudness }
}
