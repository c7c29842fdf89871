/**
 * Chooses the pictures of a conversation that the model of a turn sees, and has each judged first. A picture without a verdict is not shown, as a text without one is
 * not read.
 */
import { Effect } from "effect"
import type { Flag } from "../../ai/providers/JudgeTexts.ts"
import { type PictureData, PictureViews } from "../../ai/providers/Pictures.ts"
import type { Message } from "../conversations/Message.ts"
import type { Turn } from "./AgentTurns.ts"

/** The newest ones. Each costs a model some thousand tokens. */
export const mostPictures = 4

/** What a turn knows of the pictures of its conversation, by message. */
export interface Seen {
  readonly pictures: ReadonlyMap<string, PictureData>
  /** Why a picture is not shown. */
  readonly unseen: ReadonlyMap<string, string>
  readonly flag: Flag | undefined
}

export const nothingSeen: Seen = { pictures: new Map(), unseen: new Map(), flag: undefined }

const notThere = "The picture is not stored here (yet)."
const noVerdict = "The content filter does not judge pictures."

const isPicture = ({ type, direction }: Message) => type === "image" && direction === "inbound"

/** Needs PictureViews once. Fails when the filter does not answer. */
export const makeSeePictures = Effect.map(PictureViews, (views) =>
  Effect.fnUntraced(function* ({ organizationId }: Pick<Turn, "organizationId">, history: ReadonlyArray<Message>) {
    if (!views.enabled) return nothingSeen
    const pictures = new Map<string, PictureData>()
    const unseen = new Map<string, string>()
    let flag: Flag | undefined
    for (const { id, content } of history.filter(isPicture).slice(-mostPictures)) {
      const { mediaId } = content
      if (typeof mediaId !== "string") {
        unseen.set(id, notThere)
        continue
      }
      const seen = yield* views.view(organizationId, mediaId).pipe(
        Effect.map((data) => ({ data })),
        Effect.catchTag("PictureUnseen", ({ message }) => Effect.succeed({ message }))
      )
      if ("message" in seen) {
        unseen.set(id, seen.message)
        continue
      }
      const verdict = yield* views.check(seen.data).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "rejected",
          () => Effect.succeed(undefined)
        )
      )
      if (verdict === undefined) unseen.set(id, noVerdict)
      else if (verdict.flagged) flag ??= { found: `[The picture ${mediaId}]`, categories: verdict.categories }
      else pictures.set(id, seen.data)
    }
    return { pictures, unseen, flag } satisfies Seen
  })
)
