/** The calls of conversations, with what was said in them. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { CallItem, shownOfConversation } from "../../../../domain/messaging/conversations/Conversation.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"

export interface CallItemRow {
  readonly id: string
  readonly conversationId: string | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly createdAt: Date
}

interface UtteranceRow {
  readonly callId: string
  /** Null: the answer is from no knowledge base. */
  readonly sources: unknown
  /** Null: the agent or the caller said it. */
  readonly by: unknown
}

/** What is null in the row of an utterance is absent in the record. */
export const saidOf = ({ sources, by, ...row }: { readonly sources?: unknown; readonly by?: unknown }) => ({
  ...row,
  ...(sources == null ? {} : { sources }),
  ...(by == null ? {} : { by })
})

const callItem = (row: CallItemRow, utterances: ReadonlyArray<UtteranceRow>) =>
  Effect.map(
    Schema.decodeUnknownEffect(CallItem)({
      ...row,
      startedAt: isoOrNull(row.startedAt),
      endedAt: isoOrNull(row.endedAt),
      createdAt: iso(row.createdAt),
      utterances: utterances.map((said) => saidOf(said))
    }),
    (item) => ({ ...item, conversationId: row.conversationId })
  )

/** The calls of these rows, each with its first utterances. Use it as the tenant. */
export const callItems = Effect.fnUntraced(function* (sql: PgClient.PgClient, calls: ReadonlyArray<CallItemRow>) {
  if (calls.length === 0) return []
  const ids = calls.map(({ id }) => id)
  const utterances = yield* sql<UtteranceRow>`SELECT u.* FROM unnest(${ids}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT * FROM utterances WHERE call_id = wanted.id ORDER BY sequence, id LIMIT ${shownOfConversation.utterancesPerCall}) u`
  return yield* Effect.forEach(calls, (call) =>
    callItem(
      call,
      utterances.filter(({ callId }) => callId === call.id)
    )
  )
})
