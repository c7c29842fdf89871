/** What every form does when it is sent: one request at a time, and the sentence of the service when it is refused. */
import { type FormEvent, useState } from "react"
import { sentenceOf } from "./sentence.ts"

export interface Submitting {
  readonly busy: boolean
  /** Why the last attempt failed. */
  readonly problem: string | undefined
  /** Forgets the problem: the person has changed something. */
  readonly clear: () => void
  readonly submit: (event: FormEvent) => void
}

export const useSubmit = (work: () => Promise<void>): Submitting => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (cause) {
      setProblem(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    problem,
    clear: () => setProblem(undefined),
    submit: (event) => {
      event.preventDefault()
      if (!busy) void send()
    }
  }
}
