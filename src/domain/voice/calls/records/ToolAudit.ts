/** Port: every tool call of an organization's agents, with arguments and result, for the organization's administrators. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds, exampleOf } from "../../../basics/Examples.ts"
import type { Page } from "../../../basics/Listing.ts"
import { ToolCallAudit } from "./CallRecord.ts"

export const ToolAuditEntry = Schema.Struct({
  ...ToolCallAudit.fields,
  /** The call; empty for a tool that a text agent ran. */
  callId: Schema.String,
  /** The conversation in which it ran; null when it is gone. */
  conversationId: Schema.NullOr(Schema.String),
  /** Null when the agent is gone. */
  agentId: Schema.NullOr(Schema.String)
}).annotate({
  title: "AuditedToolCall",
  examples: [
    {
      ...exampleOf(ToolCallAudit),
      callId: exampleIds.call,
      conversationId: exampleIds.conversation,
      agentId: exampleIds.agent
    }
  ]
})
export type ToolAuditEntry = typeof ToolAuditEntry.Type

/** Conditions on the entries. An absent field is no condition. */
export interface ToolAuditFilter {
  readonly agentId?: string
  readonly callId?: string
  readonly name?: string
  readonly outcome?: ToolCallAudit["outcome"]
  /** Unix milliseconds: entries at or after `since`, and earlier than `before`. */
  readonly since?: number
  readonly before?: number
}

export class ToolAudit extends Context.Service<
  ToolAudit,
  {
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: ToolAuditFilter,
      page: number,
      limit: number
    ) => Effect.Effect<Page<ToolAuditEntry>>
  }
>()("parley/domain/ToolAudit") {}
