/** Collects a request body in memory. One limit applies to each body, another to the bodies of all requests together. */
import type { UwsExchange } from "./UwsExchange.ts"

/** The results of collecting a body. With `close` the client is still sending, and its connection should be closed. */
export interface BodyEvents {
  readonly complete: (body: Uint8Array<ArrayBuffer>) => void
  readonly tooLarge: (close: boolean) => void
  /** The bodies of all requests together have reached their limit. */
  readonly noRoom: (close: boolean) => void
}

/** Bytes of each body that do not count. So slow, large bodies can block only other large bodies, not ordinary requests. */
const uncounted = 64 * 1024

/** Counts the bytes of bodies in memory, beyond the first `uncounted` bytes of each, from their arrival until their request is over. */
export class HeldBodies {
  readonly #most: number
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Counts more bytes. Gives false, and counts nothing, when they would exceed the limit. */
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
 * Calls exactly one of the events, or none when the client disconnects first. A refused body is read to its end and discarded, so that the client can
 * read the answer and reuse the connection. Beyond four times the limit the connection is closed. `limit` is in bytes.
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
    // The library reuses this buffer, so it is copied.
    const chunk = new Uint8Array(part.slice(0))
    if (last && chunks.length === 0) return events.complete(chunk)
    chunks.push(chunk)
    if (!last) return
    const body = new Uint8Array(Buffer.concat(chunks))
    chunks = []
    events.complete(body)
  })
}
