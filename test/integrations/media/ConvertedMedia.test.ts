/** Conversion of files for the channel: the result is a picture that the channel takes, or a refusal in a sentence. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import fc from "fast-check"
import sharp from "sharp"
import { type Media, MediaFiles } from "../../../src/domain/messaging/media/Media.ts"
import {
  channelPlan,
  largestChannelImage,
  MediaConversion
} from "../../../src/domain/messaging/media/MediaConversion.ts"
import * as ConvertedMedia from "../../../src/integrations/media/ConvertedMedia.ts"
import * as samples from "../../support/mediaSamples.ts"

/** Files of the test, by id. */
const contents = new Map<string, Uint8Array>()
const files = Layer.mock(MediaFiles, {
  open: (_, id) => Stream.suspend(() => Stream.succeed(contents.get(id) ?? new Uint8Array(0)))
})
const conversion = ConvertedMedia.layer.pipe(Layer.provide(files))

const fileOf = (bytes: Uint8Array, mimeType: string, filename: string | null = "holiday.photo.webp"): Media => {
  const id = `med_${contents.size}`
  contents.set(id, bytes)
  const sizeBytes = bytes.length
  return {
    id,
    organizationId: "org_1",
    kind: "image",
    mimeType,
    sizeBytes,
    sha256: "0".repeat(64),
    filename,
    createdAt: ""
  }
}

const converted = Effect.fnUntraced(function* (bytes: Uint8Array, mimeType: string) {
  const file = yield* (yield* MediaConversion).forChannel(fileOf(bytes, mimeType))
  const made = Buffer.concat([...(yield* Stream.runCollect(file.bytes))])
  assert.strictEqual(made.length, file.sizeBytes)
  return { ...file, made, metadata: yield* Effect.promise(() => sharp(made).metadata()) }
})
const refusal = (bytes: Uint8Array, mimeType: string) =>
  Effect.map(Effect.flip(converted(bytes, mimeType)), (error) => `${error._tag}: ${error.message}`)

const plain = (width: number, height: number, alpha?: number) =>
  sharp({
    create: {
      width,
      height,
      channels: alpha === undefined ? 3 : 4,
      background: { r: 9, g: 99, b: 199, alpha: alpha ?? 1 }
    },
    limitInputPixels: false
  })

