/**
 * Makes pictures small enough, with `sharp`. The input comes from strangers, so formats, pixels and time are limited. One picture is converted at a
 * time, so that memory is needed for one only.
 */
import { Effect, Semaphore } from "effect"
import type { Sharp, SharpOptions } from "sharp"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { MediaRefused } from "../../domain/messaging/media/Media.ts"

export interface Picture {
  readonly mimeType: "image/jpeg" | "image/png"
  readonly bytes: Uint8Array
}

/** Pixels of the largest picture that is opened; it takes some 200 MB during the conversion. */
const mostPoints = 50_000_000
const seconds = 20

/** Tried in this order until the result is small enough: the longer side in pixels, and the quality. */
const steps = [
  { side: 4_096, quality: 85 },
  { side: 2_560, quality: 80 },
  { side: 1_600, quality: 75 },
  { side: 1_024, quality: 60 }
] as const
/** The qualities that are tried for a model. */
const viewQualities = [80, 60, 40] as const
/** After this many steps a transparent picture gets a white background. */
const transparentSteps = 2

/** The decoder's names of the allowed formats. Vector drawings are not allowed: they are programs. */
const formats: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "tiff", "heif"])

const options: SharpOptions = { limitInputPixels: mostPoints, failOn: "error", sequentialRead: true, pages: 1 }

const refused = (reason: MediaRefused["reason"], message: string) => new MediaRefused({ reason, message })

const whyNot = (cause: unknown): MediaRefused => {
  const message = messageOf(cause)
  if (/pixel limit/i.test(message))
    return refused(
      "too_large",
      `The picture has more than ${mostPoints / 1e6} million points, too many to convert it for the channel.`
    )
  if (/timeout/i.test(message)) return refused("too_large", "The picture took too long to convert it for the channel.")
  return refused(
    "unreadable",
    "The picture cannot be converted for the channel: it is damaged, or of a kind that is not known."
  )
}

/** Loads the library, which is large. Returns a function that makes a picture of at most `limit` bytes. */
export const makePictures = Effect.gen(function* () {
  const { default: sharp } = yield* Effect.promise(() => import("sharp"))
  // It uses the process's thread pool, which files, DNS and hashes need as well.
  sharp.concurrency(1)
  sharp.cache(false)
  const oneAtATime = yield* Semaphore.make(1)

  const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: whyNot })

  const opened = (bytes: Uint8Array, side: number): Sharp =>
    sharp(bytes, options)
      .autoOrient()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .timeout({ seconds })

  /** The conversions, in the order in which they are tried. */
  const variants = (bytes: Uint8Array, transparent: boolean): ReadonlyArray<() => Promise<Picture>> => {
    const png = steps.slice(0, transparent ? transparentSteps : 0).map(
      ({ side }) =>
        async (): Promise<Picture> => ({ mimeType: "image/png", bytes: await opened(bytes, side).png().toBuffer() })
    )
    const jpeg = steps.map(({ side, quality }) => async (): Promise<Picture> => {
      const flat = opened(bytes, side).flatten({ background: "white" })
      return { mimeType: "image/jpeg", bytes: await flat.jpeg({ quality, mozjpeg: false }).toBuffer() }
    })
    return [...png, ...jpeg]
  }

  const make = Effect.fnUntraced(function* (bytes: Uint8Array, limit: number) {
    const { format, isOpaque } = yield* attempt(async () => {
      const known = await sharp(bytes, options).metadata()
      if (!formats.has(known.format)) return { format: undefined, isOpaque: true }
      // The header says only whether transparency is possible; the pixels say whether there is any.
      return {
        format: known.format,
        isOpaque: !known.hasAlpha || (await sharp(bytes, options).timeout({ seconds }).stats()).isOpaque
      }
    })
    if (format === undefined) return yield* whyNot(undefined)
    for (const variant of variants(bytes, !isOpaque)) {
      const picture = yield* attempt(variant)
      if (picture.bytes.length <= limit) return picture
    }
    return yield* refused("too_large", "The picture could not be made small enough for the channel.")
  })

  /** A JPEG with a side of at most `side`, smaller where that is needed. */
  const makeView = Effect.fnUntraced(function* (bytes: Uint8Array, limit: number, side: number) {
    const known = yield* attempt(() => sharp(bytes, options).metadata())
    if (!formats.has(known.format)) return yield* whyNot(undefined)
    for (const quality of viewQualities) {
      const flat = opened(bytes, side).flatten({ background: "white" })
      const view = yield* attempt(() => flat.jpeg({ quality }).toBuffer())
      if (view.length <= limit) return { mimeType: "image/jpeg" as const, bytes: view }
    }
    return yield* refused("too_large", "The picture could not be made small enough.")
  })

  /** With `side` a JPEG of at most so many points on a side, as models take it. */
  return (bytes: Uint8Array, limit: number, side?: number): Effect.Effect<Picture, MediaRefused> =>
    oneAtATime.withPermits(1)(side === undefined ? make(bytes, limit) : makeView(bytes, limit, side))
})
