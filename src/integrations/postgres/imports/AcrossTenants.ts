/** The query that bypasses row-level security for imports (see `tenancy/AcrossTenants`). Times are Unix milliseconds. */
import type { SqlClient } from "effect/sql"
import type { DueImport } from "../../../domain/imports/Imports.ts"

/** Imports that need work at `now`, and `expired` ones to be removed. At most `most` of each. */
export const dueImports = (sql: SqlClient.SqlClient, now: number, most: number) =>
  sql<DueImport>`SELECT organization_id, id, expired FROM due_imports(${new Date(now)}, ${most})`
