/** Files in the form that the messaging channel accepts: the stored file, or a converted picture, which is not stored. */
import { Effect, Layer, Stream } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { MediaFiles, MediaRefused } from "../../domain/messaging/media/Media.ts"
import { channelPlan, largestChannelImage, MediaConversion } from "../../domain/messaging/media/MediaConversion.ts"
import { makePictures } from "./Pictures.ts"

/** A picture is held in memory while it is converted. Clients cannot upload more; contacts may send more. */
const largestConverted = 32 * 1024 * 1024

const renamed = (filename: string | null, mimeType: "image/jpeg" | "image/png"): string | null =>
  filename === null ? null : `${filename.replace(/\.[^.]*$/, "")}.${mimeType === "image/png" ? "png" : "jpg"}`

/** Needs MediaFiles. */
export const layer = Layer.effect(
  MediaConversion,
  Effect.gen(function* () {
    const files = yield* MediaFiles
    // The library is loaded when the first picture needs it.
    const pictures = yield* Effect.cached(makePictures)

    return MediaConversion.of({
      forChannel: traced("MediaConversion.forChannel")(function* (media) {
        const { organizationId, id, mimeType, sizeBytes, filename } = media
        const plan = channelPlan(media)
        if (plan instanceof MediaRefused) return yield* plan
        if (plan === "as it is") return { mimeType, sizeBytes, filename, bytes: files.open(organizationId, id) }
        if (sizeBytes > largestConverted)
          return yield* new MediaRefused({
            reason: "too_large",
            message: "The picture is too large to convert it for the channel."
          })
        const chunks = yield* Stream.runCollect(files.open(organizationId, id))
        const picture = yield* (yield* pictures)(Buffer.concat([...chunks]), largestChannelImage)
        return {
          mimeType: picture.mimeType,
          sizeBytes: picture.bytes.length,
          filename: renamed(filename, picture.mimeType),
          bytes: Stream.succeed(picture.bytes)
        }
      })
    })
  })
)
