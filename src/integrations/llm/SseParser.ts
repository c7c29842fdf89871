/**
 * Incremental parser of `text/event-stream` (WHATWG HTML, "server-sent events"): takes bytes in pieces of any size, and gives events.
 * Pieces may end inside a line, between CR and LF, or inside a multi-byte character. Lines and fields are parsed by `eventsource-parser`.
 */
import { createParser } from "eventsource-parser"

export interface SseEvent {
  /** `message` unless an `event:` line said otherwise. */
  readonly event: string
  readonly data: string
}

/** The most characters of an incomplete event, its unfinished line included. A tool call with all its arguments is far shorter. */
export const maxPendingCharacters = 1_048_576

export class SseParser {
  /** The parser removes one byte order mark; the decoder must not remove another. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  readonly #parser = createParser({
    maxBufferSize: maxPendingCharacters,
    onEvent: ({ event = "message", data }) => this.#events.push({ event, data }),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") this.#tooLong = true
    }
  })
  #events: Array<SseEvent> = []
  #tooLong = false

  /** Whether an event grew beyond `maxPendingCharacters`. Nothing is parsed from then on. */
  get tooLong(): boolean {
    return this.#tooLong
  }

  /** Events that this piece completed, in order. An event is complete at its blank line. */
  push(bytes: Uint8Array): Array<SseEvent> {
    return this.#feed(this.#decoder.decode(bytes, { stream: true }))
  }

  /**
   * Call it once, when the bytes end. The standard drops an unfinished event. Several servers end without the last blank line, so this adds that
   * line and returns the event.
   */
  finish(): Array<SseEvent> {
    return this.#feed(`${this.#decoder.decode()}\n\n`)
  }

  #feed(text: string): Array<SseEvent> {
    if (!this.#tooLong) this.#parser.feed(text)
    const events = this.#events
    if (events.length > 0) this.#events = []
    return events
  }
}
