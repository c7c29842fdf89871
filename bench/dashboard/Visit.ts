/** What a browser on a slow machine and a slow line takes to show a page, and to answer a key. */
import type { BrowserContext, CDPSession, Page } from "playwright-core"
import { until } from "../../test/web/browser/Seats.ts"

/** A processor four times slower, 10 Mbit/s, 40 ms. */
const slower = { processor: 4, bytesPerSecond: 10_000_000 / 8, latencyMs: 40 }

/** Slows a page down from now on. */
export const throttle = async (context: BrowserContext, page: Page): Promise<CDPSession> => {
  const devtools = await context.newCDPSession(page)
  await devtools.send("Network.enable")
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: slower.latencyMs,
    downloadThroughput: slower.bytesPerSecond,
    uploadThroughput: slower.bytesPerSecond
  })
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slower.processor })
  return devtools
}

export interface Visit {
  /** From the beginning of the navigation until the page shows what it was asked for, ms. */
  readonly readyMs: number
  /** Files of the dashboard, and requests to the interface, until then. */
  readonly files: number
  readonly requests: number
  /** Bytes over the line until then, with headers. */
  readonly bytes: number
}

/** Opens an address. `ready`: an expression that is true once the page shows what it was asked for. */
export const visit = async (page: Page, devtools: CDPSession, address: string, ready: string): Promise<Visit> => {
  const asked: Array<string> = []
  let bytes = 0
  const onRequest = (request: { readonly url: () => string }) => void asked.push(new URL(request.url()).pathname)
  const onBytes = ({ encodedDataLength }: { readonly encodedDataLength: number }) => {
    bytes += encodedDataLength
  }
  page.on("request", onRequest)
  devtools.on("Network.loadingFinished", onBytes)
  await page.goto(address, { waitUntil: "commit" })
  const readyMs = await until(page, ready)
  page.off("request", onRequest)
  devtools.off("Network.loadingFinished", onBytes)
  // The stream of events is no request of the page: it stays open for as long as somebody is there.
  const paths = asked.filter((path) => path !== "/api/events")
  return {
    readyMs,
    files: paths.filter((path) => !path.startsWith("/api/")).length,
    requests: paths.filter((path) => path.startsWith("/api/")).length,
    bytes
  }
}

/** From now on the page keeps how long each key took from being pressed to the next picture. Ends are told in steps of 8 ms. */
export const watchKeys = (page: Page): Promise<void> =>
  page.evaluate(`
    window.keyTimes = []
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") window.keyTimes.push(duration)
    }).observe({ type: "event", durationThreshold: 16 })
  `)

/** How long the keys since `watchKeys` took, ms. What was shorter than 16 ms is not told by browsers, and counts as that. */
export const keyTimes = async (page: Page, pressed: number): Promise<ReadonlyArray<number>> => {
  const told = (await page.evaluate("window.keyTimes")) as ReadonlyArray<number>
  return [...told, ...Array.from({ length: Math.max(0, pressed - told.length) }, () => 16)]
}
