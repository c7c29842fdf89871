/**
 * The body of a request. The handler begins before the body has arrived, so that it can refuse a caller without a body in memory. Until the handler
 * reads, at most `unreadBytes` are held: then the socket is paused, and the rest waits in the network. A handler reads either all of it at once
 * (`whole`), or a stream (`bytes`) that is paused in the same way when its reader is behind. Bytes that are on their way still arrive after a pause.
 */
import { Cause, Effect, Schema, Stream } from "effect"
import type { Headers } from "effect/http"
import { clientNetwork } from "./ClientAddress.ts"
import { type HeldBodies, uncountedBytes } from "./HeldBodies.ts"
import type { UwsExchange } from "./UwsExchange.ts"

/** Whether a request is a form with files. Such a body is only streamed, and never held as a whole. */
export const isForm = (headers: Headers.Headers): boolean =>
  headers["content-type"]?.trimStart().toLowerCase().startsWith("multipart/form-data") === true

/** Whether a request says that it has a body. */
export const announcesBody = (headers: Headers.Headers): boolean =>
  headers["transfer-encoding"] !== undefined ||
  (headers["content-length"] !== undefined && headers["content-length"] !== "0")

/** The body was not taken. The message is a sentence for people. */
export class BodyRefused extends Schema.TaggedError<BodyRefused>()("BodyRefused", {
  reason: Schema.Literals(["too_large", "no_room", "too_slow", "disconnected"]),
  message: Schema.String
}) {}

const refusals = {
  no_room: "Too many large requests are being sent at once. Please try again in a moment.",
  too_slow: "The request body did not arrive in time.",
  disconnected: "The request body did not arrive."
} as const

/** How long a client that gets `no_room` should wait, in seconds. */
export const noRoomSeconds = 5

type Bytes = Uint8Array<ArrayBuffer>

/** The most that is held of a body that is not read, and of a stream whose reader is behind. */
const unreadBytes = 256 * 1024
/** Larger bodies have this much more time for each byte beyond: 64 KB a second. */
const msPerByte = 1_000 / (64 * 1024)
/** How long an answer waits for the rest of the body, so that a client that sends first can still read the answer. */
const discardPatience = "2 seconds"
/** How much of an unwanted body is read meanwhile: this multiple of the limit, or `leastDiscarded` bytes if that is more. */
const excess = 4
const leastDiscarded = 16 * 1024 * 1024

/**
 * A body may come in so many parts of any size, and in more when they have `leastPartBytes` on average. Each part costs some 2 µs and 200 bytes of
 * memory beside its content, and a chunked body has a part for each chunk: 1.5 MB of chunks of one byte held up the process for 0.6 s.
 */
const mostSmallParts = 2_000
const leastPartBytes = 256

const none: Bytes = new Uint8Array(0)

/** How long a handler waits for the first bytes of a body, in milliseconds, before it begins without them. */
const headStartMs = 20
/** The bodies since the last call of `beginAll`. One timer serves all: a timer for each request would cost more than the rest of its body. */
let notBegun: Array<UwsBody> = []
const beginAll = () => {
  const bodies = notBegun
  notBegun = []
  for (const body of bodies) body.begin()
}

export interface UwsBodyOptions {
  readonly headers: Headers.Headers
  /** The most bytes. */
  readonly limit: number
  readonly held: HeldBodies
  /** The client's address. */
  readonly address: string
  /** How long `whole` waits for a body of 256 KB or less, in milliseconds. */
  readonly patienceMs: number
}

export class UwsBody {
  readonly #exchange: UwsExchange
  readonly #limit: number
  readonly #held: HeldBodies
  readonly #address: string
  readonly #patienceMs: number
  /** The length that the request states, in bytes; 0 when it states none. */
  readonly #announced: number
  #chunks: Array<Bytes> = []
  /** The bytes of `#chunks`, or of the whole body once it is joined. */
  #holding = 0
  /** How many of them are counted in `#held`. */
  #counted = 0
  #received = 0
  #parts = 0
  #complete = false
  #collecting = false
  #paused = false
  #discarding = false
  #refused: BodyRefused | undefined
  #joined: Bytes | undefined
  /** Wakes the waiting reader. */
  #wake: (() => void) | undefined
  /** Begins the handler; set until it has begun. */
  #begin: (() => void) | undefined

