/**
 * Files at the Cloud API. Our files are uploaded when a message refers to them, and again when the channel's id has expired (30 days). Files
 * from contacts are fetched from an address that is good for five minutes.
 */
import { Clock, Context, Effect, Fiber, FiberMap, Layer, Option, PartitionedSemaphore, Schema, Stream } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { ChannelAccounts, type ChannelConnection } from "../../domain/messaging/channel/ChannelConnection.ts"
import { ChannelMedia, UploadedMedia } from "../../domain/messaging/channel/ChannelMedia.ts"
import { ChannelRefused, ChannelUnavailable } from "../../domain/messaging/channel/MessagingChannel.ts"
import { type Media, MediaFiles } from "../../domain/messaging/media/Media.ts"
import { MediaConversion } from "../../domain/messaging/media/MediaConversion.ts"
import { type Download, makeGuardedDownload } from "../web/GuardedDownload.ts"
import { CloudApi, known, read } from "./CloudApiClient.ts"

const readUploaded = read(Schema.Struct({ id: Schema.NonEmptyString }))

const readAddress = read(
  Schema.Struct({
    url: Schema.String.check(Schema.makeFilter((url) => URL.canParse(url))),
    mime_type: Schema.String,
    file_size: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.String]))
  })
)

/** A day less than the channel keeps them. */
const keptMs = 29 * 86_400_000
const idleMs = 20_000

const refused = (reason: string) => new ChannelRefused({ code: null, reason })
const gone = refused("The file of this message is not there any more.")

