/** What the agent of the organization's own people proposes to change. It happens when an OWNER or ADMIN has confirmed it, once. */
import { Context, type Effect, Schema } from "effect"

const id = Schema.String
export const ProposedChange = Schema.Union([
  Schema.Struct({ type: Schema.Literal("resolve_conversation"), conversationId: id }),
  Schema.Struct({
    type: Schema.Literal("assign_conversation"),
    conversationId: id,
    /** A person or a text agent; null: nobody. */
    assignee: Schema.NullOr(id)
  }),
  Schema.Struct({
    type: Schema.Literal("send_message"),
    contactId: id,
    text: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4_096))
  })
])
export type ProposedChange = typeof ProposedChange.Type

export interface ChatProposal {
  readonly id: string
  readonly conversationId: string
  readonly change: ProposedChange
  /** `confirmed`: it is being carried out; it is carried out again after a crash. */
  readonly state: "open" | "confirmed" | "declined" | "done" | "failed"
  /** The person who decided. */
  readonly decidedBy: string | null
}

/** What a change does, as a sentence for those who confirm it. */
export const proposedSentence = (change: ProposedChange): string => {
  switch (change.type) {
    case "resolve_conversation":
      return `Resolve the conversation ${change.conversationId}.`
    case "assign_conversation":
      return change.assignee === null
        ? `Take the conversation ${change.conversationId} from who has it.`
        : `Assign the conversation ${change.conversationId} to ${change.assignee}.`
    case "send_message":
      return `Send to the contact ${change.contactId}: “${change.text}”`
  }
}

export class ChatProposals extends Context.Service<
  ChatProposals,
  {
    /** Stores a proposal once. `now`: Unix milliseconds. */
    readonly add: (
      organizationId: string,
      proposal: Pick<ChatProposal, "id" | "conversationId" | "change">,
      now: number
    ) => Effect.Effect<void>
    /** Decides an open proposal; gives it as it is then. `undefined`: there is none. */
    readonly decide: (
      organizationId: string,
      proposalId: string,
      decision: "confirmed" | "declined",
      userId: string
    ) => Effect.Effect<ChatProposal | undefined>
    /** It was carried out, or could not be. */
    readonly settle: (organizationId: string, proposalId: string, state: "done" | "failed") => Effect.Effect<void>
  }
>()("parley/domain/ChatProposals") {}
