/** References of a record to others. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { InvalidRecord } from "../../../domain/business/records/ModuleRecord.ts"

/** Checks that these rows of a table exist, and keeps them from being removed until the transaction ends. `what` names one of them. */
export const existing = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  table: "contacts" | "companies" | "suppliers" | "conversations" | "orders",
  what: string,
  ids: ReadonlyArray<string>
) {
  if (ids.length === 0) return
  const rows = yield* Effect.orDie(
    sql<{ id: string }>`SELECT id FROM ${sql(table)} WHERE id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`
  )
  const missing = ids.find((id) => !rows.some((row) => row.id === id))
  if (missing !== undefined) return yield* new InvalidRecord({ message: `There is no ${what} ${missing}.` })
})

/** Ids as they are stored: each once, in order. */
export const sortedIds = (ids: ReadonlyArray<string> = []): ReadonlyArray<string> => [...new Set(ids)].sort()
