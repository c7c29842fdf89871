/**
 * An answer as it comes over a connection of undici: its head, then its body piece by piece, as fast as it is read and with a time limit for each
 * piece. It uses no Node streams, because eight answers are read in each turn of a call.
 */
import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import { leftUntil, startDeadline } from "./Deadline.ts"

/** The next piece of the body did not come in time. */
export class BodyLate extends Error {
  override readonly name = "BodyLate"
}

/** The most unread bytes that are held; beyond them the sender is paused. */
const mostWaitingBytes = 64 * 1_024

interface Waiter {
  readonly take: (piece: Buffer | undefined) => void
  readonly fail: (cause: Error) => void
}

/** Is told of the head of the answer. */
export interface AnswerListener {
  /** The head has come. */
  readonly begun: () => void
  /** No head will come. `sent`: the request was on its way. */
  readonly lost: (cause: Error, sent: boolean) => void
}

export class Answer implements Dispatcher.DispatchHandler {
  status = 0
  headers: IncomingHttpHeaders = {}
  /** Called once, when nothing more comes. `whole`: the connection can take another request. */
  over: ((whole: boolean) => void) | undefined
  #listener: AnswerListener | undefined
  #controller: Dispatcher.DispatchController | undefined
  #pieces: Array<Buffer> = []
  #waitingBytes = 0
  #waiter: Waiter | undefined
  #ended = false
  #left = false
  #failure: Error | undefined

  /** Set before the request goes out. */
  set listener(listener: AnswerListener) {
    this.#listener = listener
  }

  /** Whether the head has come and the end has not. */
  get underWay(): boolean {
    return this.status !== 0 && !this.#ended && this.#failure === undefined
  }

  /** The next piece; undefined at the end. Rejects when the connection broke, with `BodyLate` when nothing came within `timeoutMs`. */
  next(timeoutMs?: number): Promise<Buffer | undefined> {
    const ready = this.#take()
    if (ready !== undefined || this.#ended) return Promise.resolve(ready)
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      const cancel =
        timeoutMs === undefined
          ? undefined
          : startDeadline(timeoutMs, () => {
              this.#waiter = undefined
              reject(new BodyLate(`nothing came for ${timeoutMs} ms`))
            })
      this.#waiter = {
        take: (piece) => {
          cancel?.()
          resolve(piece)
        },
        fail: (cause) => {
          cancel?.()
          reject(cause)
        }
      }
    })
  }

  /** The answer is not needed any more: closes the connection unless all of it has come. */
  leave(): void {
    this.#left = true
    if (!this.#ended) this.#controller?.abort(new Error("nobody waits for the answer"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#left) controller.abort(new Error("nobody waits for the answer"))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An informational response before the real one.
    if (status < 200) return
    this.status = status
    this.headers = headers
    this.#listener?.begun()
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#waiter !== undefined) {
      this.#settle(piece)
      return
    }
    this.#pieces.push(piece)
    this.#waitingBytes += piece.length
    if (this.#waitingBytes > mostWaitingBytes) controller.pause()
  }

  onResponseEnd(): void {
    this.#ended = true
    this.over?.(true)
    this.#settle(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#failure = cause
    this.over?.(false)
    if (this.status === 0) this.#listener?.lost(cause, this.#controller !== undefined)
    const waiter = this.#waiter
    this.#waiter = undefined
    waiter?.fail(cause)
  }

  #settle(piece: Buffer | undefined): void {
    const waiter = this.#waiter
    this.#waiter = undefined
    waiter?.take(piece)
  }

  /** All unread pieces as one. */
  #take(): Buffer | undefined {
    const pieces = this.#pieces
    if (pieces.length === 0) return undefined
    this.#pieces = []
    this.#waitingBytes = 0
    if (this.#controller?.paused) this.#controller.resume()
    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
  }
}

/**
 * Reads at most about `limit` bytes of a body as text, without waiting for the rest. Rejects when the connection breaks, and with `BodyLate` when the
 * body is not complete at `until`, by `performance.now()`.
 */
export const readText = async (answer: Answer, limit: number, until?: number): Promise<string> => {
  let all: Buffer | undefined
  const next = () => answer.next(until === undefined ? undefined : leftUntil(until))
  for (let piece = await next(); piece !== undefined; piece = await next()) {
    all = all === undefined ? piece : Buffer.concat([all, piece])
    if (all.length > limit) break
  }
  return all === undefined ? "" : all.toString("utf8")
}
