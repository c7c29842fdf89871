/** Queries that bypass row-level security (see `tenancy/AcrossTenants`). They find the organization of an account at the telephony provider. */
import type { SqlClient } from "effect/sql"
import { lookUp } from "../../tenancy/AcrossTenants.ts"
import { webhookPatienceMs } from "../../tenancy/Unreachable.ts"

type Sql = SqlClient.SqlClient

export interface TelephonyConnectionRow {
  readonly organizationId: string
  readonly accountSid: string
  /** Encrypted. */
  readonly authToken: string
}

/** The connection that uses this account at the telephony provider. */
export const lookUpTelephonyConnection = (sql: Sql, accountSid: string) =>
  lookUp(sql<TelephonyConnectionRow>`SELECT * FROM lookup_telephony_connection(${accountSid})`, {
    patienceMs: webhookPatienceMs
  })
