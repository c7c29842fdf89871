/** Stops processes for a moment, again and again, as a collection of a large heap does. */
import { setTimeout as sleep } from "node:timers/promises"

const everyMs = 1_000
const stoppedMs = 100

/** Stops these processes for 100 ms in each second. Resolves, with all of them running, soon after the returned function is called. */
export const stopAgainAndAgain = (pids: ReadonlyArray<number>): (() => Promise<void>) => {
  let over = false
  const stopping = (async () => {
    while (!over) {
      for (const pid of pids) process.kill(pid, "SIGSTOP")
      await sleep(stoppedMs)
      for (const pid of pids) process.kill(pid, "SIGCONT")
      await sleep(everyMs - stoppedMs)
    }
  })()
  return () => {
    over = true
    return stopping
  }
}
