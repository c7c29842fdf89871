/** Every tool an organization's agents ran, with what it was asked and what it answered, for the organization's administrators. */
import { Context, type Effect, Schema } from "effect"
import type { Page } from "../../../basics/Listing.ts"
import { ToolCallAudit } from "./CallRecord.ts"

export const ToolAuditEntry = Schema.Struct({
  ...ToolCallAudit.fields,
  callId: Schema.String,
  /** Null when the agent is gone. */
  agentId: Schema.NullOr(Schema.String)
})
export type ToolAuditEntry = typeof ToolAuditEntry.Type

/** What is absent is not asked. */
export interface ToolAuditFilter {
  readonly agentId?: string
  readonly callId?: string
  readonly name?: string
  readonly outcome?: ToolCallAudit["outcome"]
  /** Unix milliseconds: from this instant, and until before this one. */
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
