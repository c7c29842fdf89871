/** A client that asks every 20 ms, in turns over a connection of its own and over one that is kept, as proxies keep them. */
import { setTimeout as sleep } from "node:timers/promises"

const everyMs = 20

export interface SteadyRequests {
  readonly answered: number
  /** What became of those that did not get the answer 200. */
  readonly refused: ReadonlyArray<string>
  readonly slowestMs: number
}

/** Begins. The function that it returns waits for what is under way, and gives what became of all. */
export const steadyRequests = (url: string): (() => Promise<SteadyRequests>) => {
  const refused: Array<string> = []
  const asked: Array<Promise<void>> = []
  let [answered, slowestMs, isOver] = [0, 0, false]
  const ask = async (init: RequestInit) => {
    const began = performance.now()
    try {
      const response = await fetch(url, init)
      await response.arrayBuffer()
      if (response.status === 200) answered++
      else refused.push(`${response.status}`)
    } catch (cause) {
      refused.push(`${cause} ${cause instanceof Error ? cause.cause : ""}`)
    }
    slowestMs = Math.max(slowestMs, performance.now() - began)
  }
  const going = (async () => {
    for (let at = 0; !isOver; at++) {
      asked.push(ask(at % 2 === 0 ? { headers: { connection: "close" } } : {}))
      await sleep(everyMs)
    }
  })()
  return async () => {
    isOver = true
    await going
    await Promise.all(asked)
    return { answered, refused, slowestMs }
  }
}
