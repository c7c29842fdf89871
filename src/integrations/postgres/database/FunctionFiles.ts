/**
 * SQL functions with their triggers, from `migrations/functions/`: each file is the only place of what it defines. A file is applied when its
 * text is another one than when it was applied before, so what a file says is what runs.
 */
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { messageOf } from "../../../domain/basics/ErrorMessage.ts"

/** A file of functions could not be read or applied; the message names it. */
export class FunctionFileError extends Schema.TaggedError<FunctionFileError>()("FunctionFileError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

interface FunctionFile {
  readonly name: string
  readonly text: string
  readonly hash: string
}

const read = (folder: string): Effect.Effect<ReadonlyArray<FunctionFile>, FunctionFileError> =>
  Effect.tryPromise({
    try: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()
      return Promise.all(
        names.map(async (name) => {
          const text = await readFile(join(folder, name), "utf8")
          return { name, text, hash: createHash("sha256").update(text).digest("hex") }
        })
      )
    },
    catch: (cause) =>
      new FunctionFileError({ message: `The functions in ${folder} cannot be read: ${messageOf(cause)}`, cause })
  })

/** Comments, quoted text and the semicolons between statements. */
const tokens = /--[^\n]*|'[^']*'|"[^"]*"|\$(\w*)\$.*?\$\1\$|;/gs

/** The statements of a file, without those that are only comments. The connection takes one statement at a time. */
export const statementsOf = (text: string): ReadonlyArray<string> => {
  const statements: Array<string> = []
  let start = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token !== ";") continue
    statements.push(text.slice(start, index).trim())
    start = index + 1
  }
  statements.push(text.slice(start).trim())
  return statements.filter((statement) => statement.replaceAll(/--[^\n]*/g, "").trim() !== "")
}

/** Which file was applied last with which text. `IF NOT EXISTS` would need the right to create also where the table is. */
const ensureTable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`SELECT 1 WHERE to_regclass('parley_functions') IS NOT NULL`
  if (found.length > 0) return
  yield* sql`CREATE TABLE parley_functions (
    file text PRIMARY KEY,
    hash text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`
})

const apply = Effect.fnUntraced(function* ({ name, text, hash }: FunctionFile) {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statementsOf(text))
    yield* sql.unsafe(statement).unprepared.pipe(
      Effect.mapError(
        (cause) =>
          new FunctionFileError({
            message: `functions/${name} cannot be applied: ${messageOf(cause.reason.cause)}`,
            cause
          })
      )
    )
  yield* sql`INSERT INTO parley_functions (file, hash) VALUES (${name}, ${hash})
    ON CONFLICT (file) DO UPDATE SET hash = excluded.hash, applied_at = now()`
})

/**
 * Applies the files of the folder that have changed, in the order of their names; or `all` of them, after the tables have changed. Gives the
 * names of the applied ones. Belongs in the transaction of the migrations: when a file fails, nothing has changed.
 */
export const applyFunctions = Effect.fnUntraced(function* (
  folder: string,
  all: boolean
): Effect.fn.Return<ReadonlyArray<string>, FunctionFileError | SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  yield* ensureTable
  const known = new Set(
    (yield* sql<{ readonly version: string }>`SELECT file || ' ' || hash AS version FROM parley_functions`).map(
      ({ version }) => version
    )
  )
  const files = yield* read(folder)
  const changed = files.filter(({ name, hash }) => all || !known.has(`${name} ${hash}`))
  yield* Effect.forEach(changed, apply, { discard: true })
  return changed.map(({ name }) => name)
})