/** Uploads files for the adapter that sends messages. */
export class CloudApiUploads extends Context.Service<
  CloudApiUploads,
  {
    /**
     * Gives the channel's ids of our files, by our ids, and uploads files that the channel does not have. Requests for the same file at the
     * same moment share one upload. When an upload takes too long, this fails with `ChannelUnavailable`; the upload goes on, and a later
     * attempt finds its result.
     */
    readonly idsOf: (
      connection: ChannelConnection,
      mediaIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string>, ChannelRefused | ChannelUnavailable>
  }
>()("parley/integrations/CloudApiUploads") {}

const none = Effect.succeed<ReadonlyMap<string, string>>(new Map())
/** Converting and uploading have their own, shorter limits; reading the file may hang. */
const longestMs = 5 * 60_000

/** An upload reads its file into memory, in a process that carries calls. All uploads together hold no more than the channel's largest file. */
const uploadsMegabytes = 100
const megabytes = ({ sizeBytes }: Media) => Math.min(uploadsMegabytes, Math.max(1, Math.ceil(sizeBytes / 1_048_576)))

/** Needs CloudApi, MediaFiles, MediaConversion and UploadedMedia. */
export const layerUploads = Layer.effect(
  CloudApiUploads,
  Effect.gen(function* () {
    const { post, timeoutMs } = yield* CloudApi
    const files = yield* MediaFiles
    const conversion = yield* MediaConversion
    const uploads = yield* UploadedMedia
    // Organizations take turns.
    const memory = yield* PartitionedSemaphore.make<string>({ permits: uploadsMegabytes })
    const underWay = yield* FiberMap.make<string, string, ChannelRefused | ChannelUnavailable>()
    const start = yield* FiberMap.runtime(underWay)()

    /** A file of a kind that the channel does not take is converted, or refused. */
    const formOf = Effect.fnUntraced(
      function* (media: Media) {
        const { mimeType, filename, bytes } = yield* conversion.forChannel(media)
        const content = Buffer.concat(yield* Stream.runCollect(bytes))
        const form = new FormData()
        form.set("messaging_product", "whatsapp")
        form.set("type", mimeType)
        form.set("file", new Blob([content], { type: mimeType }), filename ?? "file")
        return form
      },
      Effect.catchTags({
        MediaRefused: ({ message }) => refused(message),
        MediaNotFound: () => gone,
        MediaUnavailable: ({ message }) => new ChannelUnavailable({ reason: message })
      })
    )

    const upload = Effect.fnUntraced(
      function* ({ accessToken, phoneNumberId }: ChannelConnection, media: Media) {
        const document = yield* post(accessToken, `/${phoneNumberId}/media`, yield* formOf(media))
        return (yield* readUploaded(document)).id
      },
      Effect.mapError(known),
      // An upload that hangs gives its share of the memory back.
      Effect.timeoutOrElse({
        duration: longestMs,
        orElse: () => new ChannelUnavailable({ reason: "Uploading the file of this message took too long." })
      }),
      (work, { organizationId }, media) => memory.withPermits(organizationId, megabytes(media))(work)
    )

    /** This sends no message: whatever breaks, the message was not handed over. */
    const findOrUpload = traced("CloudApiUploads.idOf")(
      function* (connection: ChannelConnection, mediaId: string) {
        const { organizationId, phoneNumberId } = connection
        const now = yield* Clock.currentTimeMillis
        const there = yield* uploads.find(organizationId, { mediaId, phoneNumberId }, now)
        if (there !== undefined) return there
        const media = yield* files.find(organizationId, mediaId)
        if (media === undefined) return yield* gone
        const channelMediaId = yield* upload(connection, media)
        yield* uploads.remember(organizationId, { mediaId, phoneNumberId, channelMediaId }, now + keptMs)
        return channelMediaId
      },
      (work, _connection, mediaId) =>
        Effect.catchDefect(work, (defect) =>
          Effect.andThen(
            Effect.logError("a file could not be uploaded to the channel", { mediaId }, defect),
            new ChannelUnavailable({ reason: "The file of this message could not be uploaded." })
          )
        )
    )

    const idOf = (connection: ChannelConnection, mediaId: string) =>
      Effect.suspend(() => {
        const key = `${connection.organizationId} ${connection.phoneNumberId} ${mediaId}`
        const begun = FiberMap.getUnsafe(underWay, key)
        return Fiber.join(Option.getOrElse(begun, () => start(key, findOrUpload(connection, mediaId))))
      })

    return CloudApiUploads.of({
      idsOf: (connection, mediaIds) => {
        if (mediaIds.length === 0) return none
        const idWith = (mediaId: string) => Effect.map(idOf(connection, mediaId), (id) => [mediaId, id] as const)
        return Effect.forEach(mediaIds, idWith, { concurrency: "unbounded" }).pipe(
          Effect.map((ids) => new Map(ids)),
          // Upload and sending together stay below the limit for handing over: a message at that limit counts as a lost answer.
          Effect.timeoutOrElse({
            duration: (timeoutMs * 2) / 3,
            orElse: () =>
              Effect.fail(
                new ChannelUnavailable({ reason: "The file of this message is still on its way to the channel." })
              )
          })
        )
      }
    })
  })
)

/** The bytes as they arrive. */
const streamOf = (answer: Download) => {
  const body = answer.body
  if (body === null) return Stream.empty
  return Stream.fromReadableStream({
    evaluate: () => body,
    onError: (cause) => new ChannelUnavailable({ reason: `The file was cut off (${String(cause)}).` })
  })
}

/** Needs CloudApi and ChannelAccounts. */
export const layer = Layer.effect(
  ChannelMedia,
  Effect.gen(function* () {
    const { ask, root } = yield* CloudApi
    const accounts = yield* ChannelAccounts

    const download = yield* makeGuardedDownload({ ownOrigin: new URL(root).origin })

    const request = (url: string, accessToken: string) =>
      download(url, { authorization: `Bearer ${accessToken}` }).pipe(
        Effect.catchTags({
          AddressRefused: ({ message }) =>
            Effect.fail(refused(`The channel gave an address for the file that is not used: ${message}.`)),
          DownloadFailed: ({ message }) =>
            Effect.fail(new ChannelUnavailable({ reason: `The file cannot be fetched (${message}).` }))
        }),
        Effect.timeoutOrElse({
          duration: idleMs,
          orElse: () => Effect.fail(new ChannelUnavailable({ reason: "The file did not come in time." }))
        })
      )

    return ChannelMedia.of({
      fetch: traced("CloudApiMedia.fetch")(function* (organizationId, channelMediaId) {
        const connection = yield* accounts.find(organizationId)
        if (connection === undefined) return yield* refused("No messaging channel is connected any more.")
        const { accessToken, phoneNumberId } = connection
        const document = yield* Effect.mapError(
          ask(accessToken, {
            method: "GET",
            path: `/${encodeURIComponent(channelMediaId)}`,
            query: { phone_number_id: phoneNumberId }
          }),
          known
        )
        const { url, mime_type: mimeType, file_size = 0 } = yield* readAddress(document)
        const answer = yield* request(url, accessToken)
        // An address is good for five minutes: the next attempt asks for another.
        if (!answer.ok)
          return yield* new ChannelUnavailable({ reason: `The channel answered ${answer.status} instead of the file.` })
        return { mimeType, sizeBytes: Number(file_size), bytes: streamOf(answer) }
      })
    })
  })
)
