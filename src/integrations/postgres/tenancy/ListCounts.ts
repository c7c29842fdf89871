/** How many records lists have, as the database keeps it while they come and go (`functions/lists.sql`). */

import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { periodically } from "../../../domain/basics/Periodically.ts"
import type { ConversationStatus } from "../../../domain/messaging/conversations/ConversationStatus.ts"
import { compactListCounts } from "./AcrossTenants.ts"

/** As the triggers name them. */
export const listNames = {
  contacts: (archived: boolean) => (archived ? "contacts.archived" : "contacts"),
  tagged: (tag: string, archived: boolean) => `tag.${archived}.${tag}`,
  conversations: (status: ConversationStatus) => `conversations.${status}`,
  messages: "messages",
  /** Of skipped ones by `reason`. */
  recipients: (broadcastId: string, status: string, reason = "") =>
    `broadcast.${broadcastId}.${status}${reason === "" ? "" : `.${reason}`}`
}

const every = "10 minutes"
/** A list with so many rows of single connections has them put together. */
const crowded = 64

/** Keeps the sums short. Every app does; they do not disturb each other. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    periodically("the counts of lists could not be put together", { every }, compactListCounts(sql, crowded))
  )
)
