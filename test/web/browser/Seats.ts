/** The browsers of the people of a story. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { Effect } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { freshness } from "../../../web/build/freshness.ts"
import { patience } from "../../support/patience.ts"
import { startChromium } from "./Chromium.ts"
import { type Watched, watch } from "./Watched.ts"

export interface BrowserOptions {
  readonly width?: 390 | 1440
  readonly language?: "en" | "hi" | "pseudo"
  readonly theme?: "light" | "dark"
  /** Scripts that run in each page before its own. */
  readonly scripts?: ReadonlyArray<string>
  /** That of a session: its person is signed in. */
  readonly cookie?: string
}

/** A person's browser: nothing of it is shared with others. */
export interface Seat {
  readonly context: BrowserContext
  readonly page: Page
  readonly watched: Watched
}

const heights = { 390: 844, 1440: 900 } as const

const root = join(import.meta.dirname, "../../..")

/** Builds the pages when their sources are newer. The service reads them when it starts. */
const buildPages = () => {
  if (freshness() !== "fresh") execFileSync(process.execPath, [join(root, "web/build/ensure.ts")], { cwd: root })
}

/** Starts Chromium for the life of the scope. `chromium`: its arguments. `start` is told the address of the service before anybody sits down. */
export const openSeats = Effect.fnUntraced(function* (chromium: ReadonlyArray<string> = []) {
  yield* Effect.sync(buildPages)
  const browser = yield* Effect.acquireRelease(
    Effect.promise(() => startChromium(chromium)),
    (started) => Effect.promise(() => started.close())
  )
  const seats: Array<Seat> = []
  let baseURL = ""

  /** A browser of its own; nobody is signed in without a cookie. */
  const visitor = async ({
    width = 1440,
    language,
    theme,
    scripts = [],
    cookie
  }: BrowserOptions = {}): Promise<Seat> => {
    const context = await browser.newContext({
      baseURL,
      viewport: { width, height: heights[width] },
      ...(width === 390 ? { hasTouch: true, isMobile: true } : {}),
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: "America/Los_Angeles"
    })
    context.setDefaultTimeout(patience * 1_000)
    for (const [name, value] of Object.entries({ language, theme }))
      if (value !== undefined) await context.addInitScript(`localStorage["parley.${name}"] ??= "${value}"`)
    for (const content of scripts) await context.addInitScript({ content })
    if (cookie !== undefined)
      await context.addCookies([
        { name: "parley_session", value: cookie, url: baseURL, httpOnly: true, sameSite: "Lax" }
      ])
    const seat = { context, page: await context.newPage(), watched: watch(context) }
    seats.push(seat)
    return seat
  }

  /** Closes all browsers. Gives what went wrong in them. */
  const closeSeats = async (): Promise<ReadonlyArray<string>> => {
    const closing = seats.splice(0)
    await Promise.all(closing.map(({ context }) => context.close()))
    return closing.flatMap(({ watched }) => watched.take())
  }

  const start = (address: string) => {
    baseURL = address
  }
  return { visitor, closeSeats, start }
})

/** Signs a person in without a page; gives the cookie. */
export const sessionCookie = async (
  baseUrl: string,
  { email, password }: { readonly email: string; readonly password: string }
): Promise<string> => {
  const answer = await fetch(`${baseUrl}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password })
  })
  const [, cookie] = /^parley_session=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? "") ?? []
  if (cookie === undefined) throw new Error(`${email} cannot sign in: ${answer.status}`)
  return cookie
}

/**
 * Waits until an expression is true in a page; gives the time of the page then. Not `waitForFunction`: that evaluates a text again and again, which the
 * policy of the pages forbids.
 */
export const until = (page: Page, expression: string): Promise<number> =>
  page.evaluate(`new Promise((done, failed) => {
    const end = performance.now() + ${patience * 1_000}
    const look = () => {
      if (${expression}) done(performance.now())
      else if (performance.now() > end) failed(new Error(location.href + " never had " + ${JSON.stringify(expression)}))
      else setTimeout(look, 8)
    }
    look()
  })`)

/** Waits until a page has what it asked for: it says something, and nothing is loading. */
export const settled = async (page: Page): Promise<void> => {
  await until(
    page,
    `document.querySelector("h1, [role=alert], #content p") !== null && document.querySelector('[aria-busy="true"], .skeleton') === null`
  )
}

/**
 * Goes to an address as a link of the page does: the router shows another page, and no new document is loaded. Resolves when the page is there and has
 * what it asked for.
 */
export const goInside = async (page: Page, address: string): Promise<void> => {
  await page.evaluate(`(async () => {
    const router = window.__TSR_ROUTER__
    await router.navigate({ href: ${JSON.stringify(address)} })
    while (router.state.status !== "idle" || router.state.resolvedLocation?.href !== router.state.location.href)
      await new Promise((later) => setTimeout(later, 4))
    // Effects of the new page ask for its data within the next frames.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
  })()`)
  await settled(page)
}
