/** Notion: a database as a CRM, in both directions. Connected by the secret of an internal integration, or by OAuth when the operator has one there. */
import { Effect, Schema } from "effect"
import { notionId } from "../../domain/ai/knowledge/NotionId.ts"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import type { AppClient } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { linkOf } from "../../domain/apps/adapters/UpsertContact.ts"
import { makeNotionAuthorization } from "./NotionAuthorization.ts"
import { makeNotionContacts } from "./NotionContacts.ts"
import { makeNotionDatabase } from "./NotionDatabase.ts"
import { makeNotionNotes } from "./NotionNotes.ts"
import { isWritable } from "./NotionProperties.ts"
import { makeNotionPulls } from "./NotionPulls.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"
import { makeNotionWebhooks } from "./NotionWebhooks.ts"

export interface NotionOptions {
  /** `https://api.notion.com`. */
  readonly baseUrl: string
  /** The operator's public integration; absent: only secrets of internal integrations. */
  readonly client?: AppClient
}

const Bot = Schema.Struct({
  id: Schema.String,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  bot: Schema.optionalKey(Schema.Struct({ workspace_name: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
})

export const make = ({ baseUrl, client }: NotionOptions): AppAdapter => {
  const databaseOf = makeNotionDatabase(baseUrl)
  const contacts = makeNotionContacts(baseUrl)
  const note = makeNotionNotes(baseUrl)

  return {
    ...(client === undefined ? {} : { oauth: makeNotionAuthorization(baseUrl, client) }),
    rate: { requests: 3, windowMs: 1_000 },
    atOnce: 2,
    problem: ({ credentials, settings }) => {
      if (credentials.accessToken === undefined)
        return "credentials.accessToken is required: the secret of an internal integration."
      return typeof settings.database !== "string" || notionId(settings.database) !== undefined
        ? undefined
        : "settings.database is invalid: it must be the address of a database."
    },
    identify: Effect.fnUntraced(function* (session) {
      const { id, name, bot } = yield* readNotion(
        Bot,
        yield* askNotion(baseUrl, session, { method: "GET", path: "/users/me" })
      )
      const workspace = bot?.workspace_name ?? name ?? "Notion"
      const database = yield* databaseOf(session, true)
      return database === undefined
        ? { id, name: workspace }
        : { id: database.dataSourceId, name: `${workspace}: ${database.title}` }
    }),
    push: Effect.fnUntraced(function* (session, { change, again, links }) {
      const database = yield* databaseOf(session, false)
      if (database === undefined) return []
      const { contact } = change
      const person = yield* contacts.upsert(session, contact, database, linkOf(links, "contact", contact.id))
      if (!("conversation" in change)) return [person]
      const known = linkOf(links, "conversation", change.conversation.id)
      return [person, yield* note(session, change.conversation, person.remoteId, known, again)]
    }),
    fields: (session) =>
      Effect.map(databaseOf(session, true), (database) =>
        (database?.properties ?? []).map(({ name, type }) => ({ name, label: name, type, writable: isWritable(type) }))
      ),
    inbound: makeNotionWebhooks(baseUrl, contacts, databaseOf),
    pull: makeNotionPulls(baseUrl, databaseOf)
  }
}
