/** One request and its answer on a uWebSockets.js socket, and the rules of that library in one place. */

import type { HttpResponse } from "uWebSockets.js"
import { STATUS_CODES } from "node:http"
import type { Effect } from "effect"

/** `res` must not be touched once `gone` (client away, or answer complete). */
export interface UwsExchange {
  readonly res: HttpResponse
  gone: boolean
  /** Ends the handler; set while one runs. */
  interrupt: (() => void) | undefined
  /** The handler changes something: once the whole request is here it goes on when the client goes away. */
  goesOn: boolean
  /** The rest of the body is still to come: without its client it never does. */
  incomplete: boolean
  /** Called when the socket has room again; set while a writer waits. */
  writable: (() => void) | undefined
  /** Set where the body is handed on while it comes: deals with what of it nobody has read; false when the client is still sending. */
  unread: (() => Effect.Effect<boolean>) | undefined
  /** Called when the request is over, perhaps twice; set where its body counts among those that are held. */
  release: (() => void) | undefined
  /** The connection ends with the answer: the rest of a body may still be on its way. */
  closing: boolean
}

/** Takes over the socket: from here on a lost client sets `gone` and interrupts the handler, unless that goes on. */
export const openExchange = (res: HttpResponse): UwsExchange => {
  const exchange: UwsExchange = {
    res,
    gone: false,
    interrupt: undefined,
    goesOn: false,
    incomplete: false,
    writable: undefined,
    unread: undefined,
    release: undefined,
    closing: false
  }
  res.onAborted(() => {
    exchange.gone = true
    if (exchange.goesOn && !exchange.incomplete) return
    exchange.interrupt?.()
    exchange.release?.()
  })
  return exchange
}

export const statusLine = (status: number): string => `${status} ${STATUS_CODES[status] ?? "Unknown"}`

/** Header values come from handlers: a line break in one would begin a header of its own. */
export const headerValue = (value: string): string => value.replace(/[\r\n\0]+/g, " ")

/** Answers before any handler has run. `close` also ends the connection (the rest of a body may still be on its way). */
export const refuse = (
  exchange: UwsExchange,
  status: number,
  sentence: string,
  requestId: string,
  { close = false, retryAfterSeconds }: { readonly close?: boolean; readonly retryAfterSeconds?: number } = {}
): void => {
  const { res } = exchange
  exchange.gone = true
  exchange.release?.()
  res.cork(() => {
    res.writeStatus(statusLine(status)).writeHeader("content-type", "application/json")
    res.writeHeader("x-request-id", requestId)
    if (retryAfterSeconds !== undefined) res.writeHeader("retry-after", String(retryAfterSeconds))
    res.end(JSON.stringify({ error: sentence }), close)
  })
}
