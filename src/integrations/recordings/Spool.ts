/**
 * The file of a recording that is being made. Every block has its place in the file from the start, so what was lost to a full or slow disk
 * is silence and shifts nothing. After each flush the file is a whole WAV.
 */

import { type FileHandle, open, stat } from "node:fs/promises"
import { wavHeaderBytes } from "../../domain/basics/Wav.ts"
import { bytesPerMs, bytesPerSample, recordingHeader } from "../../domain/voice/engine/Recordings.ts"
import { hasCode } from "../storage/FileErrors.ts"

/** What waits for the disk: 8 s of audio, 256 kB. */
const maxPendingBytes = 8_000 * bytesPerMs

interface Block {
  /** Where in the samples, in bytes. */
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

  /** Audio that never got to the disk, ms. */
  get lostMs(): number {
    return this.lost / bytesPerMs
  }

  /** Takes the next samples (copied, in the byte order of the machine, which is that of WAV). */
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

  /** Writes what is pending. A rejected flush loses nothing: it goes on at the next one. Not to be called twice at a time. */
  async flush(): Promise<void> {
    if (this.pending.length === 0) return
    this.handle ??= await open(this.file, "w")
    let written = 0
    while (this.pending.length > 0) {
      const block = this.pending[0]
      await writeAll(this.handle, block.bytes, wavHeaderBytes + block.at)
      written = block.at + block.bytes.length
      // It may have been given up meanwhile.
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

/** Makes the header fit the file, whatever a crash left of it. Returns the size of the whole file; 0 when there is none or no audio. */
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

/** A write near the end of the disk's room may be a short one. */
const writeAll = async (handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
