/**
 * Who has a conversation: nobody yet (OPEN), a person or an AI agent (ASSIGNED), or it is done (RESOLVED). A pure state machine:
 *
 *   OPEN ──assign──▶ ASSIGNED ──resolve──▶ RESOLVED
 *    ▲ ▲──unassign──────┘                    │
 *    └────────inbound message, reopen────────┘      (assign and resolve are allowed from every state)
 *
 * Who had a resolved conversation stays known; an open one belongs to nobody, an assigned one always to somebody.
 */
import { Schema } from "effect"

export const ConversationStatus = Schema.Literals(["OPEN", "ASSIGNED", "RESOLVED"])
export type ConversationStatus = typeof ConversationStatus.Type

/** `assignee` is the id of a person (`usr_…`) or an AI agent (`agt_…`). */
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

/** What somebody asks for: each field may be left out. */
export interface OwnershipRequest {
  readonly status?: ConversationStatus
  readonly assignee?: string | null
}

/** The events that fulfil a request in order, or the sentence that says why it makes no sense. */
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
        : "Say who takes the conversation: send assignee with the id of a person (usr_…) or an AI agent (agt_…)."
    case "RESOLVED":
      return [...taken, { type: "resolve" }]
  }
}

/** The events (`domain/events/Event.ts`) that tell of a change. Taken over by somebody, and given up by somebody (the assignee is null then), is `assigned`. */
export const ownershipNews = (
  before: Ownership,
  after: Ownership
): ReadonlyArray<"conversation.assigned" | "conversation.resolved" | "conversation.reopened"> => {
  const resolved = after.status === "RESOLVED"
  const wasResolved = before.status === "RESOLVED"
  const other = before.assignee !== after.assignee
  return [
    ...(wasResolved && !resolved ? ["conversation.reopened" as const] : []),
    // A conversation that is reopened belongs to nobody by that alone.
    ...(other && !(wasResolved && after.assignee === null) ? ["conversation.assigned" as const] : []),
    ...(resolved && !wasResolved ? ["conversation.resolved" as const] : [])
  ]
}
