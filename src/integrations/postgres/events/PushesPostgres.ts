/**
 * Push notifications in Postgres. Events are read in the order of the log, up to the oldest running transaction: no event can be added before
 * that point. The cursor moves in the transaction that writes the notifications. One node at a time locks the cursor's row.
 */
import { Effect, Layer } from "effect"
import type { ToldConnection } from "../../../domain/apps/AppConnection.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  audienceOf,
  failedConnectionPush,
  type PushAudience,
  type PushContent,
  type PushedConversation,
  type PushedType,
  Pushes,
  type PushNotification,
  PushSettings,
  pushContent,
  pushedTypes,
  pushLifetimeMs,
  usedAllowancePush
} from "../../../domain/events/Push.ts"
import type { Message } from "../../../domain/messaging/conversations/Message.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { openPushToken, pushTokenHashes, type StoredPushToken } from "../../secrets/PushTokens.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { duePushes, organizationsToPush } from "./AcrossTenants.ts"

interface EventRow {
  readonly id: string
  readonly type: string
  readonly data: {
    readonly message?: Pick<Message, "type" | "content" | "conversationId">
    readonly conversation?: { readonly id: string; readonly assignee?: string | null }
    readonly by?: string
    readonly connection?: ToldConnection
  }
  readonly createdAt: Date
  readonly transaction: string
  readonly position: string
}

interface DeviceRow {
  readonly id: string
  readonly userId: string
  readonly role: string
  readonly createdAt: Date
}

interface NotificationRow extends Omit<PushNotification, "createdAt" | "token">, StoredPushToken {
  readonly createdAt: Date
}

type PushedRow = EventRow & { readonly type: PushedType }

const isPushed = (event: EventRow): event is PushedRow => pushedTypes.some((known) => known === event.type)

const conversationOf = ({ data }: EventRow): string | undefined => data.message?.conversationId ?? data.conversation?.id

const includesDevice = (audience: PushAudience, { userId, role }: DeviceRow): boolean => {
  if (audience === "everybody") return true
  if (audience === "owners") return role === "OWNER"
  return audience.userIds.includes(userId) || (audience.leaders && role !== "AGENT")
}

/** The notification of an event that is about no conversation, and who gets it; undefined for every other event. */
const noticeOf = ({ type, data: { connection } }: EventRow) => {
  if (type === "ai.allowance_used") return { content: usedAllowancePush, audience: "owners" } as const
  return type === "connection.failed" && connection !== undefined
    ? { content: failedConnectionPush(connection), audience: { userIds: [], leaders: true } }
    : undefined
}

