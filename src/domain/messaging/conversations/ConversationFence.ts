/**
 * What keeps a conversation with one writer. Its owner holds an epoch, which the stored conversation has too; whoever becomes owner raises
 * it with the first thing it writes. Each write checks the epoch in its own transaction, with the conversation's row locked: one who only
 * believes to be the owner (frozen for a while, and thawed) writes nothing.
 */
import { Schema } from "effect"

/** Somebody else has become the owner: nothing was written. */
export class LostConversation extends Schema.TaggedError<LostConversation>()("LostConversation", {
  conversationId: Schema.String
}) {}

/** What an owner knows after a write that was committed. */
export interface Held {
  readonly epoch: number
  /** The next time the SLA clock is to be looked at, Unix milliseconds; null: never. */
  readonly dueAt: number | null
}

/** For one write. Without an epoch the writer becomes the owner. The store says in `granted` what it holds then, valid once the write succeeded. */
export class ConversationFence {
  readonly epoch: number | undefined
  granted: Held | undefined = undefined

  constructor(epoch: number | undefined) {
    this.epoch = epoch
  }
}
