/** Port of what is stored of the turns of text agents: their begin, the tools they ran, and their outcome. */
import { Context, type Effect } from "effect"
import type { TokenUsage } from "../../ai/providers/Reasoning.ts"
import type { ToolAnswer } from "../../ai/tools/ToolRunner.ts"
import type { ConversationFence, LostConversation } from "../conversations/ConversationFence.ts"
import type { Message } from "../conversations/Message.ts"
import type { TurnBase } from "./AgentThread.ts"

/** A turn that has begun: what the agent is to answer, and what it may know. */
export interface Turn extends TurnBase {
  /** The same for every attempt to answer the same messages, also after a crash. */
  readonly id: string
  readonly organizationId: string
  readonly conversationId: string
  readonly agentId: string
  /** Without secrets and ids of others: the contact of the conversation. */
  readonly contact: {
    readonly id: string
    readonly name: string | null
    readonly tags: ReadonlyArray<string>
    /** Its newest orders, each in a line. */
    readonly orders: ReadonlyArray<string>
    /** The CRM's ids of the deals that it was called about, newest first. */
    readonly dealIds: ReadonlyArray<string>
  }
  /** The newest messages after `summarizedUntil`, oldest first, `most` at most. They were read under the lock of the conversation. */
  readonly history: ReadonlyArray<Message>
  readonly most: number
  /** How many of the contact's messages are to be answered; the newest ones. */
  readonly fresh: number
  /** What was said until `summarizedUntil`; null: nothing, or it was not summed up. */
  readonly summary: string | null
  /** When the last message was written that `summary` covers, Unix milliseconds. */
  readonly summarizedUntil: number | null
  readonly reminder: string | null
  /** Turns in a row that failed before this one. */
  readonly failures: number
  /** Tools that this turn has run in earlier attempts, in their order. */
  readonly ran: ReadonlyArray<ToolRun>
  /** The organization's tokens of this month. */
  readonly tokensThisMonth: number
}

export interface ToolRun {
  /** The same for the same tool with the same arguments. */
  readonly key: string
  readonly name: string
  readonly arguments: string
  /** Null: it was begun, and it is not known whether it did its work. */
  readonly answer: ToolAnswer | null
}

/** A message of the turn, in the form that is stored. */
export type TurnMessage = Pick<Message, "type" | "content" | "sources">

/** Something that the content filter found in a turn. */
export interface TurnFlag {
  readonly what: "input" | "output" | "instructions"
  readonly text: string
  readonly categories: ReadonlyArray<string>
}

/** What comes of a turn. */
export interface TurnOutcome {
  /**
   * - `answered`: the agent keeps the conversation.
   * - `handed_over`: nobody has it, and the agent is silent until it is handed back.
   * - `resolved`: it is done.
   * - `failed`: the turn is tried again.
   */
  readonly kind: "answered" | "handed_over" | "resolved" | "failed"
  readonly said: ReadonlyArray<TurnMessage>
  /** For the audit log: why it was handed over, or failed. */
  readonly reason: string | null
  /** An internal note for colleagues. */
  readonly note: string | null
  readonly reminder: { readonly at: number; readonly text: string } | null
  readonly flags: ReadonlyArray<TurnFlag>
  readonly usage: ReadonlyArray<TokenUsage>
  /** The organization has no tokens left: its OWNER is told, once a month. */
  readonly overAllowance: { readonly allowance: number } | null
  /** The first message of an agent in a conversation begins with this. */
  readonly disclosure: string
}

export class AgentTurns extends Context.Service<
  AgentTurns,
  {
    /** Begins the turn that is due at `now` (Unix milliseconds); `undefined` when none is. Gives at most `most` messages. */
    readonly begin: (
      organizationId: string,
      conversationId: string,
      most: number,
      now: number,
      fence?: ConversationFence
    ) => Effect.Effect<Turn | undefined, LostConversation>
    /**
     * Ends a turn: its messages with their places in the outbox, the change of owner, the note, the audit and the agent's state, in one transaction. False: the
     * turn may not say anything any more, because the conversation has changed; then only its tokens are counted.
     */
    readonly settle: (
      turn: Turn,
      outcome: TurnOutcome,
      now: number,
      fence?: ConversationFence
    ) => Effect.Effect<boolean, LostConversation>
    /** The newest messages of the turn's conversation that were written after this time (null: all), oldest first, `most` at most. */
    readonly since: (turn: Turn, after: number | null, most: number) => Effect.Effect<ReadonlyArray<Message>>
    /** Keeps a summary of everything until this time, unless another one was kept since the turn began. */
    readonly keepSummary: (
      turn: Turn,
      summary: { readonly summary: string; readonly until: number }
    ) => Effect.Effect<void>
    /** Counts the tokens of a turn that was interrupted. */
    readonly meter: (turn: Turn, usage: ReadonlyArray<TokenUsage>, now: number) => Effect.Effect<void>
    /** Notes that a tool begins. Gives the earlier run when this turn has begun it before. */
    readonly beginTool: (turn: Turn, run: Omit<ToolRun, "answer">, now: number) => Effect.Effect<ToolRun | undefined>
    readonly endTool: (turn: Turn, key: string, answer: ToolAnswer, now: number) => Effect.Effect<void>
    /** Conversations of all organizations whose turn was due at `at`, the longest due first. */
    readonly overdue: (
      at: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: string; readonly conversationId: string }>>
  }
>()("parley/domain/AgentTurns") {}
