/** A stream of events that a story feeds: the page's own client reads it, byte by byte, as if the service had sent it. All else is the service's. */
import type { Page } from "playwright-core"

/** A script of pages: their requests for the stream are answered by it. */
export const fedStream = `{
  const real = window.fetch.bind(window)
  const encoder = new TextEncoder()
  let feed
  window.feedEvents = (text) => feed.enqueue(encoder.encode(text))
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    if (/^\\/api\\/events\\/.+\\/watch$/.test(pathname)) return Promise.resolve(Response.json({ calls: [] }))
    if (pathname !== "/api/events") return real(input, init)
    const body = new ReadableStream({ start: (controller) => { feed = controller } })
    const headers = { "content-type": "text/event-stream", "x-stream-id": "str_of_the_story" }
    return Promise.resolve(new Response(body, { headers }))
  }
}`

export interface FedEvent {
  readonly id?: string
  readonly type: string
  readonly createdAt: string
  readonly data: object
}

/** Sends events to a page that has `fedStream`. */
export const feed = (page: Page, events: ReadonlyArray<FedEvent>): Promise<void> => {
  const text = events
    .map(
      (event) =>
        `${event.id === undefined ? "" : `id: ${event.id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    )
    .join("")
  return page.evaluate(`window.feedEvents(${JSON.stringify(text)})`)
}
