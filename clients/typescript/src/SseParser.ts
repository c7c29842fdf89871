/** Takes server-sent events apart, in whatever pieces their text comes. */

export interface SseMessage {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

export class SseParser {
  #rest = ""
  #id: string | undefined
  #event = ""
  #data: Array<string> = []

  /** The messages that are complete with this piece. Comments and `retry` are left out. */
  readonly push = (piece: string): ReadonlyArray<SseMessage> => {
    const text = this.#rest + piece
    // A CR at the end may be the first half of CR LF.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ""
    return lines.flatMap((line) => this.#take(line) ?? [])
  }

  #take(line: string): SseMessage | undefined {
    if (line === "") return this.#finish()
    const colon = line.indexOf(":")
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1))
    if (name === "data") this.#data.push(value)
    else if (name === "event") this.#event = value
    else if (name === "id") this.#id = value
    return undefined
  }

  #finish(): SseMessage | undefined {
    const message = { id: this.#id, event: this.#event, data: this.#data.join("\n") }
    const isMessage = this.#data.length > 0
    this.#id = undefined
    this.#event = ""
    this.#data = []
    return isMessage ? message : undefined
  }
}
