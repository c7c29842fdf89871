/** Converts database rows of imports into records, and removes what the rows of imports say about a person. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { Import, RefusedRow } from "../../../domain/imports/Import.ts"
import { iso, isoOrNull } from "../tenancy/Sql.ts"

/** The row of an import: its record, with other times, and what the worker needs. */
export interface ImportRow extends Omit<Import, "createdAt" | "finishedAt" | "expiresAt"> {
  readonly organizationId: string
  readonly actorType: "key" | "user"
  readonly place: number
  readonly attempts: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly expiresAt: Date | null
}

const decode = Schema.decodeUnknownEffect(Schema.Array(Import))

/** The records of these rows. */
export const importRecords = (rows: ReadonlyArray<ImportRow>) =>
  decode(
    rows.map((row) => ({
      ...row,
      createdAt: iso(row.createdAt),
      finishedAt: isoOrNull(row.finishedAt),
      expiresAt: isoOrNull(row.expiresAt)
    }))
  )

/** The record of the first row; `undefined` when there is none. */
export const firstImport = (rows: ReadonlyArray<ImportRow>) => Effect.map(importRecords(rows), (all) => all.at(0))

const decodeRefused = Schema.decodeUnknownEffect(Schema.Array(RefusedRow))

/** The columns of a refused row's record, from `import_rows`. */
export const refusedColumns = "number AS row, field, problem, original AS values"

export const refusedRows = (rows: ReadonlyArray<object>) => decodeRefused(rows)

/**
 * Removes the rows about a person: those with this number, and refused ones with this address. It waits for a worker that has such a row just now,
 * so call it before the contact is locked.
 */
export const removeRowsAbout = (
  sql: PgClient.PgClient,
  { phone, email }: { readonly phone: string | null; readonly email: string | null }
) =>
  Effect.andThen(
    sql`DELETE FROM import_rows WHERE phone = ${phone}`,
    sql`DELETE FROM import_rows WHERE email = ${email?.toLowerCase() ?? null} AND problem IS NOT NULL`
  )

/** What the rows say about the person with this number. */
export const rowsAbout = (sql: PgClient.PgClient, phone: string | null) =>
  Effect.flatMap(
    sql<object>`SELECT number AS row, field, coalesce(problem, 'The row waits for its turn.') AS problem, original AS values
      FROM import_rows WHERE phone = ${phone} ORDER BY import_id, number`,
    refusedRows
  )
