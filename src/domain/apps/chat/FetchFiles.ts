/** Files that people put into a team chat: fetched within bounds and stored as media. One that cannot be fetched stays where it is. */
import { Effect, Semaphore, Stream } from "effect"
import type { ChatAttachment } from "../../messaging/channel/ChatRecord.ts"
import { largestMediaBytes, MediaFiles, type MediaKind, type MediaSource } from "../../messaging/media/Media.ts"
import { AppAdapters } from "../AppAdapter.ts"
import type { StoredConnection } from "../AppConnection.ts"
import { makeUseConnection } from "../UseConnection.ts"

const provider = "slack"
/** Files of one message, and how many are in memory at a time in this process. */
const mostFiles = 10
const atOnce = 4

export interface FetchedFile {
  readonly id: string
  /** `undefined`: it could not be fetched, or is not accepted. */
  readonly media: { readonly mediaId: string; readonly kind: MediaKind; readonly filename: string } | undefined
}

/** Needs AppConnections, AppAdapters, MediaFiles, Exclusive, HttpClient and RateLimiter once; the function it gives needs nothing. */
export const makeFetchFiles = Effect.gen(function* () {
  const { chat } = (yield* AppAdapters)[provider]
  const files = yield* MediaFiles
  const { use } = yield* makeUseConnection
  const places = yield* Semaphore.make(atOnce)

  const fetchOne = Effect.fnUntraced(function* (
    from: StoredConnection,
    { id, name, mimeType, sizeBytes, downloadUrl: url }: ChatAttachment,
    source: MediaSource
  ) {
    const lost: FetchedFile = { id, media: undefined }
    if (chat === undefined || url === null || sizeBytes > largestMediaBytes) return lost
    const bytes = yield* use(from, ({ session }) => chat.download(session, url, largestMediaBytes))
    const file = { bytes: Stream.succeed(bytes), filename: name, claimedType: mimeType, source }
    const { id: mediaId, kind, filename } = yield* files.store(from.organizationId, file)
    return { id, media: { mediaId, kind, filename: filename ?? name } } satisfies FetchedFile
  })

  /** In their order. `source`: `upload` when they are to be sent on. */
  return (from: StoredConnection, attachments: ReadonlyArray<ChatAttachment>, source: MediaSource) =>
    Effect.forEach(attachments.slice(0, mostFiles), (attachment) =>
      places
        .withPermits(1)(fetchOne(from, attachment, source))
        .pipe(
          Effect.catch((problem) =>
            Effect.as(
              Effect.logWarning("a file of a team chat could not be fetched", {
                ...{ organizationId: from.organizationId, fileId: attachment.id, reason: problem.message }
              }),
              { id: attachment.id, media: undefined } satisfies FetchedFile
            )
          )
        )
    )
})
