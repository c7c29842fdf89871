/**
 * Batches on a byte stream: `u32 length, u32 number, u32 acknowledged`, then messages. `acknowledged` is the number of the last batch that its sender
 * has taken. The stream may cut batches anywhere.
 */
import { In, Out, ProtocolBroken } from "./Fields.ts"

/** Longer ones are not believed. */
const longestBatch = 4 * 1_024 * 1_024

export class BatchWriter {
  private readonly out = new Out()
  private number = 0

  /** The number of the last batch. */
  get sent(): number {
    return this.number
  }
  /** Writes a batch of what `fill` writes; undefined when that is nothing and nothing is to be acknowledged. */
  batch(acknowledged: number, mustSend: boolean, fill: (out: Out) => void): Uint8Array | undefined {
    const { out } = this
    out.clear()
    out.u32(0)
    out.u32(this.number + 1)
    out.u32(acknowledged)
    const empty = out.length
    fill(out)
    if (out.length === empty && !mustSend) return undefined
    this.number++
    out.lengthAt(0)
    return out.copy()
  }
}

export interface Batch {
  readonly acknowledged: number
  /** Views of the messages, without their lengths. */
  readonly messages: ReadonlyArray<Uint8Array>
}

export class BatchReader {
  private rest = Buffer.alloc(0)
  private number = 0

  /** The number of the last batch that was taken. */
  get taken(): number {
    return this.number
  }
  /** The batches that are complete with these bytes. Throws ProtocolBroken for anything else than batches in order. */
  *push(bytes: Uint8Array): Generator<Batch> {
    this.rest = this.rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.rest, bytes])
    while (this.rest.length >= 4) {
      const length = this.rest.readUInt32LE(0)
      if (length < 8 || length > longestBatch) throw new ProtocolBroken(`a batch has ${length} bytes`)
      if (this.rest.length < 4 + length) return
      const batch = new In(this.rest.subarray(4, 4 + length))
      this.rest = this.rest.subarray(4 + length)
      if (batch.u32() !== this.number + 1) throw new ProtocolBroken("a batch is missing")
      this.number++
      const acknowledged = batch.u32()
      const messages: Array<Uint8Array> = []
      while (batch.left > 0) messages.push(batch.blob())
      yield { acknowledged, messages }
    }
  }
}
