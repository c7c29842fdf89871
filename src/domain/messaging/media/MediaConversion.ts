/**
 * Files as the messaging channel takes them. It takes fewer kinds than we do and pictures of 5 MB at most: a picture is converted, anything else
 * that does not fit is refused in words.
 */
import { Context, type Effect, type Stream } from "effect"
import { type Media, type MediaNotFound, MediaRefused, type MediaUnavailable } from "./Media.ts"

const megabyte = 1024 * 1024

/** What the channel takes, and how much of it. */
const accepted: ReadonlyArray<readonly [type: RegExp, bytes: number]> = [
  [/^image\/(jpeg|png)$/, 5 * megabyte],
  [/^audio\/(aac|amr|mpeg|mp4|ogg)$/, 16 * megabyte],
  [/^video\/(mp4|3gpp)$/, 16 * megabyte],
  [/^(application|text)\//, 100 * megabyte]
]

/** The most the channel takes of a picture. */
export const largestChannelImage = 5 * megabyte

/** Kinds of pictures that can be converted. Drawings (SVG) are programs, and are not. */
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

/** What has to be done with a file before the channel takes it. */
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

/** A file as it is handed to the channel. */
export interface ConvertedFile {
  readonly mimeType: string
  readonly sizeBytes: number
  readonly filename: string | null
  readonly bytes: Stream.Stream<Uint8Array, MediaNotFound | MediaUnavailable>
}

export class MediaConversion extends Context.Service<
  MediaConversion,
  {
    /** The file itself, or a picture made of it. The sentence of a refusal is for people. */
    readonly forChannel: (media: Media) => Effect.Effect<ConvertedFile, MediaRefused | MediaNotFound | MediaUnavailable>
  }
>()("parley/domain/MediaConversion") {}
