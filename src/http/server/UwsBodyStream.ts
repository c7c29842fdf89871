/**
 * A request body that is handed on while it comes. What its reader has not taken yet is at most `highWaterBytes` and what was already on its way:
 * then the socket is paused, and the client's own network holds the rest back.
 */
import { Cause, Effect, Schema, Stream } from "effect"
import type { Headers } from "effect/http"
import type { UwsExchange } from "./UwsExchange.ts"

/** Forms carry files: their bodies are handed on while they come, everything else is small and collected first. */
export const isForm = (headers: Headers.Headers): boolean =>
  headers["content-type"]?.trimStart().toLowerCase().startsWith("multipart/form-data") === true

/** More came than is taken. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Number }) {}

type Bytes = Uint8Array<ArrayBuffer>

const highWaterBytes = 256 * 1024
/** An answer waits so long for the rest of the body, so that a client that only sends gets to read it. */
const patience = "2 seconds"
/** How much of a body nobody wants is read for that, as a multiple of what is taken at most. */
const excess = 4

export class BodyStream {
  readonly #exchange: UwsExchange
  readonly #limit: number
  #chunks: Array<Bytes> = []
  #waitingBytes = 0
  #received = 0
  #whole = false
  #paused = false
  #discarding = false
  /** Wakes whoever waits for more. */
  #wake: (() => void) | undefined

  /** Takes over the body of the exchange; to be made in the callback that gave the request out. */
  constructor(exchange: UwsExchange, limit: number) {
    this.#exchange = exchange
    this.#limit = limit
    exchange.incomplete = true
    exchange.res.onData((part, last) => this.#arrived(part, last))
    exchange.unread = () => this.#settled
  }

  #arrived(part: ArrayBuffer, last: boolean): void {
    this.#received += part.byteLength
    this.#whole = last
    this.#exchange.incomplete = !last
    // The library reuses the buffer it lends, so it is copied. What is over the limit is only counted.
    if (!this.#discarding && part.byteLength > 0 && this.#received <= this.#limit) {
      this.#chunks.push(new Uint8Array(part.slice(0)))
      this.#waitingBytes += part.byteLength
    }
    if (!last && !this.#discarding && !this.#paused && this.#waitingBytes >= highWaterBytes) this.#pause()
    this.#wake?.()
  }

  #pause(): void {
    this.#paused = true
    this.#exchange.res.pause()
  }
  #resume(): void {
    if (!this.#paused || this.#exchange.gone) return
    this.#paused = false
    this.#exchange.res.resume()
  }

  /** Waits until `ready`. A client that goes away interrupts whoever waits, with its handler. */
  #until(ready: () => boolean): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const look = () => {
        if (!ready()) return
        this.#wake = undefined
        resume(Effect.void)
      }
      this.#wake = look
      look()
      return Effect.sync(() => {
        this.#wake = undefined
      })
    })
  }

  /** Everything that has come and was not taken; an empty list at the end. */
  readonly #take: Effect.Effect<ReadonlyArray<Bytes>, BodyTooLarge> = Effect.suspend(() =>
    this.#until(() => this.#chunks.length > 0 || this.#whole || this.#received > this.#limit)
  ).pipe(
    Effect.andThen(
      Effect.suspend((): Effect.Effect<ReadonlyArray<Bytes>, BodyTooLarge> => {
        const chunks = this.#chunks
        this.#chunks = []
        this.#waitingBytes = 0
        if (chunks.length === 0 && this.#received > this.#limit)
          return Effect.fail(new BodyTooLarge({ limit: this.#limit }))
        this.#resume()
        return Effect.succeed(chunks)
      })
    )
  )

  /** The body, once: whoever runs this reads what nobody has read before. */
  readonly bytes: Stream.Stream<Bytes, BodyTooLarge> = Stream.fromPull(
    Effect.succeed(
      Effect.flatMap(this.#take, (chunks) => {
        const [first, ...rest] = chunks
        return first === undefined ? Cause.done() : Effect.succeed([first, ...rest] as const)
      })
    )
  )

  /** Throws away what is still to come; gives whether the connection can be used again afterwards. */
  readonly #settled: Effect.Effect<boolean> = Effect.suspend(() => {
    this.#discarding = true
    this.#chunks = []
    this.#resume()
    const most = this.#limit * excess
    return this.#until(() => this.#whole || this.#exchange.gone || this.#received > most).pipe(
      Effect.timeoutOption(patience),
      Effect.map(() => this.#whole)
    )
  })
}
