/** Quick replies: texts that people send often, found by a shortcut. The sender fills their placeholders. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { lines } from "../../basics/PlainText.ts"
import { PlaceholderName, placeholderProblem } from "./Placeholders.ts"

export const QuickReply = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  /** Small letters, digits, `_` and `-`. */
  shortcut: Schema.String,
  text: Schema.String,
  /** The placeholders in `text`, each once. */
  placeholders: Schema.Array(PlaceholderName),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  title: "QuickReply",
  examples: [
    {
      id: exampleIds.quickReply,
      organizationId: exampleIds.organization,
      shortcut: "hours",
      text: "Hello {{firstName|there}}, we are open from 9 to 18 o'clock.",
      placeholders: ["firstName"],
      createdAt: "2026-11-20T08:12:00.000Z",
      updatedAt: "2026-11-20T08:12:00.000Z"
    }
  ]
})
export type QuickReply = typeof QuickReply.Type

const Shortcut = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      /^\/?[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/.test(text) || "must be 1 to 64 letters, digits, _ or -, like order-status."
  )
)
const Text = lines(4_096).check(Schema.makeFilter((text: string) => placeholderProblem(text) ?? true))

export const NewQuickReply = Schema.Struct({ shortcut: Shortcut, text: Text }).annotate({
  title: "NewQuickReply",
  examples: [{ shortcut: "hours", text: "Hello {{firstName|there}}, we are open from 9 to 18 o'clock." }]
})
export type NewQuickReply = typeof NewQuickReply.Type

export const QuickReplyChanges = Schema.Struct({
  shortcut: Schema.optionalKey(Shortcut),
  text: Schema.optionalKey(Text)
}).annotate({
  title: "QuickReplyChanges",
  examples: [{ text: "Hello {{firstName|there}}, we are open from 8 to 20 o'clock." }]
})
export type QuickReplyChanges = typeof QuickReplyChanges.Type

/** The shortcut as it is stored: without the slash that people type in front, and in lower case. */
export const tidyShortcut = (shortcut: string): string => shortcut.replace(/^\//, "").toLowerCase()

/** 409: another quick reply has this shortcut. */
export class DuplicateShortcut extends Schema.TaggedError<DuplicateShortcut>()("DuplicateShortcut", {
  shortcut: Schema.String,
  existingId: Schema.String
}) {}

export class QuickReplies extends Context.Service<
  QuickReplies,
  {
    /** Newest first. `search` matches any part of shortcut or text, without regard to case and accents. */
    readonly list: (
      organizationId: string,
      filter: { readonly search?: string },
      part: Part
    ) => Effect.Effect<Listed<QuickReply>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<QuickReply | undefined>
    readonly create: (organizationId: string, input: NewQuickReply) => Effect.Effect<QuickReply, DuplicateShortcut>
    /** `undefined` when there is no such quick reply. */
    readonly update: (
      organizationId: string,
      id: string,
      changes: QuickReplyChanges
    ) => Effect.Effect<QuickReply | undefined, DuplicateShortcut>
    /** False when there was none. */
    readonly remove: (organizationId: string, id: string) => Effect.Effect<boolean>
  }
>()("parley/domain/QuickReplies") {}
