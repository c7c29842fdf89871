/**
 * The status of a conversation: nobody has it yet (OPEN), a person or an AI agent has it (ASSIGNED), or it is done (RESOLVED). A pure state machine:
 *
 *   OPEN ──assign──▶ ASSIGNED ──resolve──▶ RESOLVED
 *    ▲ ▲──unassign──────┘                    │
 *    └────────inbound message, reopen────────┘      (assign and resolve are allowed from every state)
 *
 * A resolved conversation keeps its assignee. An open one has none; an assigned one always has one.
 */
import { Schema } from "effect"

export const ConversationStatus = Schema.Literals(["OPEN", "ASSIGNED", "RESOLVED"])
export type ConversationStatus = typeof ConversationStatus.Type

/** `assignee` is the id of a person (`usr_…`), a text agent (`bot_…`) or a voice agent (`agt_…`). */
export type Ownership =
  | { readonly status: "OPEN"; readonly assignee: null }
  | { readonly status: "ASSIGNED"; readonly assignee: string }
  | { readonly status: "RESOLVED"; readonly assignee: string | null }

export type OwnershipEvent =
  | { readonly type: "assign"; readonly assignee: string }
  | { readonly type: "unassign" }
  | { readonly type: "resolve" }
  | { readonly type: "reopen" }
  /** The contact wrote. */
  | { readonly type: "inbound" }

const open: Ownership = { status: "OPEN", assignee: null }

/** The state after the event. */
export const owned = (before: Ownership, event: OwnershipEvent): Ownership => {
  switch (event.type) {
    case "assign":
      return { status: "ASSIGNED", assignee: event.assignee }
    case "unassign":
      return before.status === "RESOLVED" ? { status: "RESOLVED", assignee: null } : open
    case "resolve":
      return { status: "RESOLVED", assignee: before.assignee }
    case "reopen":
      return open
    case "inbound":
      return before.status === "RESOLVED" ? open : before
  }
}

/** The requested status and assignee; each may be left out. */
export interface OwnershipRequest {
  readonly status?: ConversationStatus
  readonly assignee?: string | null
}

/** The events, in order, that fulfil a request, or the sentence that says why it is contradictory. */
export const ownershipEvents = (
  before: Ownership,
  { status, assignee }: OwnershipRequest
): ReadonlyArray<OwnershipEvent> | string => {
  const taken: ReadonlyArray<OwnershipEvent> =
    assignee === undefined ? [] : [assignee === null ? { type: "unassign" } : { type: "assign", assignee }]
  if (status === undefined) return taken
  switch (status) {
    case "OPEN":
      return typeof assignee === "string"
        ? "An OPEN conversation has no assignee: leave out assignee, or set status to ASSIGNED."
        : [{ type: "reopen" }]
    case "ASSIGNED":
      if (typeof assignee === "string") return taken
      return assignee === undefined && before.assignee !== null
        ? [{ type: "assign", assignee: before.assignee }]
        : "Say who takes the conversation: send assignee with the id of a person (usr_…) or of a text agent (bot_…)."
    case "RESOLVED":
      return [...taken, { type: "resolve" }]
  }
}

/** The types of events (`domain/events/Event.ts`) that report a change. `conversation.assigned` also reports a removed assignee (null). */
export const ownershipNews = (
  before: Ownership,
  after: Ownership
): ReadonlyArray<"conversation.assigned" | "conversation.resolved" | "conversation.reopened"> => {
  const resolved = after.status === "RESOLVED"
  const wasResolved = before.status === "RESOLVED"
  const other = before.assignee !== after.assignee
  return [
    ...(wasResolved && !resolved ? ["conversation.reopened" as const] : []),
    // Reopening always removes the assignee, so that removal is not reported.
    ...(other && !(wasResolved && after.assignee === null) ? ["conversation.assigned" as const] : []),
    ...(resolved && !wasResolved ? ["conversation.resolved" as const] : [])
  ]
}
