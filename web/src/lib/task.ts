/** Something that a button does: once at a time, and the sentence of the service when it is refused. */
import { useState } from "react"
import { sayProblem } from "./toasts.ts"

export const useTask = () => {
  const [busy, setBusy] = useState(false)
  const run = (work: () => Promise<void>): void => {
    if (busy) return
    setBusy(true)
    void work()
      .catch((cause: unknown) => sayProblem(cause))
      .finally(() => setBusy(false))
  }
  return { busy, run }
}
