/** First in, first out, of bytes; grows by doubling, never per frame. */
const INITIAL_BYTES = 1 << 15

export class ByteRing {
  private bytes = new Uint8Array(INITIAL_BYTES)
  private read = 0
  private count = 0

  /** Bytes waiting. */
  get length(): number {
    return this.count
  }

  push(data: Uint8Array): void {
    if (this.count + data.length > this.bytes.length) this.grow(this.count + data.length)
    const write = (this.read + this.count) & (this.bytes.length - 1)
    const first = Math.min(data.length, this.bytes.length - write)
    this.bytes.set(first === data.length ? data : data.subarray(0, first), write)
    if (first < data.length) this.bytes.set(data.subarray(first), 0)
    this.count += data.length
  }

  /** Copies up to `out.length` bytes, from the `from`th waiting on, to the start of `out`; returns how many. Allocates nothing. */
  copy(out: Uint8Array, from: number): number {
    const { bytes } = this
    const mask = bytes.length - 1
    const start = this.read + from
    const copied = Math.max(0, Math.min(out.length, this.count - from))
    for (let i = 0; i < copied; i++) out[i] = bytes[(start + i) & mask]
    return copied
  }

  /** Forgets the `count` oldest bytes. */
  drop(count: number): void {
    const dropped = Math.min(count, this.count)
    this.read = (this.read + dropped) & (this.bytes.length - 1)
    this.count -= dropped
  }

  clear(): void {
    this.read = 0
    this.count = 0
  }

  private grow(needed: number): void {
    let size = this.bytes.length
    while (size < needed) size *= 2
    const next = new Uint8Array(size)
    this.copy(next, 0)
    this.bytes = next
    this.read = 0
  }
}
