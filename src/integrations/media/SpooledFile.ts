/** A file on the local disk that lives as long as a scope. It takes bytes of unknown length, so that memory holds only one chunk of them. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect, type Scope, Stream } from "effect"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { newId } from "../../domain/basics/Ids.ts"
import { MediaRefused, MediaUnavailable } from "../../domain/messaging/media/Media.ts"

export interface SpooledFile {
  readonly path: string
  readonly sizeBytes: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly bytes: Stream.Stream<Uint8Array, MediaUnavailable>
}

const onDisk = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new MediaUnavailable({ message: messageOf(cause) })
  })

const tooLarge = (limit: number) =>
  new MediaRefused({
    reason: "too_large",
    message: `The file is larger than ${Math.floor(limit / 1024 / 1024)} MB, the most that is taken.`
  })

/** Writes `bytes` to a new file, which is removed with the scope. Fails with MediaRefused beyond `limit` bytes or when there are none. */
export const spool = <E>(
  folder: string,
  bytes: Stream.Stream<Uint8Array, E>,
  limit: number
): Effect.Effect<SpooledFile, E | MediaRefused | MediaUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    yield* onDisk(() => mkdir(folder, { recursive: true }))
    const path = join(folder, newId("med"))
    yield* Effect.addFinalizer(() => Effect.ignore(onDisk(() => rm(path, { force: true }))))
    const hash = createHash("sha256")
    let sizeBytes = 0
    yield* Effect.acquireUseRelease(
      onDisk(() => open(path, "wx", 0o600)),
      (handle) =>
        Stream.runForEach(bytes, (chunk): Effect.Effect<void, MediaRefused | MediaUnavailable> => {
          sizeBytes += chunk.byteLength
          if (sizeBytes > limit) return Effect.fail(tooLarge(limit))
          hash.update(chunk)
          return onDisk(() => handle.writeFile(chunk))
        }),
      (handle) => Effect.promise(() => handle.close())
    )
    if (sizeBytes === 0) return yield* new MediaRefused({ reason: "empty", message: "The file is empty." })
    return {
      path,
      sizeBytes,
      sha256: hash.digest("hex"),
      bytes: Stream.suspend(() =>
        Stream.fromAsyncIterable<Uint8Array, MediaUnavailable>(
          createReadStream(path),
          (cause) => new MediaUnavailable({ message: String(cause) })
        )
      )
    }
  })
