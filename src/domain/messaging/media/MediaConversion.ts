/**
 * Prepares files for the messaging channel. The channel accepts fewer types than we do, and pictures of at most 5 MB. A picture that does not fit is
 * converted; any other file that does not fit is refused with a sentence.
 */
import { Context, type Effect, type Stream } from "effect"
import { type Media, type MediaNotFound, MediaRefused, type MediaUnavailable } from "./Media.ts"

const megabyte = 1024 * 1024

/** The types that the channel accepts, with the size limit of each in bytes. */
const accepted: ReadonlyArray<readonly [type: RegExp, bytes: number]> = [
  [/^image\/(jpeg|png)$/, 5 * megabyte],
  [/^audio\/(aac|amr|mpeg|mp4|ogg)$/, 16 * megabyte],
  [/^video\/(mp4|3gpp)$/, 16 * megabyte],
  [/^(application|text)\//, 100 * megabyte]
]

/** The channel's size limit for a picture, in bytes. */
export const largestChannelImage = 5 * megabyte

/** Picture types that can be converted. SVG is not among them, because it can contain programs. */
const convertible: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "image/tiff",
  "image/avif",
  "image/heic",
  "image/heif"
])

type File = Pick<Media, "mimeType" | "sizeBytes">
const bare = ({ mimeType }: File) => mimeType.split(";")[0].trim().toLowerCase()

/** How to prepare a file for the channel. */
export const channelPlan = (file: File): "as it is" | "convert" | MediaRefused => {
  const type = bare(file)
  const limit = accepted.find(([pattern]) => pattern.test(type))?.[1]
  if (limit !== undefined && file.sizeBytes <= limit) return "as it is"
  if (convertible.has(type)) return "convert"
  return limit === undefined
    ? new MediaRefused({ reason: "unsupported", message: `The channel does not take files of the kind ${type}.` })
    : new MediaRefused({
        reason: "too_large",
        message: `The channel takes files of the kind ${type} up to ${limit / megabyte} MB; this one has ${(file.sizeBytes / megabyte).toFixed(1)} MB.`
      })
}

/** A file that the channel accepts. */
export interface ConvertedFile {
  readonly mimeType: string
  readonly sizeBytes: number
  readonly filename: string | null
  readonly bytes: Stream.Stream<Uint8Array, MediaNotFound | MediaUnavailable>
}

export class MediaConversion extends Context.Service<
  MediaConversion,
  {
    /** The file itself, or the converted picture. The message of `MediaRefused` is for people. */
    readonly forChannel: (media: Media) => Effect.Effect<ConvertedFile, MediaRefused | MediaNotFound | MediaUnavailable>
  }
>()("parley/domain/MediaConversion") {}
