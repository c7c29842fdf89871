/**
 * The fence keeps a conversation with one writer. Its owner holds an epoch, and the stored conversation has it too. A new owner raises the epoch with
 * its first write. Each write checks the epoch in its own transaction, with the conversation's row locked. So a former owner (a process that was
 * frozen for a while) writes nothing.
 */
import { Schema } from "effect"

/** Another process has become the owner: nothing was written. */
export class LostConversation extends Schema.TaggedError<LostConversation>()("LostConversation", {
  conversationId: Schema.String
}) {}

/** What an owner knows after a committed write. */
export interface Held {
  readonly epoch: number
  /** When to check the SLA next, Unix milliseconds; null: never. */
  readonly dueAt: number | null
  /** When the next turn of a text agent begins, Unix milliseconds; null: never. Absent: the write did not touch the agent. */
  readonly turnDueAt?: number | null
}

/** The fence of one write. Without an epoch the writer becomes the owner. The store sets `granted`, which is valid once the write succeeded. */
export class ConversationFence {
  readonly epoch: number | undefined
  granted: Held | undefined = undefined

  constructor(epoch: number | undefined) {
    this.epoch = epoch
  }
}
