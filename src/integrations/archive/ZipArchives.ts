/** `Archives` as ZIP files. They are written to a temporary file, because the storage needs the size before the first byte. */
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Layer, Stream } from "effect"
import { ZipFile } from "yazl"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { type ArchiveEntry, ArchiveFailed, Archives } from "../../domain/privacy/ContactExport.ts"

const failed = (cause: unknown) =>
  new ArchiveFailed({
    message: `The archive could not be written: ${messageOf(cause)}`
  })

/** Whether the file is already compressed: audio, pictures and video are. */
const isPacked = (name: string): boolean => name.startsWith("media/") || name.startsWith("recordings/")

/** Writes the archive to `path`, opening one entry after the other. Rejects with the first failure of an entry. */
const write = (entries: ReadonlyArray<ArchiveEntry>, path: string, signal: AbortSignal): Promise<void> => {
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream)
  const opened: Array<Readable> = []
  const give = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)))
  zip.on("error", give)
  for (const { name, bytes } of entries)
    zip.addReadStreamLazy(name, { compress: !isPacked(name) }, (ready) => {
      const readable = NodeStream.toReadableNever(bytes)
      opened.push(readable)
      readable.once("error", give)
      ready(null, readable)
    })
  zip.end()
  return pipeline(output, createWriteStream(path), { signal }).finally(() => {
    for (const readable of opened) readable.destroy()
  })
}

const folder = Effect.acquireRelease(
  Effect.tryPromise({ try: () => mkdtemp(join(tmpdir(), "parley-export-")), catch: failed }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** The system's folder for temporary files must have room for the archive. */
export const layer: Layer.Layer<Archives> = Layer.succeed(Archives, {
  zip: (entries, use) =>
    Effect.scoped(
      Effect.gen(function* () {
        const path = join(yield* folder, "archive.zip")
        yield* Effect.tryPromise({ try: (signal) => write(entries, path, signal), catch: failed })
        const { size } = yield* Effect.tryPromise({ try: () => stat(path), catch: failed })
        const bytes = Stream.suspend(() =>
          Stream.fromAsyncIterable<Uint8Array, ArchiveFailed>(createReadStream(path), failed)
        )
        return yield* use({ size, bytes })
      })
    )
})
