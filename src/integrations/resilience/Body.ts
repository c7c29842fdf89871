/**
 * The body of an answer, piece by piece. Lighter than the iterator that Node has for it, and with a time limit of its own: bodies are read
 * several times in each turn of a call.
 */
import type { IncomingMessage } from "node:http"

/** No more of the body came in time. */
export class BodyLate extends Error {
  override readonly name = "BodyLate"
}

interface Waiter {
  readonly take: () => void
  readonly fail: (cause: Error) => void
}

export class Body {
  readonly #response: IncomingMessage
  #waiter: Waiter | undefined
  #ended = false
  #failure: Error | undefined

  /** To be made as soon as the head of the answer is there. What nobody reads stays with the sender. */
  constructor(response: IncomingMessage) {
    this.#response = response
    response.on("readable", () => this.#waiter?.take())
    response.on("end", () => this.#over(undefined))
    response.on("error", (error) => this.#over(error))
    response.on("close", () => this.#over(new Error("the connection was closed in the middle")))
  }

  /** The next piece; undefined at the end. Rejects when the connection broke, with `BodyLate` when nothing came within `timeoutMs`. */
  async next(timeoutMs: number): Promise<Buffer | undefined> {
    const ready = this.#take()
    if (ready !== undefined) return ready
    if (this.#ended) return undefined
    if (this.#failure !== undefined) throw this.#failure
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiter = undefined
        reject(new BodyLate(`nothing came for ${timeoutMs} ms`))
      }, timeoutMs)
      const finish = (done: () => void) => {
        clearTimeout(late)
        this.#waiter = undefined
        done()
      }
      this.#waiter = {
        take: () => {
          const piece = this.#take()
          if (piece !== undefined || this.#ended) finish(() => resolve(piece))
        },
        fail: (cause) => finish(() => reject(cause))
      }
    })
  }

  #take(): Buffer | undefined {
    // `read` gives null when there is nothing now, which is also how it notices the end.
    const piece: Buffer | null = this.#response.read()
    return piece ?? undefined
  }

  #over(failure: Error | undefined): void {
    if (this.#ended || this.#failure !== undefined) return
    if (failure === undefined) this.#ended = true
    else this.#failure = failure
    if (failure === undefined) this.#waiter?.take()
    else this.#waiter?.fail(failure)
  }
}
