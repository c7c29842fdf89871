import type { ConversationFence } from "../../../../domain/messaging/conversations/ConversationFence.ts"
import type { Ownership } from "../../../../domain/messaging/conversations/ConversationStatus.ts"
import type { SlaClock, SlaTerms } from "../../../../domain/messaging/conversations/Sla.ts"
import type { Channel } from "../../../../domain/people/contacts/Channel.ts"

/** A conversation whose row is locked. */
export interface LockedConversation {
  readonly organizationId: string
  readonly id: string
  readonly channel: Channel
  readonly contactId: string
  readonly ownership: Ownership
  readonly clock: SlaClock
  readonly terms: SlaTerms | null
  readonly epoch: number
  readonly fence: ConversationFence | undefined
  /** Whether the organization has text agents. */
  readonly hasAgents: boolean
}
