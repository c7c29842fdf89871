/** `/api/media`: files of messages. Uploads have two addresses. */
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { Media, MediaKind } from "../../../domain/messaging/media/Media.ts"
import { uploadableTypes } from "../../../domain/messaging/media/MediaType.ts"
import { fileAnswers } from "../../docs/FileDocs.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"
import { wholeNumber, yesOrNo } from "../../wire/QueryNumber.ts"
import { spanQuery } from "../../wire/RequestTime.ts"
import { formLimits } from "../../wire/UploadedFile.ts"

const { id: _, ...fields } = Media.fields

/** A file as the interface shows it. `url` is the address where the same key can read it. */
export const MediaView = Schema.Struct({ mediaId: Schema.String, ...fields, url: Schema.String }).annotate({
  title: "Media",
  examples: [
    {
      mediaId: exampleIds.media,
      organizationId: exampleIds.organization,
      kind: "image",
      mimeType: "image/jpeg",
      sizeBytes: 184_320,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      filename: "menu.jpg",
      createdAt: "2026-11-21T09:30:00.000Z",
      url: `/api/media/${exampleIds.media}`
    }
  ]
})

const form = Schema.Struct({ file: Multipart.SingleFileSchema }).pipe(HttpApiSchema.asMultipartStream(formLimits))

/** A file of 16 MB and the form around it, in bytes. */
const longestForm = 17 * 1024 * 1024

const upload = {
  payload: form,
  success: MediaView.pipe(HttpApiSchema.status(201)),
  error: [BadRequest, Forbidden, ServerError]
}
const about = OpenApi.annotations({
  summary: "Upload a file for messages",
  description:
    "`multipart/form-data` with one file in the part `file`, of at most 16 MB: image (JPEG, PNG, WebP), document (PDF, DOCX), audio (MP3, OGG) or " +
    "video (MP4). What it is decides its content. The same bytes give the same `mediaId` again, with the name they first had. `Idempotency-Key` is " +
    "not needed and not looked at. The `mediaId` is used in message sends. Scope `media:write`."
})

/** Contacts send files of any type. */
const fileTypes = [...uploadableTypes, "*/*"]
const file = HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" })
const params = { id: Id }

/** With `inline=true` a page can show images, audio and video directly. */
const query = { inline: yesOrNo }

/** How many minutes a link is valid. */
const Minutes = wholeNumber({ minimum: 1, maximum: 60, default: 10 })

export class MediaGroup extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.post("upload", "/api/messaging-api/media", upload)
      .annotateMerge(about)
      .annotateMerge(bodyLimit(longestForm)),
    HttpApiEndpoint.post("uploadShort", "/api/media/upload", upload)
      .annotateMerge(about)
      .annotateMerge(bodyLimit(longestForm)),
    HttpApiEndpoint.get("list", "/api/media", {
      query: { ...listQuery, ...spanQuery, kind: Schema.optionalKey(MediaKind) },
      success: listOf(MediaView),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List files, newest first",
        description:
          "Those that were uploaded and those that contacts sent. `since` and `before` are instants. Scope `media:read`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/api/media/:id", {
      params,
      success: Schema.Struct({ mediaId: Schema.String, removed: Schema.Literal(true) }).annotate({
        examples: [{ mediaId: exampleIds.media, removed: true }]
      }),
      error: [BadRequest, Forbidden, NotFound, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a file",
        description:
          "Its content is removed; messages that were sent with it stay, and the recipients keep what they have. 409 while a message with it waits to be " +
          "sent. Scope `media:write`."
      })
    ),
    HttpApiEndpoint.get("download", "/api/media/:id", {
      params,
      query,
      success: file,
      error: [BadRequest, Forbidden, NotFound, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Download a file",
        description:
          "The content under its own type. Takes `Range` (one range: 206, or 416 beyond the end), `If-Range` and `If-None-Match` (304). Also answers " +
          "HEAD. An attachment, unless `inline=true` is sent for an image, audio or video. Scope `media:read`.",
        transform: fileAnswers(fileTypes)
      })
    ),
    HttpApiEndpoint.get("link", "/api/media/:id/link", {
      params,
      query: { minutes: Schema.optionalKey(Minutes) },
      success: Schema.Struct({ mediaId: Schema.String, url: Schema.String, expiresAt: Schema.String }).annotate({
        examples: [
          {
            mediaId: exampleIds.media,
            url: `https://parley.example.com/api/media/${exampleIds.media}/file?organization=${exampleIds.organization}&expires=1795253400&signature=7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069`,
            expiresAt: "2026-11-21T09:40:00.000Z"
          }
        ]
      }),
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a link that opens the file without a key",
        description:
          "Good for `minutes` (1 to 60, 10 by default). Whoever has it can read the file until then. Scope `media:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization) {}

/** Downloads that need a signed link instead of a key. */
export class MediaLinksGroup extends HttpApiGroup.make("mediaLinks")
  .add(
    HttpApiEndpoint.get("open", "/api/media/:id/file", {
      params,
      query: {
        organization: Id,
        expires: wholeNumber({ minimum: 0, maximum: 99_999_999_999 }),
        signature: Schema.String.check(Schema.isMaxLength(100)),
        ...query
      },
      success: file,
      error: [BadRequest, Forbidden, NotFound, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "media.open",
        summary: "Download a file by a signed link",
        description: "As `GET /api/media/{id}/link` gives it out. 403 when it is over or was changed.",
        transform: fileAnswers(fileTypes)
      })
    )
  )
  // Another group only because it needs no key.
  .annotate(OpenApi.Title, "media")
  .middleware(Decoding) {}
