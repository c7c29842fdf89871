/** Collects a request body within a limit. */
import type { Exchange } from "./Exchange.ts"

export interface BodyEvents {
  readonly complete: (body: Uint8Array<ArrayBuffer>) => void
  /** `close`: the client is still sending and should be cut off. */
  readonly tooLarge: (close: boolean) => void
}

const none = new Uint8Array(0)

/**
 * Calls exactly one of the events, or none when the client goes away first. A body that is a little too large is read to its end and
 * thrown away, so that the client gets to read the answer and may reuse the connection; beyond four times the limit it is cut off.
 */
export const collectBody = (exchange: Exchange, method: string, limit: number, events: BodyEvents): void => {
  if (method === "GET" || method === "HEAD") {
    events.complete(none)
    return
  }
  let chunks: Array<Uint8Array> = []
  let size = 0
  exchange.res.onData((part, last) => {
    if (exchange.gone) return
    size += part.byteLength
    if (size > limit) {
      chunks = []
      if (last) events.tooLarge(false)
      else if (size > limit * 4) events.tooLarge(true)
      return
    }
    // The library reuses the buffer it lends, so it is copied.
    const chunk = new Uint8Array(part.slice(0))
    if (last && chunks.length === 0) return events.complete(chunk)
    chunks.push(chunk)
    if (last) events.complete(new Uint8Array(Buffer.concat(chunks)))
  })
}
