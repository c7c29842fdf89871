/** What goes wrong in the pages of a browser without anybody seeing it: reports of their policy, errors of scripts, requests that fail. */
import type { BrowserContext } from "playwright-core"

export interface Watched {
  /** What went wrong since it was asked last, one sentence each. */
  readonly take: () => ReadonlyArray<string>
}

/** What is no problem: who is signed out learns so by a 401. */
const expected = /^GET \/api\/(operator\/)?session was answered with 401$/

/** A request that its page does not need any more. */
const isGivenUp = (reason: string | undefined) => reason === "net::ERR_ABORTED"

/** Watches all pages of a context from now on. */
export const watch = (context: BrowserContext): Watched => {
  const problems: Array<string> = []
  const say = (problem: string) => {
    if (!expected.test(problem)) problems.push(problem)
  }
  const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, "")
  context.on("console", (line) => {
    const text = line.text()
    // The answer itself is watched below.
    if (line.type() === "error" && !text.startsWith("Failed to load resource")) say(`The console has an error: ${text}`)
  })
  context.on("weberror", (error) => say(`A script failed: ${error.error().stack ?? error.error().message}`))
  context.on("dialog", (dialog) => {
    say(`A dialog was opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText
    if (!isGivenUp(reason)) say(`${request.method()} ${pathOf(request.url())} failed: ${reason}`)
  })
  context.on("response", (response) => {
    if (response.status() >= 400)
      say(`${response.request().method()} ${pathOf(response.url())} was answered with ${response.status()}`)
  })
  return { take: () => problems.splice(0) }
}
