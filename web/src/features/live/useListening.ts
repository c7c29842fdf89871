/** Listening to a call, and talking in it in the agent's place. One call at a time. */
import { useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { type Earpiece, openEarpiece } from "../../lib/audio/telephone.ts"
import { t } from "../../lib/i18n.ts"
import { say, sayProblem } from "../../lib/toasts.ts"
import { reachable } from "../testcall/address.ts"
import { problemOf } from "../testcall/useTestCall.ts"
import { type ListenerSocket, openListenerSocket } from "./listenerSocket.ts"

/** `talking`: one's own microphone is on, and the agent has been told to fall silent. */
export type Listening = "off" | "opening" | "listening" | "talking"

interface Open {
  readonly listener: string
  readonly earpiece: Earpiece
  readonly socket: ListenerSocket
}

/** `withPerson`: the service says that a person has the call. */
export const useListening = (callId: string, withPerson: boolean) => {
  const [state, setState] = useState<Listening>("off")
  const open = useRef<Open>(undefined)
  /** Counts the attempts to listen: what an older one brings is closed. */
  const attempt = useRef(0)
  const speaks = useRef(false)
  const end = useRef(() => {
    attempt.current++
    speaks.current = false
    open.current?.socket.close()
    open.current?.earpiece.close()
    open.current = undefined
  })
  useEffect(() => () => end.current(), [])
  const stop = () => {
    end.current()
    setState("off")
  }

  /** Resolves when the call is heard; false when it is not. */
  const listen = async (): Promise<boolean> => {
    if (open.current !== undefined) return true
    const own = ++attempt.current
    setState("opening")
    let earpiece: Earpiece | undefined
    try {
      // First, while the browser still counts the click.
      earpiece = await openEarpiece((message) => {
        if (message.kind === "frame" && speaks.current) open.current?.socket.frame(new Uint8Array(message.bytes))
      })
      const { listener, url } = await parley.calls.listen(callId)
      const opened = earpiece
      if (own !== attempt.current) {
        opened.close()
        return false
      }
      return await new Promise<boolean>((heard) => {
        const socket = openListenerSocket(reachable(url, location), {
          opened: () => {
            setState("listening")
            heard(true)
          },
          heard: (bytes) => opened.tell({ kind: "live", bytes }),
          closed: (wasHeard) => {
            heard(false)
            if (own !== attempt.current) return
            stop()
            if (!wasHeard) say(t("The call could not be heard."), undefined, "bad")
          }
        })
        open.current = { listener, earpiece: opened, socket }
      })
    } catch (cause) {
      earpiece?.close()
      if (own === attempt.current) {
        setState("off")
        say(problemOf(cause), undefined, "bad")
      }
      return false
    }
  }

  const takeOver = async () => {
    if (!(await listen()) || open.current === undefined) return
    const { earpiece, listener } = open.current
    try {
      await earpiece.openMicrophone()
    } catch (cause) {
      say(problemOf(cause), undefined, "bad")
      return
    }
    speaks.current = true
    try {
      await parley.calls.takeOver(callId, { listener })
      setState("talking")
    } catch (cause) {
      speaks.current = false
      earpiece.closeMicrophone()
      sayProblem(cause)
    }
  }

  const quiet = () => {
    speaks.current = false
    open.current?.earpiece.closeMicrophone()
    setState((before) => (before === "talking" ? "listening" : before))
  }
  const handBack = async () => {
    try {
      await parley.calls.handBack(callId)
      quiet()
    } catch (cause) {
      sayProblem(cause)
    }
  }

  // Somebody else has given the call back, or ended it.
  const had = useRef(false)
  useEffect(() => {
    if (had.current && !withPerson) quiet()
    had.current = withPerson
  })
  return { state, listen, stop, takeOver, handBack }
}
