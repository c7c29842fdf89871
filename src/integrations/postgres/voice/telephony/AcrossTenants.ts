/** Ways around row-level security (see `tenancy/AcrossTenants`): they find whose a telephony provider's account is. */
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

/** The connection of a provider's account. */
export const lookUpTelephonyConnection = (sql: Sql, accountSid: string) =>
  lookUp(sql<TelephonyConnectionRow>`SELECT * FROM lookup_telephony_connection(${accountSid})`, {
    patienceMs: webhookPatienceMs
  })
