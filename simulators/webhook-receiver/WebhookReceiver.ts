/** A customer's server that receives outgoing webhooks, with planned failures. It keeps the requests unchanged, so that signatures can be checked. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { delay, listen, readBody } from "../support/Loopback.ts"

export interface ReceivedWebhook {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The raw text that was signed. */
  readonly body: string
  readonly at: number
}

/** How a request is answered. */
export type Behaviour =
  | {
      readonly kind: "answer"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** Answers 302 to another address of the same server. */
  | { readonly kind: "redirect"; readonly to: string }
  /** Answers 200 after a time, in milliseconds. */
  | { readonly kind: "slow"; readonly ms: number }
  /** Accepts the request and never answers. */
  | { readonly kind: "hang" }
  /** Reads the request and cuts the connection. */
  | { readonly kind: "disconnect" }
  /** Answers 200 and sends a body without end. */
  | { readonly kind: "endless" }
  /** Answers 200 and sends the body slowly, one byte at a time. */
  | { readonly kind: "drip" }

export const ok: Behaviour = { kind: "answer", status: 200 }

export interface WebhookReceiver {
  readonly url: string
  readonly port: number
  readonly received: Array<ReceivedWebhook>
  /** The most requests that were being answered at the same time. */
  readonly busiest: () => number
  /** How requests to this path are answered from now on; others get 200. Several behaviours are used in order, and the last one repeats. */
  readonly behave: (path: string, ...behaviours: ReadonlyArray<Behaviour>) => void
  /** The requests to this path. */
  readonly to: (path: string) => ReadonlyArray<ReceivedWebhook>
  readonly close: () => Promise<void>
}

const endless = async (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/plain" })
  const block = "x".repeat(64 * 1024)
  while (!response.destroyed) {
    if (!response.write(block)) await Promise.race([new Promise((done) => response.once("drain", done)), delay(50)])
  }
}

const drip = async (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/plain" })
  while (!response.destroyed) {
    response.write(".")
    await delay(20)
  }
}

const answer = async (response: ServerResponse, behaviour: Behaviour): Promise<void> => {
  switch (behaviour.kind) {
    case "answer":
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body ?? "")
      return
    case "redirect":
      response.writeHead(302, { location: behaviour.to }).end()
      return
    case "slow":
      await delay(behaviour.ms)
      response.writeHead(200).end()
      return
    case "hang":
      await new Promise<void>((done) => response.once("close", () => done()))
      return
    case "disconnect":
      response.destroy()
      return
    case "endless":
      return endless(response)
    case "drip":
      return drip(response)
  }
}

const textHeaders = (request: IncomingMessage) =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

export const start = async (port = 0): Promise<WebhookReceiver> => {
  const received: Array<ReceivedWebhook> = []
  const plans = new Map<string, Array<Behaviour>>()
  let [busy, busiest] = [0, 0]
  const next = (path: string): Behaviour => {
    const plan = plans.get(path) ?? [ok]
    return (plan.length > 1 ? plan.shift() : plan[0]) ?? ok
  }
  const server = await listen(async (request, response) => {
    const path = request.url ?? "/"
    busiest = Math.max(busiest, ++busy)
    try {
      received.push({ path, headers: textHeaders(request), body: await readBody(request), at: Date.now() })
      await answer(response, next(path))
    } finally {
      busy--
    }
  }, port)
  return {
    url: server.url,
    port: server.port,
    received,
    busiest: () => busiest,
    behave: (path, ...behaviours) => void plans.set(path, [...behaviours]),
    to: (path) => received.filter((one) => one.path === path),
    close: server.close
  }
}
