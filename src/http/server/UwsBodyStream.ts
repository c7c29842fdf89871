/**
 * A request body that is read as a stream. When the reader is `highWaterBytes` behind, the socket is paused, and the rest waits in the network. Only
 * bytes that are already on their way still arrive.
 */
import { Cause, Effect, Schema, Stream } from "effect"
import type { Headers } from "effect/http"
import type { UwsExchange } from "./UwsExchange.ts"

/** Whether a request is a form. Forms contain files, so their bodies are streamed; all other bodies are small and are collected first. */
export const isForm = (headers: Headers.Headers): boolean =>
  headers["content-type"]?.trimStart().toLowerCase().startsWith("multipart/form-data") === true

/** The body is larger than `limit` bytes. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Number }) {}

type Bytes = Uint8Array<ArrayBuffer>

const highWaterBytes = 256 * 1024
/** How long an answer waits for the rest of the body, so that a client that sends first can still read the answer. */
const patience = "2 seconds"
/** How much of an unwanted body is read meanwhile, as a multiple of the limit. */
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
  /** Wakes the waiting reader. */
  #wake: (() => void) | undefined

  /** Takes over the body of the exchange. Must be created in the callback that delivered the request. */
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
    // The library reuses this buffer, so it is copied. Bytes over the limit are only counted.
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

  /** Waits until `ready` gives true. When the client disconnects, the handler is interrupted, and this wait with it. */
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

  /** Takes all chunks that have arrived; an empty list at the end of the body. */
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

  /** The body. It can be read once: each run continues after the bytes that were already read. */
  readonly bytes: Stream.Stream<Bytes, BodyTooLarge> = Stream.fromPull(
    Effect.succeed(
      Effect.flatMap(this.#take, (chunks) => {
        const [first, ...rest] = chunks
        return first === undefined ? Cause.done() : Effect.succeed([first, ...rest] as const)
      })
    )
  )

  /** Discards the rest of the body. Gives true when the body has ended, so that the connection can be reused. */
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
