/** What text agents keep of a contact's conversations, for its export. Use it as the tenant. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ExportedThread } from "../../../../domain/privacy/ContactExport.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"

interface ThreadRow extends Omit<ExportedThread, "summarizedUntil" | "remindAt" | "tools"> {
  readonly summarizedUntil: Date | null
  readonly remindAt: Date | null
}

interface RunRow extends Omit<ExportedThread["tools"][number], "startedAt"> {
  readonly conversationId: string
  readonly startedAt: Date
}

export const threadsAbout = Effect.fnUntraced(function* (sql: PgClient.PgClient, contactId: string) {
  const threads =
    yield* sql<ThreadRow>`SELECT t.conversation_id, t.agent_id, t.summary, t.summarized_until, t.reminder, t.remind_at
    FROM agent_threads t JOIN conversations v ON v.organization_id = t.organization_id AND v.id = t.conversation_id
    WHERE v.contact_id = ${contactId} ORDER BY t.conversation_id`
  const runs = yield* sql<RunRow>`SELECT r.conversation_id, r.name, r.arguments, r.outcome, r.result, r.started_at
    FROM agent_tool_runs r JOIN conversations v ON v.organization_id = r.organization_id AND v.id = r.conversation_id
    WHERE v.contact_id = ${contactId} ORDER BY r.started_at, r.position`
  return threads.map(
    ({ summarizedUntil, remindAt, ...thread }): ExportedThread => ({
      ...thread,
      summarizedUntil: isoOrNull(summarizedUntil),
      remindAt: isoOrNull(remindAt),
      tools: runs
        .filter(({ conversationId }) => conversationId === thread.conversationId)
        .map(({ conversationId: _, startedAt, ...run }) => ({ ...run, startedAt: iso(startedAt) }))
    })
  )
})
