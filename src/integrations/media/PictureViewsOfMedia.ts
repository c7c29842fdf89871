/** Pictures of contacts as models take them: JPEG, at most 1,024 points wide and high, a few hundred kilobytes. The content filter judges them in this form. */
import { Effect, Layer, Stream } from "effect"
import { PictureUnseen, PictureViews } from "../../domain/ai/providers/Pictures.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { MediaFiles } from "../../domain/messaging/media/Media.ts"
import { makePictureFilter, type OpenAiModerationOptions } from "../moderation/OpenAiModeration.ts"
import { makePictures } from "./Pictures.ts"

/** A larger file is not opened. */
const largestPicture = 16 * 1024 * 1024
/** The longer side, and the bytes of what a model gets. */
const side = 1_024
const largestView = 512 * 1024

const gone = "The picture is not stored any more."
const unreadable = "The picture is damaged, or of a kind that is not known."
const tooLarge = "The picture is too large to be shown to a model."

/** Needs MediaFiles. `moderation`: where pictures are judged. */
export const layer = (moderation: OpenAiModerationOptions) =>
  Layer.effect(
    PictureViews,
    Effect.gen(function* () {
      const files = yield* MediaFiles
      const check = yield* makePictureFilter(moderation)
      // The library is loaded when the first picture needs it.
      const pictures = yield* Effect.cached(makePictures)

      const view = Effect.fnUntraced(function* (organizationId: string, mediaId: string) {
        const file = yield* files.find(organizationId, mediaId)
        if (file === undefined) return yield* new PictureUnseen({ message: gone })
        if (file.sizeBytes > largestPicture) return yield* new PictureUnseen({ message: tooLarge })
        const chunks = yield* Stream.runCollect(files.open(organizationId, mediaId))
        const make = yield* pictures
        const { bytes } = yield* make(Buffer.concat([...chunks]), largestView, side)
        return `data:image/jpeg;base64,${Buffer.from(bytes).toString("base64")}`
      })

      return PictureViews.of({
        enabled: true,
        check,
        view: traced("PictureViews.view")((organizationId, mediaId) =>
          view(organizationId, mediaId).pipe(
            Effect.catchTags({
              MediaNotFound: () => Effect.fail(new PictureUnseen({ message: gone })),
              MediaUnavailable: ({ message }) => Effect.fail(new PictureUnseen({ message })),
              MediaRefused: ({ reason }) =>
                Effect.fail(new PictureUnseen({ message: reason === "too_large" ? tooLarge : unreadable }))
            })
          )
        )
      })
    })
  )