layer(conversion, { excludeTestServices: true })("a file for the channel", (it) => {
  it.effect("stays unchanged when the channel takes it as it is", () =>
    Effect.gen(function* () {
      const png = yield* Effect.promise(() => samples.png(1))
      const file = yield* (yield* MediaConversion).forChannel(fileOf(png, "image/png", "a.png"))
      assert.deepInclude(file, { mimeType: "image/png", filename: "a.png", sizeBytes: png.length })
      assert.isTrue(Buffer.concat([...(yield* Stream.runCollect(file.bytes))]).equals(png))
    })
  )

  it.effect("becomes a JPEG when it is a WebP, or a PNG when the WebP is partly transparent", () =>
    Effect.gen(function* () {
      const opaque = yield* converted(yield* Effect.promise(() => samples.webp(2)), "image/webp")
      assert.deepInclude(opaque, { mimeType: "image/jpeg", filename: "holiday.photo.jpg" })
      assert.deepStrictEqual([opaque.metadata.format, opaque.metadata.width], ["jpeg", 16])
      const clear = yield* converted(yield* Effect.promise(() => plain(30, 20, 0.5).webp().toBuffer()), "image/webp")
      assert.deepInclude(clear, { mimeType: "image/png", filename: "holiday.photo.png" })
      assert.deepStrictEqual([clear.metadata.format, clear.metadata.hasAlpha], ["png", true])
      assert.strictEqual(
        (yield* converted(yield* Effect.promise(() => samples.gif(2)), "image/gif")).mimeType,
        "image/jpeg"
      )
    })
  )

  it.effect("becomes a smaller, upright picture when it has more than 5 MB", () =>
    Effect.gen(function* () {
      const large = yield* Effect.promise(async () =>
        sharp(await samples.jpeg(3, 2_600))
          .resize(2_600, 2_000, { fit: "fill" })
          .withMetadata({ orientation: 6 })
          .jpeg({ quality: 100 })
          .toBuffer()
      )
      assert.isAbove(large.length, largestChannelImage)
      const { made, metadata, mimeType } = yield* converted(large, "image/jpeg")
      assert.isAtMost(made.length, largestChannelImage)
      assert.strictEqual(mimeType, "image/jpeg")
      // The original was rotated, and its metadata said so.
      assert.isAbove(metadata.height, metadata.width)
      assert.isUndefined(metadata.orientation)
    })
  )

  it.effect(
    "is refused when it is a decompression bomb, damaged, or a vector drawing under the name of a picture",
    () =>
      Effect.gen(function* () {
        const bomb = yield* Effect.promise(() => plain(12_000, 12_000).webp({ lossless: true, effort: 0 }).toBuffer())
        assert.isBelow(bomb.length, 1_000_000)
        const before = process.memoryUsage().rss
        assert.match(yield* refusal(bomb, "image/webp"), /MediaRefused: The picture has more than 50 million points/)
        assert.isBelow(process.memoryUsage().rss - before, 200_000_000)
        const webp = yield* Effect.promise(() => samples.webp(4, 300))
        assert.match(yield* refusal(webp.subarray(0, 2_000), "image/webp"), /damaged/)
        assert.match(yield* refusal(Buffer.from("nonsense"), "image/heic"), /damaged, or of a kind that is not known/)
        const drawing = Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
        )
        assert.match(yield* refusal(drawing, "image/webp"), /kind that is not known/)
        assert.match(yield* refusal(drawing, "image/svg+xml"), /does not take files of the kind image\/svg\+xml/)
      })
  )

  it.effect("is one that the channel takes, whatever the original picture is", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context<MediaConversion>()
      const side = fc.integer({ min: 1, max: 900 })
      const kind = fc.constantFrom("webp" as const, "gif" as const, "tiff" as const, "avif" as const)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            side,
            side,
            fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
            kind,
            async (width, height, alpha, format) => {
              const bytes = await plain(width, height, alpha ?? undefined)
                .toFormat(format, format === "avif" ? { effort: 0 } : {})
                .toBuffer()
              const { made, mimeType, metadata } = await Effect.runPromiseWith(services)(
                converted(bytes, `image/${format}`)
              )
              assert.strictEqual(channelPlan({ mimeType, sizeBytes: made.length }), "as it is")
              assert.deepStrictEqual([metadata.width, metadata.height], [width, height])
            }
          ),
          { numRuns: 25 }
        )
      )
    })
  )

  it.effect("is taken, converted, or refused with the limit in words, as the channel's table says", () =>
    Effect.sync(() => {
      const megabyte = 1024 * 1024
      const planOf = (mimeType: string, sizeBytes: number) => {
        const plan = channelPlan({ mimeType, sizeBytes })
        return typeof plan === "string" ? plan : plan.message
      }
      for (const [type, limit] of [
        ["audio/ogg; codecs=opus", 16],
        ["audio/amr", 16],
        ["video/3gpp", 16],
        ["application/vnd.ms-excel", 100],
        ["text/plain", 100]
      ] as const) {
        assert.strictEqual(planOf(type, limit * megabyte), "as it is")
        assert.include(planOf(type, limit * megabyte + 1), `up to ${limit} MB`)
      }
      assert.strictEqual(planOf("image/png", 5 * megabyte + 1), "convert")
      assert.strictEqual(planOf("image/heic", 1), "convert")
      assert.strictEqual(planOf("video/webm", 1), "The channel does not take files of the kind video/webm.")
    })
  )
})
