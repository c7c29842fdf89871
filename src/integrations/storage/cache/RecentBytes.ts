/** How much a speech cache holds in memory: 32 MiB, about 70 minutes of speech. */
export const recentSpeechBytes = 32 * 1_024 * 1_024

/** The most recently used byte strings, up to a total size. Each expires at its own time. A plain bounded map without Effect. */
export class RecentBytes {
  readonly #entries = new Map<string, { readonly bytes: Uint8Array; readonly expiresAt: number }>()
  readonly #maxBytes: number
  #size = 0

  /** @param maxBytes total of all values; a larger value is never kept. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The value, now the most recently used; `undefined` when absent or expired. `nowMs` is Unix time in milliseconds. */
  get(key: string, nowMs: number): Uint8Array | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#remove(key)
    if (entry.expiresAt <= nowMs) return undefined
    this.#add(key, entry)
    return entry.bytes
  }

  set(key: string, bytes: Uint8Array, expiresAt: number): void {
    this.#remove(key)
    if (bytes.length > this.#maxBytes) return
    this.#add(key, { bytes, expiresAt })
    // A Map keeps the order of insertion: the first entry is the one unused for longest.
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  #add(key: string, entry: { readonly bytes: Uint8Array; readonly expiresAt: number }): void {
    this.#entries.set(key, entry)
    this.#size += entry.bytes.length
  }

  #remove(key: string): void {
    this.#size -= this.#entries.get(key)?.bytes.length ?? 0
    this.#entries.delete(key)
  }
}
