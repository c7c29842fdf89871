/**
 * The file of a recording in progress. Every block has a fixed place in the file, so audio that is lost to a full or slow disk becomes silence and
 * does not shift the rest. After each flush the file is a complete WAV.
 */

import { type FileHandle, open, stat } from "node:fs/promises"
import { wavHeaderBytes } from "../../domain/basics/Wav.ts"
import { bytesPerMs, bytesPerSample, recordingHeader } from "../../domain/voice/engine/RecordingFormat.ts"
import { hasCode } from "../storage/FileErrors.ts"

/** The most audio that waits for the disk: 8 s, 256 kB. */
const maxPendingBytes = 8_000 * bytesPerMs

interface Block {
  /** The place among the samples, in bytes. */
  readonly at: number
  readonly bytes: Uint8Array
}

export class Spool {
  readonly file: string
  private pending: Array<Block> = []
  private pendingBytes = 0
  private end = 0
  private lost = 0
  private handle: FileHandle | undefined

  constructor(file: string) {
    this.file = file
  }

  /** Audio that was dropped before it reached the disk, ms. */
  get lostMs(): number {
    return this.lost / bytesPerMs
  }

  /** Takes the next samples and copies them. Their byte order is that of the machine, which must be that of WAV (little-endian). */
  write(interleaved: Int16Array): void {
    const bytes = new Uint8Array(interleaved.byteLength)
    bytes.set(new Uint8Array(interleaved.buffer, interleaved.byteOffset, interleaved.byteLength))
    this.pending.push({ at: this.end, bytes })
    this.end += bytes.length
    this.pendingBytes += bytes.length
    while (this.pendingBytes > maxPendingBytes) {
      const { length } = this.taken().bytes
      this.lost += length
    }
  }

  /** Writes the pending blocks. A rejected flush loses nothing: the next one continues. Never run two flushes at a time. */
  async flush(): Promise<void> {
    if (this.pending.length === 0) return
    this.handle ??= await open(this.file, "w")
    let written = 0
    while (this.pending.length > 0) {
      const block = this.pending[0]
      await writeAll(this.handle, block.bytes, wavHeaderBytes + block.at)
      written = block.at + block.bytes.length
      // `write` may have dropped the block meanwhile.
      if (this.pending[0] === block) this.taken()
    }
    await writeAll(this.handle, recordingHeader(written), 0)
  }

  async close(): Promise<void> {
    const { handle } = this
    this.handle = undefined
    await handle?.close()
  }

  private taken(): Block {
    const block = this.pending.shift()!
    this.pendingBytes -= block.bytes.length
    return block
  }
}

/** Makes the header match the audio that a crash left in the file. Returns the file's size in bytes; 0 when there is no file or no audio. */
export const repair = async (file: string): Promise<number> => {
  const size = await sizeOf(file)
  const dataBytes = Math.floor((size - wavHeaderBytes) / bytesPerSample) * bytesPerSample
  if (dataBytes <= 0) return 0
  const handle = await open(file, "r+")
  try {
    await handle.truncate(wavHeaderBytes + dataBytes)
    await writeAll(handle, recordingHeader(dataBytes), 0)
  } finally {
    await handle.close()
  }
  return wavHeaderBytes + dataBytes
}

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return 0
    throw cause
  }
}

/** Repeats short writes, which happen when the disk is nearly full. */
const writeAll = async (handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
