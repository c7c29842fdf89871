/** Rows of calls as the database gives them, and the records they become. */
import { Schema } from "effect"
import { CallRecord, ToolCallAudit, Utterance } from "../../domain/CallRecord.ts"
import { iso, isoOrNull } from "./Sql.ts"

export interface CallRow {
  readonly id: string
  readonly agentId: string | null
  readonly conversationId: string | null
  readonly fromAddress: string
  readonly toAddress: string
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly createdAt: Date
}

/** Fails when the database holds what the domain does not know. */
export const callRecord = ({ fromAddress, toAddress, startedAt, endedAt, createdAt, ...row }: CallRow) =>
  Schema.decodeUnknownEffect(CallRecord)({
    ...row,
    from: fromAddress,
    to: toAddress,
    startedAt: isoOrNull(startedAt),
    endedAt: isoOrNull(endedAt),
    createdAt: iso(createdAt)
  })

export const utterance = Schema.decodeUnknownEffect(Utterance)

export const toolCall = (row: { readonly createdAt: Date }) =>
  Schema.decodeUnknownEffect(ToolCallAudit)({ ...row, createdAt: iso(row.createdAt) })
