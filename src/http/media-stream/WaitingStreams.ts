/**
 * The media streams that have not proved yet that they were invited. Anybody can open one, so their number is bounded. The provider sends its token
 * at once, so when there are too many, the one that has waited longest is closed: an attacker's own, and not the provider's next.
 */
export interface WaitingStream {
  /** The address of the socket's other end. */
  readonly remote: string
  readonly giveUp: () => void
}

/** The most of all addresses, and of one. A proxy's address is shared by all that come through it. */
const most = 1_000
const mostOfAddress = 500

export class WaitingStreams {
  /** In the order of their arrival. */
  readonly #waiting = new Set<WaitingStream>()
  readonly #ofAddress = new Map<string, number>()

  get size(): number {
    return this.#waiting.size
  }

  add(stream: WaitingStream): void {
    const ofAddress = (this.#ofAddress.get(stream.remote) ?? 0) + 1
    this.#waiting.add(stream)
    this.#ofAddress.set(stream.remote, ofAddress)
    const oldest = ofAddress > mostOfAddress ? this.#oldest(stream.remote) : undefined
    const leaving = oldest ?? (this.#waiting.size > most ? this.#oldest() : undefined)
    if (leaving === undefined) return
    this.delete(leaving)
    leaving.giveUp()
  }

  delete(stream: WaitingStream): void {
    if (!this.#waiting.delete(stream)) return
    const left = (this.#ofAddress.get(stream.remote) ?? 1) - 1
    if (left === 0) this.#ofAddress.delete(stream.remote)
    else this.#ofAddress.set(stream.remote, left)
  }

  #oldest(remote?: string): WaitingStream | undefined {
    for (const stream of this.#waiting) if (remote === undefined || stream.remote === remote) return stream
    return undefined
  }
}