export const layer = Layer.effect(
  Pushes,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    const nextEvents = ({ transaction, position }: Pick<EventRow, "transaction" | "position">, most: number) =>
      sql<EventRow>`SELECT id, type, data, created_at, transaction::text, position::text FROM events
        WHERE (transaction, position) > (${transaction}::xid8, ${position}::bigint)
          AND transaction < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY events.transaction, events.position LIMIT ${most}`

    /** The conversations as they are now; a later assignment has an event of its own. A deactivated user does not count as the assignee. */
    const conversations = (ids: ReadonlyArray<string>) =>
      sql<PushedConversation>`SELECT v.id, v.contact_id, c.name AS contact_name, u.id AS assigned_user_id, coalesce(v.assigned_bot_id, v.assigned_agent_id) AS assigned_agent_id
        FROM conversations v JOIN contacts c ON c.organization_id = v.organization_id AND c.id = v.contact_id
        LEFT JOIN users u ON u.organization_id = v.organization_id AND u.id = v.assigned_user_id AND u.deactivated_at IS NULL
        WHERE v.id = ANY(${ids}::text[])`

    const devices = (at: Date) => sql<DeviceRow>`SELECT d.id, d.user_id, u.role, d.created_at FROM devices d
      JOIN users u ON u.organization_id = d.organization_id AND u.id = d.user_id
      WHERE d.expires_at > ${at} AND u.deactivated_at IS NULL`

    const insert = Effect.fnUntraced(function* (
      organizationId: string,
      event: EventRow,
      contactId: string | null,
      { title, body, collapseKey, data }: PushContent,
      reached: ReadonlyArray<string>,
      now: Date
    ) {
      yield* sql`INSERT INTO push_notifications (organization_id, event_id, device_id, contact_id, collapse_key, title, body, data,
          due_at, created_at)
        SELECT ${organizationId}, ${event.id}, device, ${contactId}::text, ${collapseKey}, ${title}, ${body},
          ${sql.json(data)}, ${now}, ${event.createdAt} FROM unnest(${reached}::text[]) AS device
        ON CONFLICT DO NOTHING`
    })

    const tell = Effect.fnUntraced(function* (organizationId: string, events: ReadonlyArray<EventRow>, now: number) {
      const recent = events.filter(({ createdAt }) => now - createdAt.getTime() < pushLifetimeMs)
      const fresh = recent.filter(isPushed)
      const notices = recent.flatMap((event) => {
        const notice = noticeOf(event)
        return notice === undefined ? [] : [{ event, ...notice }]
      })
      if (fresh.length + notices.length === 0) return
      const ids = fresh.map(conversationOf).filter((id) => id !== undefined)
      const known = new Map((yield* conversations([...new Set(ids)])).map((found) => [found.id, found]))
      const all = yield* devices(new Date(now))
      const [{ preview }] = yield* sql<{ preview: boolean }>`SELECT push_preview AS preview FROM organizations`
      const reachedBy = (event: EventRow, audience: PushAudience) =>
        all
          .filter(
            (device) => device.createdAt.getTime() <= event.createdAt.getTime() && includesDevice(audience, device)
          )
          .map(({ id }) => id)
      for (const { event, content, audience } of notices) {
        const reached = reachedBy(event, audience)
        if (reached.length > 0) yield* insert(organizationId, event, null, content, reached, new Date(now))
      }
      for (const event of fresh) {
        const about = known.get(conversationOf(event) ?? "")
        if (about === undefined) continue
        const { conversation, by = null } = event.data
        const audience = audienceOf(event.type, about, { assignee: conversation?.assignee ?? null, by })
        const reached = reachedBy(event, audience)
        if (reached.length === 0) continue
        const content = pushContent(event.type, about, event.data.message, preview)
        yield* insert(organizationId, event, about.contactId, content, reached, new Date(now))
      }
    })

    const take = Effect.fnUntraced(function* (organizationId: string, now: number, most: number) {
      const [cursor] = yield* sql<Pick<EventRow, "transaction" | "position">>`SELECT transaction::text, position::text
        FROM push_cursors FOR NO KEY UPDATE SKIP LOCKED`
      if (cursor === undefined) return 0
      const events = yield* nextEvents(cursor, most)
      const last = events.at(-1)
      if (last === undefined) return 0
      yield* tell(organizationId, events, now)
      yield* sql`UPDATE push_cursors SET transaction = ${last.transaction}::xid8, position = ${last.position}::bigint`
      return events.length
    })

    const at = ({ eventId, deviceId }: Pick<PushNotification, "eventId" | "deviceId">) =>
      sql`event_id = ${eventId} AND device_id = ${deviceId}`

    /** The notification with its device's token. Undefined when the token does not open: a key is missing, and with it the device. */
    const withToken = ({ token, sealedToken, createdAt, ...row }: NotificationRow) =>
      openPushToken(ring, row.organizationId, { token, sealedToken }).pipe(
        Effect.map((opened): PushNotification => ({ ...row, createdAt: createdAt.getTime(), token: opened })),
        Effect.catch(({ message }) =>
          Effect.as(
            Effect.logWarning("a device's token does not open", { deviceId: row.deviceId, reason: message }),
            undefined
          )
        )
      )

    return Pushes.of({
      waiting: traced("Pushes.waiting")((most) => organizationsToPush(sql, most), Effect.orDie),

      take: traced("Pushes.take")(function* (organizationId, now, most) {
        return yield* asTenant(organizationId)(take(organizationId, now, most))
      }, Effect.orDie),

      claim: traced("Pushes.claim")(function* (now, leaseMs, most) {
        const due = yield* duePushes(sql, now, most)
        const claimed = yield* Effect.forEach(due, ({ organizationId, ...key }) =>
          asTenant(organizationId)(
            sql<NotificationRow>`UPDATE push_notifications n SET due_at = ${new Date(now + leaseMs)}
              FROM devices d WHERE ${at(key)} AND n.due_at <= ${new Date(now)} AND d.id = n.device_id
              RETURNING n.organization_id, n.event_id, n.device_id, n.collapse_key, n.title, n.body, n.data, n.attempts,
                n.created_at, d.token, d.sealed_token`
          )
        )
        const opened = yield* Effect.forEach(claimed.flat(), withToken)
        return opened.filter((notification) => notification !== undefined)
      }, Effect.orDie),

      done: traced("Pushes.done")(function* (notification) {
        yield* asTenant(notification.organizationId)(sql`DELETE FROM push_notifications WHERE ${at(notification)}`)
      }, Effect.orDie),

      postpone: traced("Pushes.postpone")(function* (notification, dueAt) {
        yield* asTenant(notification.organizationId)(
          sql`UPDATE push_notifications SET attempts = attempts + 1, due_at = ${new Date(dueAt)} WHERE ${at(notification)}`
        )
      }, Effect.orDie),

      // A device that has another token by now is still in use.
      forgetDevice: traced("Pushes.forgetDevice")(function* ({ organizationId, deviceId, token }) {
        yield* asTenant(organizationId)(
          sql`DELETE FROM devices WHERE id = ${deviceId} AND token_hash = ANY(${pushTokenHashes(ring, token)}::text[])`
        )
      }, Effect.orDie)
    })
  })
)

export const settingsLayer = Layer.effect(
  PushSettings,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return PushSettings.of({
      preview: traced("PushSettings.preview")(function* (organizationId) {
        const [found] = yield* asTenant(organizationId)(
          sql<{ preview: boolean }>`SELECT push_preview AS preview FROM organizations`
        )
        return found?.preview ?? false
      }, Effect.orDie),
      setPreview: traced("PushSettings.setPreview")(function* (organizationId, preview) {
        yield* asTenant(organizationId)(sql`UPDATE organizations SET push_preview = ${preview}, updated_at = now()`)
      }, Effect.orDie)
    })
  })
)
