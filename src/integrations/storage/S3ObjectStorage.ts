/**
 * Objects in a bucket of an S3-compatible storage. Large objects are uploaded in parts of 5 MB, with at most two parts in memory. An unfinished
 * upload is aborted. The client retries twice by itself.
 */
import { Readable } from "node:stream"
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException
} from "@aws-sdk/client-s3"
import { Upload } from "@aws-sdk/lib-storage"
import { Effect, Layer, Option, Redacted, Stream } from "effect"
import { type ObjectKey, ObjectNotFound, ObjectStorage, ObjectStorageError } from "../../domain/basics/ObjectStorage.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { exactSize } from "./ExactSize.ts"

export interface S3ObjectStorageOptions {
  readonly bucket: string
  readonly region: string
  /** The address of a storage other than Amazon's, e.g. `https://objects.example.com`. */
  readonly endpoint?: string | undefined
  /** Without credentials the client looks for the machine's own role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: Redacted.Redacted } | undefined
  /** Puts the bucket in the path instead of the host name. Most storages other than Amazon's need that. */
  readonly pathStyle?: boolean | undefined
}

const partsInMemory = 2
const connectionTimeoutMs = 5_000
/** A connection without traffic for this long is given up. */
const socketTimeoutMs = 30_000

const clientOf = ({ endpoint, region, credentials, pathStyle }: S3ObjectStorageOptions) =>
  new S3Client({
    region,
    forcePathStyle: pathStyle ?? false,
    // Other storages do not know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: socketTimeoutMs },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined
      ? {}
      : {
          credentials: {
            accessKeyId: credentials.accessKeyId,
            secretAccessKey: Redacted.value(credentials.secretAccessKey)
          }
        })
  })

const trouble = (operation: ObjectStorageError["operation"], key: ObjectKey) => (cause: unknown) =>
  new ObjectStorageError({
    operation,
    key,
    message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  })

const missingOr = (operation: ObjectStorageError["operation"], key: ObjectKey) => (cause: unknown) =>
  cause instanceof S3ServiceException && (cause.name === "NotFound" || cause.name === "NoSuchKey")
    ? new ObjectNotFound({ key })
    : trouble(operation, key)(cause)

export const layer = (options: S3ObjectStorageOptions): Layer.Layer<ObjectStorage> =>
  Layer.effect(
    ObjectStorage,
    Effect.gen(function* () {
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => clientOf(options)),
        (client) => Effect.sync(() => client.destroy())
      )
      const at = (key: ObjectKey) => ({ Bucket: options.bucket, Key: key })

      return ObjectStorage.of({
        put: traced("ObjectStorage.put")(
          <E>(
            key: ObjectKey,
            body: Stream.Stream<Uint8Array, E>,
            { contentType, size }: { readonly contentType: string; readonly size: number }
          ) =>
            Effect.suspend(() => {
              // The body's own failure must come out unchanged; the client would wrap it.
              let failure: Option.Option<E | ObjectStorageError> = Option.none()
              const checked = body.pipe(
                exactSize(size, (bytes) => trouble("put", key)(`${bytes} bytes came instead of ${size}`)),
                Stream.tapError((error) =>
                  Effect.sync(() => {
                    failure = Option.some(error)
                  })
                )
              )
              const send = (signal: AbortSignal) => {
                const source = Readable.from(Stream.toAsyncIterable(checked), { objectMode: false })
                const upload = new Upload({
                  client,
                  queueSize: partsInMemory,
                  params: {
                    ...at(key),
                    ContentType: contentType,
                    Body: source
                  }
                })
                signal.addEventListener("abort", () => {
                  void upload.abort()
                  // The upload aborts at the storage only when the body ends, and a stalled body does not end.
                  source.destroy()
                })
                return upload.done()
              }
              return Effect.tryPromise({
                try: send,
                catch: (cause) => Option.getOrElse(failure, () => trouble("put", key)(cause))
              }).pipe(Effect.asVoid)
            })
        ),

        find: traced("ObjectStorage.find")(function* (key) {
          const head = yield* Effect.tryPromise({
            try: (abortSignal) => client.send(new HeadObjectCommand(at(key)), { abortSignal }),
            catch: missingOr("find", key)
          })
          if (head.ContentLength === undefined || head.ETag === undefined)
            return yield* trouble("find", key)("the storage did not say length and entity tag")
          return { size: head.ContentLength, etag: head.ETag }
        }),

        read: (key, range) =>
          Stream.unwrap(
            Effect.tryPromise({
              try: (abortSignal) =>
                client.send(
                  new GetObjectCommand({
                    ...at(key),
                    ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` })
                  }),
                  { abortSignal }
                ),
              catch: missingOr("read", key)
            }).pipe(
              Effect.map(({ Body }) =>
                Body instanceof Readable
                  ? Stream.fromAsyncIterable<Uint8Array, ObjectStorageError>(Body, trouble("read", key))
                  : Stream.fail(trouble("read", key)("the storage sent no body"))
              )
            )
          ),

        remove: traced("ObjectStorage.remove")((key) =>
          Effect.tryPromise({
            try: (abortSignal) => client.send(new DeleteObjectCommand(at(key)), { abortSignal }),
            catch: trouble("remove", key)
          }).pipe(Effect.asVoid)
        )
      })
    })
  )
