/**
 * Media in the object storage, with their records. A file goes to the local disk first: only then are its length, type and hash known. Its record is
 * created before its content is stored and removed after it, so that content never exists without a record.
 */
import { Clock, Effect, Layer, Stream } from "effect"
import { safeFilename } from "../../domain/basics/Filename.ts"
import { ObjectStorage, type ObjectStorageError } from "../../domain/basics/ObjectStorage.ts"
import { traced } from "../../domain/basics/Traced.ts"
import {
  largestMediaBytes,
  type Media,
  MediaFiles,
  MediaNotFound,
  MediaRefused,
  MediaUnavailable,
  MediaWaiting,
  mediaKey,
  type NewMedia
} from "../../domain/messaging/media/Media.ts"
import { type MediaRecordKey, MediaRecords } from "../../domain/messaging/media/MediaRecords.ts"
import { receivedType, sendableKinds, uploadedType } from "../../domain/messaging/media/MediaType.ts"
import { sweepDrafts } from "../storage/Drafts.ts"
import { contentTypeOf } from "./ContentType.ts"
import { type SpooledFile, spool } from "./SpooledFile.ts"

export interface StoredMediaOptions {
  /** A folder on the local disk for files while they arrive. */
  readonly folder: string
}

/** The largest file that a channel lets a contact send. */
const largestReceivedBytes = 100 * 1024 * 1024
/** An upload that takes longer than this counts as cut off. */
const settledAfterMs = 60 * 60 * 1_000
const settledAtOnce = 100
/** How many files are removed at the same time, and how many may fail before the rest is left to `settle`. */
const removedAtOnce = 8
const mostFailures = 8
/** How often content is stored again because its record was removed meanwhile. */
const attempts = 3

const unavailable = ({ operation, key, message }: ObjectStorageError) =>
  new MediaUnavailable({ message: `${operation} ${key}: ${message}` })

const typeOf = (file: Pick<NewMedia, "source" | "claimedType">, detected: string | undefined) => {
  if (file.source === "channel") return Effect.succeed(receivedType(detected, file.claimedType))
  const type = uploadedType(detected)
  return type === undefined
    ? Effect.fail(
        new MediaRefused({
          reason: "unsupported",
          message: `The file's content is ${detected ?? "of a kind that is not known"}; what is taken are ${sendableKinds}.`
        })
      )
    : Effect.succeed(type)
}

export const layer = ({ folder }: StoredMediaOptions) =>
  Layer.effect(
    MediaFiles,
    Effect.gen(function* () {
      const objects = yield* ObjectStorage
      const records = yield* MediaRecords
      const now = yield* Clock.currentTimeMillis
      yield* sweepDrafts(folder, now)

      const removeContent = ({ organizationId, mediaId }: MediaRecordKey) =>
        Effect.mapError(objects.remove(mediaKey(organizationId, mediaId)), unavailable)
      const finishRemoval = (key: MediaRecordKey) => Effect.andThen(removeContent(key), records.removed(key))

      /** Stores the content, then marks the record as `stored`. A parallel upload of the same content writes the same bytes to the same place. */
      const keep = (
        file: SpooledFile,
        record: Parameters<typeof records.claim>[0],
        left: number
      ): Effect.Effect<Media, MediaUnavailable> =>
        Effect.gen(function* () {
          const { media, stored } = yield* records.claim(record)
          if (stored) return media
          const key = { organizationId: media.organizationId, mediaId: media.id }
          yield* objects
            .put(mediaKey(key.organizationId, key.mediaId), file.bytes, {
              contentType: media.mimeType,
              size: media.sizeBytes
            })
            .pipe(Effect.catchTag("ObjectStorageError", (error) => Effect.fail(unavailable(error))))
          const confirmed = yield* records.confirm(key)
          if (confirmed !== undefined) return confirmed
          yield* removeContent(key)
          if (left === 0)
            return yield* new MediaUnavailable({ message: "the record of a file was removed while it was stored" })
          return yield* keep(file, record, left - 1)
        })

      const hide = Effect.fnUntraced(function* (organizationId: string, mediaId: string) {
        const begun = yield* records.beginRemovals(organizationId, [mediaId], { unlessWaiting: true })
        if (begun.length > 0) return true
        if ((yield* records.find({ organizationId, mediaId })) === undefined) return false
        return yield* new MediaWaiting({ mediaId })
      })

      /** A file that cannot be removed does not hold up the others. After many failures the storage counts as away, and the rest is left. */
      const finishRemovals = (organizationId: string, mediaIds: ReadonlyArray<string>) =>
        Effect.suspend(() => {
          let failed = 0
          const finish = (mediaId: string) =>
            Effect.suspend(() =>
              failed >= mostFailures ? Effect.void : finishRemoval({ organizationId, mediaId })
            ).pipe(
              Effect.catch(({ message }) => {
                failed++
                return Effect.logWarning("a file is removed later", { organizationId, mediaId, message })
              })
            )
          return Effect.forEach(mediaIds, finish, { concurrency: removedAtOnce, discard: true })
        })

      const removeUnused = Effect.fnUntraced(function* (organizationId: string, mediaIds: ReadonlyArray<string>) {
        const begun = yield* records.beginRemovals(organizationId, mediaIds, { unlessUsed: true })
        yield* finishRemovals(organizationId, begun)
        return begun
      })

      return MediaFiles.of({
        store: traced("MediaFiles.store")(function* (organizationId, file) {
          const limit = file.source === "upload" ? largestMediaBytes : largestReceivedBytes
          const spooled = yield* spool(folder, file.bytes, limit)
          const type = yield* typeOf(file, yield* contentTypeOf(spooled.path))
          const { sizeBytes, sha256 } = spooled
          const filename = file.filename === undefined ? null : safeFilename(file.filename)
          return yield* keep(spooled, { organizationId, ...type, sizeBytes, sha256, filename }, attempts)
        }, Effect.scoped),

        find: (organizationId, mediaId) => records.find({ organizationId, mediaId }),

        list: records.list,

        open: (organizationId, mediaId, range) =>
          Stream.unwrap(
            Effect.gen(function* () {
              const media = yield* records.find({ organizationId, mediaId })
              if (media === undefined) return yield* new MediaNotFound({ mediaId })
              return Stream.mapError(objects.read(mediaKey(organizationId, media.id), range), (error) =>
                error._tag === "ObjectNotFound" ? new MediaNotFound({ mediaId }) : unavailable(error)
              )
            })
          ),

        hide: traced("MediaFiles.hide")(hide),

        removeUnused: traced("MediaFiles.removeUnused")(removeUnused),

        finishRemovals: traced("MediaFiles.finishRemovals")(finishRemovals),

        settle: Effect.gen(function* () {
          const before = new Date((yield* Clock.currentTimeMillis) - settledAfterMs)
          const left = yield* records.unsettled(before, settledAtOnce)
          const settled = yield* Effect.forEach(left, (key) =>
            finishRemoval(key).pipe(
              Effect.as(1),
              Effect.catch((error) =>
                Effect.as(Effect.logWarning("a file that nobody needs could not be removed", error), 0)
              )
            )
          )
          return settled.reduce<number>((sum, one) => sum + one, 0)
        }).pipe(Effect.withSpan("MediaFiles.settle"))
      })
    })
  )
