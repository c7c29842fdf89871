/** What a page holds in the memory of its browser, once everything that can go is gone. */
import type { BrowserContext, Page } from "playwright-core"

export interface PageMemory {
  /** Of its scripts, bytes. */
  readonly heap: number
  /** Nodes of documents that are still held, shown or not. */
  readonly nodes: number
  readonly listeners: number
}

/** Gives a function that collects garbage and measures. */
export const pageMemory = async (context: BrowserContext, page: Page): Promise<() => Promise<PageMemory>> => {
  const devtools = await context.newCDPSession(page)
  await devtools.send("HeapProfiler.enable")
  await devtools.send("Performance.enable")
  return async () => {
    // What is freed only by a callback after a collection goes with the second one.
    for (let times = 0; times < 2; times++) await devtools.send("HeapProfiler.collectGarbage")
    const { metrics } = await devtools.send("Performance.getMetrics")
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
    return { heap: of("JSHeapUsedSize"), nodes: of("Nodes"), listeners: of("JSEventListeners") }
  }
}

/** From now on the page remembers its longest pause: for how long no key would have been answered. */
export const watchPauses = (page: Page): Promise<void> =>
  page.evaluate(`{
    window.longestPause = 0
    let last = performance.now()
    setInterval(() => {
      const now = performance.now()
      window.longestPause = Math.max(window.longestPause, now - last - 50)
      last = now
    }, 50)
  }`)

/** The longest pause since `watchPauses`, ms. */
export const longestPause = (page: Page): Promise<number> => page.evaluate("window.longestPause")
