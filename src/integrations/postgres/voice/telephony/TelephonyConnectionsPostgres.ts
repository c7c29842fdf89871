/** Telephony accounts in Postgres. The auth token is encrypted with the key ring. */
import { Effect, Layer } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { TelephonyConnections } from "../../../../domain/voice/telephony/PhoneNumber.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { lookUpTelephonyConnection, type TelephonyConnectionRow } from "./AcrossTenants.ts"

const owner = (organizationId: string) => ({ organizationId, field: "telephony_connections.auth_token" })

export const layer = Layer.effect(
  TelephonyConnections,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    const open = Effect.fnUntraced(function* (row: TelephonyConnectionRow | undefined) {
      if (row === undefined) return undefined
      const { organizationId, accountSid } = row
      const authToken = yield* ring.decrypt(owner(organizationId), row.authToken)
      return { organizationId, accountSid, authToken }
    })

    return TelephonyConnections.of({
      save: traced("TelephonyConnections.save")(function* ({ organizationId, accountSid, authToken }) {
        const sealed = yield* ring.encrypt(owner(organizationId), authToken)
        yield* asTenant(organizationId)(
          sql`INSERT INTO telephony_connections (organization_id, id, account_sid, auth_token)
            VALUES (${organizationId}, ${newId("tel")}, ${accountSid}, ${sealed})
            ON CONFLICT (organization_id) DO UPDATE
            SET account_sid = excluded.account_sid, auth_token = excluded.auth_token, updated_at = now()`
        )
      }, Effect.orDie),

      find: traced("TelephonyConnections.find")(function* (organizationId) {
        const rows = yield* asTenant(organizationId)(sql<TelephonyConnectionRow>`SELECT * FROM telephony_connections`)
        return yield* open(rows.at(0))
      }, Effect.orDie),

      findByAccount: traced("TelephonyConnections.findByAccount")(function* (accountSid) {
        return yield* open(yield* lookUpTelephonyConnection(sql, accountSid))
      }, Effect.orDie)
    })
  })
)
