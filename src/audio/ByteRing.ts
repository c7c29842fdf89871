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

  /** Moves up to `out.length` bytes to the start of `out`; returns how many. Allocates nothing. */
  take(out: Uint8Array): number {
    const { bytes } = this
    const mask = bytes.length - 1
    const taken = Math.min(out.length, this.count)
    for (let i = 0; i < taken; i++) out[i] = bytes[(this.read + i) & mask]
    this.read = (this.read + taken) & mask
    this.count -= taken
    return taken
  }

  clear(): void {
    this.read = 0
    this.count = 0
  }

  private grow(needed: number): void {
    let size = this.bytes.length
    while (size < needed) size *= 2
    const next = new Uint8Array(size)
    const { count } = this
    this.take(next)
    this.bytes = next
    this.read = 0
    this.count = count
  }
}
