/** The database of contacts: its data source and the properties of that, as they were asked for a short while ago. */
import { Effect, Schema } from "effect"
import { notionId } from "../../domain/ai/knowledge/NotionId.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { makeKept } from "../../domain/basics/limits/Kept.ts"
import { type NotionMapping, type NotionProperty, notionMapping } from "./NotionProperties.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"

export interface NotionDatabase {
  readonly dataSourceId: string
  readonly title: string
  readonly properties: ReadonlyArray<NotionProperty>
  readonly mapping: NotionMapping
}

const Database = Schema.Struct({
  data_sources: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String }))
})
const DataSource = Schema.Struct({
  id: Schema.String,
  properties: Schema.Record(
    Schema.String,
    Schema.Struct({ name: Schema.optionalKey(Schema.String), type: Schema.String })
  )
})

const bounds = { forMs: 5 * 60_000, most: 500 }

/** Gives the database of the settings; undefined when the settings name none. What it has asked for is kept for five minutes. */
export const makeNotionDatabase = (baseUrl: string) => {
  const kept = makeKept<Omit<NotionDatabase, "mapping">>(bounds)

  const ask = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const database = yield* readNotion(
      Database,
      yield* askNotion(baseUrl, session, { method: "GET", path: `/databases/${id}` })
    )
    const [first] = database.data_sources
    if (first === undefined)
      return yield* new AppFailure({
        action: "give_up",
        message: "settings.database is invalid: it has no data source."
      })
    const path = `/data_sources/${first.id}`
    const source = yield* readNotion(DataSource, yield* askNotion(baseUrl, session, { method: "GET", path }))
    const properties = Object.entries(source.properties).map(([name, { type }]) => ({ name, type }))
    return { dataSourceId: source.id, title: first.name, properties }
  })

  const find = Effect.fnUntraced(function* (session: AppSession, fresh: boolean) {
    const { database: setting, mapping: names } = session.settings
    if (typeof setting !== "string" || setting === "") return undefined
    const id = notionId(setting)
    if (id === undefined)
      return yield* new AppFailure({
        action: "give_up",
        message: "settings.database is invalid: it must be the address of a database."
      })
    const key = `${session.organizationId} ${id} ${session.credentials.accessToken}`
    const source = yield* kept(key, ask(session, id), fresh)
    const mapping = notionMapping(source.properties, names)
    if (typeof mapping === "string")
      return yield* new AppFailure({ action: "give_up", message: `settings.mapping is invalid: ${mapping}` })
    return { ...source, mapping } satisfies NotionDatabase
  })
  return find
}
