/** Collects a request body within a limit, and what all requests together hold of theirs within another. */
import type { UwsExchange } from "./UwsExchange.ts"

/** `close`: the client is still sending and should be cut off. */
export interface BodyEvents {
  readonly complete: (body: Uint8Array<ArrayBuffer>) => void
  readonly tooLarge: (close: boolean) => void
  /** All requests together hold as much as they may. */
  readonly noRoom: (close: boolean) => void
}

/** So much each request may hold uncounted: whoever sends much and slowly keeps out others like it, and nobody's ordinary requests. */
const uncounted = 64 * 1024

/** What requests hold of their bodies, beyond the first `uncounted` bytes of each, from when these come until the request is over. */
export class HeldBodies {
  readonly #most: number
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** False when it would be too much. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#most) return false
    this.#bytes += bytes
    return true
  }

  release(bytes: number): void {
    this.#bytes -= bytes
  }
}

const none = new Uint8Array(0)

/**
 * Calls exactly one of the events, or none when the client goes away first. A body that is refused is read to its end and thrown away, so that
 * the client gets to read the answer and may reuse the connection; beyond four times the limit it is cut off.
 */
export const collectBody = (
  exchange: UwsExchange,
  method: string,
  limit: number,
  held: HeldBodies,
  events: BodyEvents
): void => {
  if (method === "GET" || method === "HEAD") {
    events.complete(none)
    return
  }
  let chunks: Array<Uint8Array> = []
  let size = 0
  let counted = 0
  let refused: "tooLarge" | "noRoom" | undefined
  const letGo = () => {
    chunks = []
    held.release(counted)
    counted = 0
  }
  const hasRoom = (): boolean => {
    const more = Math.max(0, size - uncounted) - counted
    if (more <= 0) return true
    if (!held.take(more)) return false
    counted += more
    exchange.release = letGo
    return true
  }
  exchange.res.onData((part, last) => {
    if (exchange.gone) return
    size += part.byteLength
    if (refused === undefined) {
      if (size > limit) refused = "tooLarge"
      else if (!hasRoom()) refused = "noRoom"
      if (refused !== undefined) letGo()
    }
    if (refused !== undefined) {
      if (last || size > limit * 4) events[refused](!last)
      return
    }
    // The library reuses the buffer it lends, so it is copied.
    const chunk = new Uint8Array(part.slice(0))
    if (last && chunks.length === 0) return events.complete(chunk)
    chunks.push(chunk)
    if (!last) return
    const body = new Uint8Array(Buffer.concat(chunks))
    chunks = []
    events.complete(body)
  })
}
