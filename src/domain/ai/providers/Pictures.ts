/** Ports of pictures for models: one makes them as a model takes them, the other judges them. */
import { Context, Effect, Schema } from "effect"
import type { ModerationError, Verdict } from "./Moderation.ts"

/** The picture is not shown to a model; `message` is a sentence for it and for people. */
export class PictureUnseen extends Schema.TaggedError<PictureUnseen>()("PictureUnseen", { message: Schema.String }) {}

/** A picture as a `data:` address. */
export type PictureData = string

export class PictureViews extends Context.Service<
  PictureViews,
  {
    /** Whether the operator has named a model that takes pictures. */
    readonly enabled: boolean
    /** A stored picture, small enough for a model. */
    readonly view: (organizationId: string, mediaId: string) => Effect.Effect<PictureData, PictureUnseen>
    /** The filter's verdict on a picture. `rejected`: the filter takes no pictures. */
    readonly check: (picture: PictureData) => Effect.Effect<Verdict, ModerationError>
  }
>()("parley/domain/PictureViews") {}

/** Where no model sees pictures. */
export const noPictures: PictureViews["Service"] = {
  enabled: false,
  view: () => new PictureUnseen({ message: "Pictures are not shown to models here." }),
  check: () => Effect.succeed({ flagged: false, categories: [] })
}