  /** Takes over the body of the exchange. Must be created in the callback that delivered the request. */
  constructor(exchange: UwsExchange, { headers, limit, held, address, patienceMs }: UwsBodyOptions) {
    this.#exchange = exchange
    this.#limit = limit
    this.#held = held
    this.#address = address
    this.#patienceMs = patienceMs
    this.#announced = Number(headers["content-length"] ?? 0)
    exchange.incomplete = true
    exchange.unread = () => this.#settle()
    exchange.res.onData((part, last) => this.#arrived(part, last))
  }

  /** Whose bytes they are, for `#held`. Most bodies are small and here at once, and never need it. */
  get #client(): string {
    return clientNetwork(this.#address)
  }

  #arrived(part: ArrayBuffer, last: boolean): void {
    this.#received += part.byteLength
    // Only closing the connection keeps the library from parsing the rest.
    if (++this.#parts > mostSmallParts && this.#received < this.#parts * leastPartBytes && !this.#exchange.gone)
      return void this.#exchange.res.close()
    this.#complete = last
    this.#exchange.incomplete = !last
    if (last) this.#exchange.unread = this.#paused ? () => this.#goOnReading() : undefined
    if (part.byteLength > 0 && !this.#discarding && this.#refused === undefined && !this.#exchange.gone)
      this.#hold(part)
    if (!last && !this.#discarding && !this.#paused && !this.#collecting && this.#holding >= unreadBytes) this.#pause()
    this.begin()
    this.#wake?.()
  }

  /**
   * Calls `begin` once: when the first bytes have arrived, which for most requests is at once and all of the body, or else after `headStartMs`. So
   * ordinary handlers never wait for their body.
   */
  onceBegun(begin: () => void): void {
    this.#begin = begin
    if (notBegun.length === 0) setTimeout(beginAll, headStartMs)
    notBegun.push(this)
  }

  /** Begins the handler if it has not begun. */
  begin(): void {
    const begin = this.#begin
    this.#begin = undefined
    if (!this.#exchange.gone) begin?.()
  }

  #hold(part: ArrayBuffer): void {
    if (this.#received > this.#limit) this.#refuse("too_large")
    else if (!this.#count(this.#holding + part.byteLength)) this.#refuse("no_room")
    else {
      // The library reuses this buffer, so it is copied.
      this.#chunks.push(new Uint8Array(part.slice(0)))
      this.#holding += part.byteLength
    }
  }

  /** Counts `bytes` as held, beyond the first. Gives false when there is no room for them. */
  #count(bytes: number): boolean {
    const counted = Math.max(0, bytes - uncountedBytes)
    if (counted > this.#counted && !this.#held.take(this.#client, counted - this.#counted)) return false
    if (counted < this.#counted) this.#held.release(this.#client, this.#counted - counted)
    this.#counted = counted
    // After this a handler that cannot be interrupted reads that the client is gone, and not an empty body.
    if (counted > 0) this.#exchange.release = () => this.#refuse("disconnected")
    return true
  }

  #letGo(): void {
    this.#chunks = []
    this.#joined = undefined
    this.#holding = 0
    this.#count(0)
  }

  #refuse(reason: BodyRefused["reason"]): void {
    const message = reason === "too_large" ? `The request body is larger than ${this.#limit} bytes.` : refusals[reason]
    this.#refused ??= new BodyRefused({ reason, message })
    this.#letGo()
  }

  #pause(): void {
    this.#paused = true
    this.#exchange.res.pause()
  }
  /**
   * Nothing more comes after the last byte: then the socket stays paused until the answer. The library would give the handler 10 seconds from now on,
   * and then close the connection without an answer.
   */
  #resume(): void {
    if (!this.#paused || this.#complete || this.#exchange.gone) return
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

  /** The body, which has arrived; or why it was refused. */
  #result(): Effect.Effect<Bytes, BodyRefused> {
    if (this.#refused !== undefined) return Effect.fail(this.#refused)
    return Effect.succeed(this.#join())
  }

  #join(): Bytes {
    if (this.#joined === undefined) {
      const chunks = this.#chunks
      this.#joined = chunks.length > 1 ? new Uint8Array(Buffer.concat(chunks)) : (chunks[0] ?? none)
      this.#chunks = []
    }
    return this.#joined
  }

  /** Waits until the body has arrived or is refused. A fiber may pause before each effect, so all that must be in one go is in this one. */
  #arrival(): Effect.Effect<void> {
    const longest = Math.min(this.#limit, Math.max(this.#announced, unreadBytes))
    return Effect.callback<void>((resume) => {
      if (!this.#complete && this.#refused === undefined) {
        if (this.#exchange.gone) this.#refuse("disconnected")
        else if (!this.#held.wait(this.#client)) this.#refuse("no_room")
      }
      if (this.#complete || this.#refused !== undefined) return resume(Effect.void)
      this.#collecting = true
      this.#resume()
      // A timer of Node instead of `Effect.timeout`, which forks fibers: this wait is on the path of ordinary requests.
      const late = setTimeout(
        () => {
          this.#refuse("too_slow")
          this.#wake?.()
        },
        this.#patienceMs + Math.max(0, longest - unreadBytes) * msPerByte
      )
      const settle = () => {
        clearTimeout(late)
        this.#wake = undefined
        this.#held.arrived(this.#client)
      }
      this.#wake = () => {
        if (!this.#complete && this.#refused === undefined) return
        settle()
        resume(Effect.void)
      }
      return Effect.sync(settle)
    })
  }

  /** The whole body if it has arrived and was not refused. It spares ordinary handlers an effect. */
  get arrived(): Bytes | undefined {
    if (!this.#complete || this.#refused !== undefined) return undefined
    return this.#join()
  }

  /** The whole body; the same bytes each time. */
  get whole(): Effect.Effect<Bytes, BodyRefused> {
    return Effect.suspend(() => {
      if (this.#refused === undefined && this.#announced > this.#limit) this.#refuse("too_large")
      if (this.#complete || this.#refused !== undefined) return this.#result()
      return Effect.andThen(
        this.#arrival(),
        Effect.suspend(() => this.#result())
      )
    })
  }

  /** Takes all chunks that have arrived; an empty list at the end of the body. */
  #take(): Effect.Effect<ReadonlyArray<Bytes>, BodyRefused> {
    const taken = Effect.suspend((): Effect.Effect<ReadonlyArray<Bytes>, BodyRefused> => {
      if (this.#refused !== undefined) return Effect.fail(this.#refused)
      const chunks = this.#chunks
      this.#chunks = []
      this.#holding = 0
      this.#count(0)
      this.#resume()
      return Effect.succeed(chunks)
    })
    return Effect.andThen(
      this.#until(() => this.#chunks.length > 0 || this.#complete || this.#refused !== undefined),
      taken
    )
  }

  /** The body as a stream. It can be read once: each run continues after the bytes that were already read. */
  get bytes(): Stream.Stream<Bytes, BodyRefused> {
    const pull = Effect.flatMap(
      Effect.suspend(() => this.#take()),
      (chunks) => {
        const [first, ...rest] = chunks
        return first === undefined ? Cause.done() : Effect.succeed([first, ...rest] as const)
      }
    )
    return Stream.fromPull(Effect.succeed(pull))
  }

  /** Lets the next request come, after a body whose end arrived while the socket was paused. */
  #goOnReading(): Effect.Effect<boolean> {
    return Effect.sync(() => {
      this.#paused = false
      if (!this.#exchange.gone) this.#exchange.res.resume()
      return true
    })
  }

  /** Discards the rest of the body. Gives true when the body has ended, so that the connection can be reused. */
  #settle(): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      this.#discarding = true
      this.#letGo()
      this.#resume()
      const most = Math.max(this.#limit * excess, leastDiscarded)
      return this.#until(() => this.#complete || this.#exchange.gone || this.#received > most).pipe(
        Effect.timeoutOption(discardPatience),
        Effect.map(() => this.#complete)
      )
    })
  }
}
