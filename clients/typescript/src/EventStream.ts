/** The live feed: events as they happen. A stream that breaks off is opened again and goes on where it was. */
import { AnswerError, ConnectionError, type FailedRequest, UnauthorizedError } from "./Errors.ts"
import type { Call, Executor } from "./Executor.ts"
import type { Event } from "./generated/types.ts"
import type { StreamOptions } from "./Options.ts"
import { pause, waitMs } from "./Retry.ts"
import { SseParser } from "./SseParser.ts"

/** Events are missing: they are not kept any more, or the stream broke off before its first one. */
export interface EventGap {
  readonly type: "gap"
  readonly message: string
}

/** Events, one after the other. The loop ends by `break`, by the signal (rejects with its reason), or when the key may not read any more. */
export type EventStream = AsyncIterable<Event | EventGap>

const interrupted: EventGap = {
  type: "gap",
  message: "The stream broke off before its first event. Events that happened meanwhile may be missing."
}

/** Answers that may be different soon. */
const isPassing = ({ status }: AnswerError): boolean => status === 429 || status >= 500

export class EventReader implements EventStream {
  readonly #executor: Executor
  readonly #call: Call
  readonly #options: StreamOptions
  readonly #failed: FailedRequest

  constructor(executor: Executor, call: Call, options: StreamOptions) {
    this.#executor = executor
    this.#failed = { operation: call.name, attempts: 1, idempotencyKey: undefined }
    this.#call = call
    this.#options = options
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event | EventGap, void, undefined> {
    const { signal, onConnection } = this.#options
    let last = this.#options.lastEventId
    let failures = 0
    let begun = false
    while (true) {
      signal?.throwIfAborted()
      const stop = new AbortController()
      try {
        const body = await this.#open(last, stop)
        onConnection?.(true)
        if (begun && last === undefined) yield interrupted
        begun = true
        for await (const message of this.#messages(body, stop)) {
          failures = 0
          const data = JSON.parse(message.data)
          if (message.event === "end")
            throw new UnauthorizedError(data.message, this.#failed, {
              status: 401,
              requestId: undefined,
              retryAfterSeconds: undefined,
              existingId: undefined
            })
          last = message.id ?? last
          yield message.event === "gap" ? { type: "gap", message: data.message } : data
        }
      } catch (cause) {
        signal?.throwIfAborted()
        if (!(cause instanceof ConnectionError || (cause instanceof AnswerError && isPassing(cause)))) throw cause
        failures++
        onConnection?.(false)
        await pause(
          waitMs(Math.max(failures, 1), cause instanceof AnswerError ? cause.retryAfterSeconds : undefined),
          signal
        )
        continue
      } finally {
        stop.abort()
      }
      // The service was stopped, and is back soon.
      onConnection?.(false)
      await pause(waitMs(++failures, undefined), signal)
    }
  }

  async #open(last: string | undefined, stop: AbortController): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { signal, onStream } = this.#options
    const headers = last === undefined ? {} : { "last-event-id": last }
    const call: Call = {
      ...this.#call,
      options: {
        retries: 0,
        headers,
        signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
      }
    }
    return this.#executor.send(call, async (response) => {
      const streamId = response.headers.get("x-stream-id")
      if (streamId !== null) onStream?.(streamId)
      return response.body ?? new Blob([]).stream()
    })
  }

  /** The messages of one connection. Ends it when there is no sign of life. */
  async *#messages(body: ReadableStream<Uint8Array<ArrayBuffer>>, stop: AbortController) {
    const { silenceMs = 45_000 } = this.#options
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const parser = new SseParser()
    while (true) {
      const timer = setTimeout(() => stop.abort(), silenceMs)
      const { done, value } = await reader
        .read()
        .catch((cause) => {
          throw new ConnectionError("The stream of events broke off.", this.#failed, { cause })
        })
        .finally(() => clearTimeout(timer))
      if (done) return
      yield* parser.push(decoder.decode(value, { stream: true }))
    }
  }
}
