/** Devices in Postgres. A token is encrypted, and found by its keyed hash across all organizations: a device belongs to the user who signed in on it last. */
import { Clock, Effect, Layer, Schema } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { Device, Devices, mostDevices } from "../../../domain/people/access/Device.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { pushTokenHashes, sealPushToken } from "../../secrets/PushTokens.ts"
import { holdName, iso, makeSql } from "../tenancy/Sql.ts"
import { freeDeviceToken } from "./AcrossTenants.ts"

interface Row {
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

const decode = (row: Row) =>
  Schema.decodeUnknownEffect(Device)({
    ...row,
    createdAt: iso(row.createdAt),
    lastSeenAt: iso(row.lastSeenAt),
    expiresAt: iso(row.expiresAt)
  })

export const layer = Layer.effect(
  Devices,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    /** Starts the push cursor at the next event. While there were no devices, no event needed a notification, so an old cursor skips ahead. */
    const beginTelling = (organizationId: string) =>
      sql`INSERT INTO push_cursors AS c (organization_id, transaction, position)
        VALUES (${organizationId}, pg_snapshot_xmin(pg_current_snapshot()), 0)
        ON CONFLICT (organization_id) DO UPDATE SET transaction = excluded.transaction, position = 0
          WHERE NOT EXISTS (SELECT 1 FROM devices) AND c.transaction < excluded.transaction`

    return Devices.of({
      register: traced("Devices.register")(function* ({ user, sessionId, expiresAt }, { token, platform }) {
        const { organizationId, id: userId } = user
        const now = yield* Clock.currentTimeMillis
        const hashes = pushTokenHashes(ring, token)
        const sealed = yield* sealPushToken(ring, organizationId, token)
        const at = new Date(now)
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const own = sql<Row>`UPDATE devices SET platform = ${platform}, session_id = ${sessionId},
              last_seen_at = ${at}, expires_at = ${new Date(expiresAt)}
              WHERE token_hash = ANY(${hashes}::text[]) AND user_id = ${userId} RETURNING *`
            const [known] = yield* own
            if (known !== undefined) return yield* decode(known)
            // Two people may sign in on one device at the same moment. The later one gets it.
            yield* holdName(sql, `device ${sealed.hash}`)
            yield* freeDeviceToken(sql, hashes)
            yield* beginTelling(organizationId)
            const [made] = yield* sql<Row>`INSERT INTO devices (organization_id, id, user_id, session_id, platform,
                sealed_token, token_hash, created_at, last_seen_at, expires_at)
              VALUES (${organizationId}, ${newId("dev", now)}, ${userId}, ${sessionId}, ${platform},
                ${sealed.sealedToken}, ${sealed.hash}, ${at}, ${at}, ${new Date(expiresAt)}) RETURNING *`
            yield* sql`DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE user_id = ${userId}
              ORDER BY last_seen_at DESC, id DESC OFFSET ${mostDevices})`
            return yield* decode(made)
          })
        )
      }, Effect.orDie),

      list: traced("Devices.list")(function* (organizationId, userId) {
        const rows = yield* asTenant(organizationId)(
          sql<Row>`SELECT * FROM devices WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC`
        )
        return yield* Effect.forEach(rows, decode)
      }, Effect.orDie),

      remove: traced("Devices.remove")(function* (organizationId, userId, deviceId) {
        const gone = yield* asTenant(organizationId)(
          sql`DELETE FROM devices WHERE id = ${deviceId} AND user_id = ${userId} RETURNING id`
        )
        return gone.length > 0
      }, Effect.orDie)
    })
  })
)
