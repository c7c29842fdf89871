/** Names the counts of list records, which triggers maintain (`functions/lists.sql`), and compacts the rows that hold them. */

import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { periodically } from "../../../domain/basics/Periodically.ts"
import type { ConversationStatus } from "../../../domain/messaging/conversations/ConversationStatus.ts"
import { compactListCounts } from "./AcrossTenants.ts"

/** The names of lists, as the triggers write them. */
export const listNames = {
  contacts: (archived: boolean) => (archived ? "contacts.archived" : "contacts"),
  tagged: (tag: string, archived: boolean) => `tag.${archived}.${tag}`,
  conversations: (status: ConversationStatus) => `conversations.${status}`,
  messages: "messages",
  /** Recipients of a broadcast by status; skipped ones also by `reason`. */
  recipients: (broadcastId: string, status: string, reason = "") =>
    `broadcast.${broadcastId}.${status}${reason === "" ? "" : `.${reason}`}`
}

const every = "10 minutes"
/** If single connections have stored this many rows of counts for a list, the rows are added up. */
const crowded = 64

/** Adds up the counts of lists regularly. Every process does this; they do not disturb each other. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    periodically("the counts of lists could not be put together", { every }, compactListCounts(sql, crowded))
  )
)
