/** The database of a running Parley: the operator's when there is a URL, else an embedded one in the data folder. */
import { join } from "node:path"
import { Effect, Layer, type Redacted } from "effect"
import * as Database from "./Database.ts"
import * as EmbeddedPostgres from "./EmbeddedPostgres.ts"

export interface PostgresOptions {
  /** An administrator's URL or a plain role's; absent: embedded. */
  readonly url?: Redacted.Redacted
  /** The schema's owner, when it is not the role in `url`. */
  readonly migrationUrl?: Redacted.Redacted
  readonly maxConnections?: number
  /** Holds the embedded database in its sub-folder `postgres`. */
  readonly dataDir: string
}

/** The URLs to prepare and connect with; an embedded database runs until the scope ends. */
const located = Effect.fnUntraced(function* ({ dataDir, url, ...options }: PostgresOptions) {
  const found = url ?? (yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres") }))
  return { ...options, url: found } satisfies Database.DatabaseOptions
})

/** `SqlClient` and `PgClient` as the service's role, migrated. */
export const layer = (options: PostgresOptions) => Layer.unwrap(Effect.map(located(options), Database.layer))

/** Only migrates; gives the names of the migrations that ran. */
export const migrate = (options: PostgresOptions) =>
  Effect.scoped(Effect.map(Effect.flatMap(located(options), Database.prepare), ({ applied }) => applied))
