/** One request and its answer on a uWebSockets.js socket. This file holds the rules of that library in one place. */

import type { HttpResponse } from "uWebSockets.js"
import { STATUS_CODES } from "node:http"
import type { Effect } from "effect"
import { type SecurityHeadersOptions, writeSecurityHeaders } from "./SecurityHeaders.ts"

/** The state of one request. `res` must not be used once `gone` is true (the client has disconnected, or the answer is complete). */
export interface UwsExchange {
  readonly res: HttpResponse
  readonly security: SecurityHeadersOptions
  gone: boolean
  /** Interrupts the handler; set while one runs. */
  interrupt: (() => void) | undefined
  /** The handler changes something. Once the whole request has arrived, it continues when the client disconnects. */
  goesOn: boolean
  /** The rest of the body has not arrived yet. It never will if the client disconnects. */
  incomplete: boolean
  /** Called when the socket has room again; set while a writer waits. */
  writable: (() => void) | undefined
  /** Discards the unread rest of a streamed body; set only for those. Gives false when the client is still sending. */
  unread: (() => Effect.Effect<boolean>) | undefined
  /** Called when the request is over, perhaps twice; set when bytes of its body are counted in `HeldBodies`. */
  release: (() => void) | undefined
  /**
   * The connection is closed after the answer, because what follows on it may be the rest of a body. Such an answer is never written while the bytes
   * of its request are being parsed: the library parses on to the end of the packet, and would answer what follows too. While a request has no answer,
   * the library closes its connection when another one follows.
   */
  closing: boolean
}

/** Takes over the socket. From now on a disconnect sets `gone` and interrupts the handler, unless the handler continues. */
export const openExchange = (res: HttpResponse, security: SecurityHeadersOptions): UwsExchange => {
  const exchange: UwsExchange = {
    res,
    security,
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

/** A header value without line breaks. Handlers set the values, and a line break would begin another header. */
export const headerValue = (value: string): string => value.replace(/[\r\n\0]+/g, " ")

/**
 * Answers with an error instead of a handler. `close` also closes the connection (`UwsExchange.closing`). `head`: the request is a HEAD, whose
 * answer has no body; what follows it on the connection would be taken for the next answer.
 */
export const refuse = (
  exchange: UwsExchange,
  status: number,
  sentence: string,
  requestId: string,
  {
    close = false,
    head = false,
    retryAfterSeconds
  }: { readonly close?: boolean; readonly head?: boolean; readonly retryAfterSeconds?: number } = {}
): void => {
  const { res, security } = exchange
  exchange.gone = true
  exchange.release?.()
  const write = () => {
    res.cork(() => {
      res.writeStatus(statusLine(status)).writeHeader("content-type", "application/json")
      writeSecurityHeaders(res, security, {})
      res.writeHeader("x-request-id", requestId)
      if (retryAfterSeconds !== undefined) res.writeHeader("retry-after", String(retryAfterSeconds))
      const body = JSON.stringify({ error: sentence })
      // Told the length, the library would wait for a body.
      if (head && !close) res.writeHeader("content-length", String(Buffer.byteLength(body))).endWithoutBody()
      else res.end(body, close)
    })
  }
  if (close) {
    const waiting = setImmediate(write)
    res.onAborted(() => clearImmediate(waiting))
  } else write()
}
