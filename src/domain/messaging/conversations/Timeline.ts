/**
 * The timeline of a conversation: its messages, calls, notes and changes in one order, page by page in both directions. It can span all conversations
 * of the contact, since a call is a conversation of its own.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds, exampleOf } from "../../basics/Examples.ts"
import { JsonRecord } from "../../basics/Json.ts"
import { Actor } from "../../people/access/Audit.ts"
import { CallItem } from "./Conversation.ts"
import { ConversationNote } from "./ConversationNote.ts"
import { Message } from "./Message.ts"

/** Who assigned, resolved, reopened or labeled a conversation. */
export const ConversationChange = Schema.Struct({
  id: Schema.String,
  conversationId: Schema.String,
  action: Schema.Literals(["conversation.changed", "conversation.labeled"]),
  actor: Actor,
  before: Schema.NullOr(JsonRecord),
  after: Schema.NullOr(JsonRecord)
}).annotate({
  title: "ConversationChange",
  examples: [
    {
      id: exampleIds.auditEntry,
      conversationId: exampleIds.conversation,
      action: "conversation.changed",
      actor: { type: "user", id: exampleIds.owner },
      before: { status: "OPEN", assignee: null },
      after: { status: "ASSIGNED", assignee: exampleIds.colleague }
    }
  ]
})

/** One entry; the field that its kind names holds the record. */
export const TimelineEntry = Schema.Struct({
  kind: Schema.Literals(["message", "call", "note", "change"]),
  at: Schema.String,
  message: Schema.optionalKey(Message),
  call: Schema.optionalKey(Schema.Struct({ ...CallItem.fields, conversationId: Schema.NullOr(Schema.String) })),
  note: Schema.optionalKey(ConversationNote),
  change: Schema.optionalKey(ConversationChange)
}).annotate({
  title: "TimelineEntry",
  examples: [{ kind: "message", at: exampleOf(Message).createdAt, message: exampleOf(Message) }]
})
export type TimelineEntry = typeof TimelineEntry.Type

/** A place between entries: microseconds since 1970, and the id of the entry. */
export interface TimelinePlace {
  readonly at: string
  readonly id: string
}

export interface TimelinePart {
  /** Entries older, or newer, than this one; `undefined`: the newest. */
  readonly from: { readonly side: "before" | "after"; readonly place: TimelinePlace } | undefined
  readonly limit: number
  /** All conversations of the contact, on every channel. */
  readonly wholeContact: boolean
}

/** Entries, newest first, with the places to go on from; null: there is nothing more on that side. */
export interface TimelinePage {
  readonly entries: ReadonlyArray<TimelineEntry>
  readonly older: TimelinePlace | null
  readonly newer: TimelinePlace | null
}

export class Timelines extends Context.Service<
  Timelines,
  {
    /** `undefined` when there is no such conversation. */
    readonly read: (
      organizationId: string,
      conversationId: string,
      part: TimelinePart
    ) => Effect.Effect<TimelinePage | undefined>
  }
>()("parley/domain/Timelines") {}
