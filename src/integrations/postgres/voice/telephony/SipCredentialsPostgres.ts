/** SIP credentials in Postgres. The password is encrypted with the key ring. */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { SipCredentialStore } from "../../../../domain/voice/telephony/SipCredentials.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { makeSql } from "../../tenancy/Sql.ts"

interface Row {
  readonly username: string
  /** Encrypted. */
  readonly password: string
  readonly ready: boolean
}

const owner = (organizationId: string) => ({ organizationId, field: "sip_credentials.password" })

export const layer = Layer.effect(
  SipCredentialStore,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    return SipCredentialStore.of({
      find: traced("SipCredentials.find")(function* (organizationId) {
        const [row] = yield* asTenant(organizationId)(sql<Row>`SELECT username, password, ready FROM sip_credentials`)
        if (row === undefined) return undefined
        return { ...row, password: yield* ring.decrypt(owner(organizationId), row.password) }
      }, Effect.orDie),

      save: traced("SipCredentials.save")(function* (organizationId, { username, password, ready }) {
        const sealed = yield* ring.encrypt(owner(organizationId), password)
        yield* asTenant(organizationId)(
          sql`INSERT INTO sip_credentials (organization_id, username, password, ready)
            VALUES (${organizationId}, ${username}, ${sealed}, ${ready})
            ON CONFLICT (organization_id) DO UPDATE SET username = excluded.username, password = excluded.password,
              ready = excluded.ready, updated_at = now()`
        )
      }, Effect.orDie),

      clear: traced("SipCredentials.clear")(function* (organizationId) {
        yield* asTenant(organizationId)(sql`DELETE FROM sip_credentials`)
      }, Effect.orDie)
    })
  })
)
