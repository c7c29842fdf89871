/**
 * Incremental parser of `text/event-stream` (WHATWG HTML, "server-sent events"): bytes in, in pieces of any size, events out.
 * Pieces may end inside a line, between CR and LF, or inside a multi-byte character.
 */
export interface SseEvent {
  /** `message` unless an `event:` line said otherwise. */
  readonly event: string
  readonly data: string
}

export class SseParser {
  readonly #decoder = new TextDecoder("utf-8")
  #line = ""
  #afterCr = false
  #event = ""
  #data: Array<string> = []

  /** Events that this piece completed, in order. An event is complete at its blank line. */
  push(bytes: Uint8Array): Array<SseEvent> {
    const events: Array<SseEvent> = []
    this.#feed(this.#decoder.decode(bytes, { stream: true }), events)
    return events
  }

  /**
   * To be called when the bytes end. The standard drops an unfinished event; several servers end without the last blank
   * line, so what was gathered is given out here.
   */
  finish(): Array<SseEvent> {
    const events: Array<SseEvent> = []
    this.#feed(this.#decoder.decode(), events)
    if (this.#line !== "") this.#endLine(events)
    this.#dispatch(events)
    return events
  }

  #feed(text: string, events: Array<SseEvent>): void {
    let from = 0
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i)
      if (char !== 10 && char !== 13) {
        this.#afterCr = false
        continue
      }
      if (!(char === 10 && this.#afterCr)) {
        this.#line += text.slice(from, i)
        this.#endLine(events)
      }
      this.#afterCr = char === 13
      from = i + 1
    }
    this.#line += text.slice(from)
  }

  #endLine(events: Array<SseEvent>): void {
    const line = this.#line
    this.#line = ""
    if (line === "") {
      this.#dispatch(events)
      return
    }
    const colon = line.indexOf(":")
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const rest = colon < 0 ? "" : line.slice(colon + 1)
    const value = rest.startsWith(" ") ? rest.slice(1) : rest
    if (field === "data") this.#data.push(value)
    else if (field === "event") this.#event = value
  }

  #dispatch(events: Array<SseEvent>): void {
    if (this.#data.length > 0) events.push({ event: this.#event || "message", data: this.#data.join("\n") })
    this.#event = ""
    this.#data = []
  }
}
