/** Notes: what people and programs of an organization write down in a conversation for each other. The contact never sees them. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { lines } from "../../basics/PlainText.ts"

export const ConversationNote = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  conversationId: Schema.String,
  /** The id of the person (`usr_…`), of the API key (`key_…`) or of the text agent (`bot_…`) that wrote it. */
  author: Schema.String,
  text: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "ConversationNote",
  examples: [
    {
      id: exampleIds.note,
      organizationId: exampleIds.organization,
      conversationId: exampleIds.conversation,
      author: exampleIds.colleague,
      text: "She wants the hardcover. Call her when it is back in stock.",
      createdAt: "2026-11-21T09:40:00.000Z",
      updatedAt: "2026-11-21T09:40:00.000Z"
    }
  ]
})
export type ConversationNote = typeof ConversationNote.Type

/** The text of a new note, or the new text of one. */
export const NoteText = Schema.Struct({ text: lines(10_000) }).annotate({
  title: "NoteText",
  examples: [{ text: "She wants the hardcover. Call her when it is back in stock." }]
})

/** Port of the stored notes. */
export class ConversationNotes extends Context.Service<
  ConversationNotes,
  {
    /** Newest first; `undefined` when there is no such conversation. */
    readonly list: (
      organizationId: string,
      conversationId: string,
      part: Part
    ) => Effect.Effect<Listed<ConversationNote> | undefined>
    readonly find: (
      organizationId: string,
      conversationId: string,
      id: string
    ) => Effect.Effect<ConversationNote | undefined>
    /** `author`: the id of a person or an API key. `undefined` when there is no such conversation. */
    readonly write: (
      organizationId: string,
      conversationId: string,
      author: string,
      text: string
    ) => Effect.Effect<ConversationNote | undefined>
    /** `undefined` when there is no such note. */
    readonly rewrite: (
      organizationId: string,
      conversationId: string,
      id: string,
      text: string
    ) => Effect.Effect<ConversationNote | undefined>
    /** False when there was none. */
    readonly remove: (organizationId: string, conversationId: string, id: string) => Effect.Effect<boolean>
  }
>()("parley/domain/ConversationNotes") {}
