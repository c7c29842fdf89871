import type { Stream } from "effect"
import { Clock, Context, Effect, Layer } from "effect"
import type { HttpServerRequest, Multipart } from "effect/http"
import { ObjectStorage } from "../../../domain/basics/ObjectStorage.ts"
import { largestMediaBytes, type Media, MediaFiles, mediaKey } from "../../../domain/messaging/media/Media.ts"
import { opensMedia, signMediaLink } from "../../../domain/messaging/media/MediaLink.ts"
import { uploadedType } from "../../../domain/messaging/media/MediaType.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { fileResponse, present } from "../../wire/FileResponse.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"
import { spanOf } from "../../wire/RequestTime.ts"
import { asUpload, uploadedFile } from "../../wire/UploadedFile.ts"

export interface MediaLinkOptions {
  /** A secret of the service. The key that signs links is derived from it. */
  readonly secret: string
}

/** The secret for the signatures of links to files. */
export class MediaLinks extends Context.Service<MediaLinks, MediaLinkOptions>()("parley/http/MediaLinks") {
  static readonly layer = ({ secret }: MediaLinkOptions) => Layer.succeed(MediaLinks, { secret })
}

const linkMinutes = 10

const view = ({ id, ...media }: Media) => ({ mediaId: id, ...media, url: `/api/media/${id}` })
const sentences = {
  missing: "There is no such media.",
  unreadable: "The file cannot be read right now. Please try again later."
}
const notFound = () => new NotFound({ error: sentences.missing })
const waiting = () =>
  new Conflict({
    error: "A message with this file waits to be sent. Delete the file when the message was sent or has failed."
  })

/** Whether browsers show this file without running anything in it. */
const isShown = ({ kind, mimeType }: Media) => kind !== "document" && uploadedType(mimeType) !== undefined

/** Makes the function that answers a request for a file of the organization. Needs MediaFiles and ObjectStorage. */
const makeFile = Effect.gen(function* () {
  const files = yield* MediaFiles
  const storage = yield* ObjectStorage
  return Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    {
      organizationId,
      mediaId,
      inline
    }: { readonly organizationId: string; readonly mediaId: string; readonly inline: boolean }
  ) {
    const media = yield* files.find(organizationId, mediaId)
    if (media === undefined) return yield* notFound()
    yield* present(storage.find(mediaKey(organizationId, media.id)), sentences)
    return fileResponse(request, {
      size: media.sizeBytes,
      etag: `"${media.sha256}"`,
      contentType: media.mimeType,
      fileName: media.filename ?? media.id,
      inline: inline && isShown(media),
      read: (range) => files.open(organizationId, media.id, range)
    })
  })
})

/** Makes the function that stores an uploaded file. Needs MediaFiles and Audit. */
const makeUpload = Effect.gen(function* () {
  const files = yield* MediaFiles
  const audit = yield* Audit
  return Effect.fnUntraced(
    function* (parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>) {
      const { organizationId } = yield* requireScope("media:write")
      const { filename, bytes } = yield* uploadedFile(parts, "file", largestMediaBytes)
      const media = yield* files.store(organizationId, { bytes, filename, source: "upload" })
      const uploaded = view(media)
      // The name is left out: the audit log is never changed, and a file may be named after a person.
      const { filename: _, ...recorded } = uploaded
      yield* audit.recorded(organizationId, Effect.void, () => ({
        action: "media.uploaded",
        subjectId: media.id,
        after: recorded
      }))
      return uploaded
    },
    asUpload,
    Effect.catchTags({
      MediaRefused: ({ message }) => new BadRequest({ error: message }),
      MediaUnavailable: (error) =>
        Effect.andThen(
          Effect.logError("an upload could not be stored", error),
          new ServerError({ error: "The file could not be stored right now. Please try again later." })
        )
    })
  )
})

/** Needs MediaFiles, MediaLinks, OwnAddress, Audit and ObjectStorage. */
const media = group(
  AppApi,
  "media",
  Effect.fn(function* (handlers) {
    const files = yield* MediaFiles
    const audit = yield* Audit
    const { secret } = yield* MediaLinks
    const { publicBaseUrl } = yield* OwnAddress
    const upload = yield* makeUpload
    const file = yield* makeFile
    return handlers
      .handle("upload", ({ payload }) => upload(payload))
      .handle("uploadShort", ({ payload }) => upload(payload))
      .handleRaw("download", ({ params, query, request }) =>
        Effect.flatMap(requireScope("media:read"), ({ organizationId }) =>
          file(request, { organizationId, mediaId: params.id, inline: query.inline === "true" })
        )
      )
      .handle(
        "list",
        Effect.fnUntraced(function* ({ query }) {
          const { organizationId } = yield* requireScope("media:read")
          const part = yield* partOf("media", query)
          const found = yield* files.list(organizationId, { kind: query.kind, ...spanOf(query) }, part)
          return toList({ ...found, data: found.data.map(view) }, part)
        })
      )
      .handle(
        "remove",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* requireScope("media:write")
          const hide = Effect.filterOrFail(files.hide(organizationId, params.id), Boolean, notFound)
          yield* audit
            .recorded(organizationId, hide, () => ({ action: "media.removed", subjectId: params.id }))
            .pipe(Effect.catchTag("MediaWaiting", waiting))
          yield* files.finishRemovals(organizationId, [params.id])
          return { mediaId: params.id, removed: true as const }
        })
      )
      .handle(
        "link",
        Effect.fnUntraced(function* ({ params, query }) {
          const { organizationId } = yield* requireScope("media:read")
          const found = yield* files.find(organizationId, params.id)
          if (found === undefined) return yield* notFound()
          const now = yield* Clock.currentTimeMillis
          const expires = Math.floor(now / 1_000) + (query.minutes ?? linkMinutes) * 60
          const signature = signMediaLink(secret, { organizationId, mediaId: found.id, expires })
          const parameters = new URLSearchParams({ organization: organizationId, expires: String(expires), signature })
          return {
            mediaId: found.id,
            url: `${publicBaseUrl}/api/media/${found.id}/file?${parameters}`,
            expiresAt: new Date(expires * 1_000).toISOString()
          }
        })
      )
  })
)

/** Needs MediaFiles, MediaLinks and ObjectStorage. */
const links = group(
  AppApi,
  "mediaLinks",
  Effect.fn(function* (handlers) {
    const { secret } = yield* MediaLinks
    const file = yield* makeFile
    return handlers.handleRaw(
      "open",
      Effect.fnUntraced(function* ({ params, query, request }) {
        const link = { organizationId: query.organization, mediaId: params.id, expires: query.expires }
        if (!opensMedia(secret, link, query.signature, yield* Clock.currentTimeMillis))
          return yield* new Forbidden({ error: "This link is over, or not as it was given out. Ask for a new one." })
        return yield* file(request, { ...link, inline: query.inline === "true" })
      })
    )
  })
)

/** The handlers of both groups. */
export const layer = Layer.merge(media, links)
