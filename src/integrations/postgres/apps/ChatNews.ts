/** Makes posts of the events of an organization. Use it as the tenant, in one transaction. */
import { Effect, Schema } from "effect"
import { rowOf } from "../../../domain/apps/Catalogue.ts"
import { alertTypes, type HeardEvent } from "../../../domain/apps/chat/ChatAlert.ts"
import { type NewPost, type PostTerms, postLifetimeMs } from "../../../domain/apps/chat/ChatPost.ts"
import { queueTypes } from "../../../domain/apps/chat/ChatQueue.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { Plan, planRefusal } from "../../../domain/people/organizations/Organization.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { makeQueuePosts, type PlaceRow } from "./QueuePosts.ts"

const provider = "slack"
/** Events that one step reads, and settled posts that it forgets at most. */
const step = 500
const forgotten = 500
/** Settled posts are kept for so long, in days: what is told twice is known by them. */
const keptDays = 7
const readTypes = [...alertTypes, ...queueTypes]

interface EventRow {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
  readonly transaction: string
  readonly position: string
}

const decodePlan = Schema.decodeUnknownEffect(Plan)

/** Adds a post, unless there is one for the same reason. */
export const makeAddPost = Effect.map(
  makeSql,
  ({ sql }) =>
    (
      organizationId: string,
      { once, teamId, channelId, lane, conversationId, content }: NewPost,
      state: "waiting" | "done",
      now: number
    ) => {
      const waits = state === "waiting"
      return sql`INSERT INTO chat_posts (organization_id, id, once, team_id, channel_id, lane, conversation_id, content, status,
          due_at, created_at)
        VALUES (${organizationId}, ${newId("pst", now)}, ${once}, ${teamId}, ${channelId}, ${lane}, ${conversationId},
          ${waits ? sql.json(content) : null}, ${state}, ${waits ? new Date(now) : null}, ${new Date(now)})
        ON CONFLICT DO NOTHING`
    }
)

export const makeChatNews = Effect.gen(function* () {
  const { sql } = yield* makeSql
  const add = yield* makeAddPost
  const queuePosts = yield* makeQueuePosts

  const nextEvents = ({ transaction, position }: Pick<EventRow, "transaction" | "position">) =>
    sql<EventRow>`SELECT id, type, CASE WHEN type = ANY (${readTypes}::text[]) THEN data END AS data, created_at,
        transaction::text, position::text FROM events
      WHERE (transaction, position) > (${transaction}::xid8, ${position}::bigint)
        AND transaction < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY events.transaction, events.position LIMIT ${step}`

  /** The channels that are told of something, in the workspace that is connected now. */
  const places = sql<PlaceRow>`SELECT m.team_id, m.place, m.alerts, m.queue_channels FROM chat_mappings m
    JOIN app_connections a ON a.organization_id = m.organization_id AND a.provider = ${provider} AND a.account_id = m.team_id
      AND a.enabled
    WHERE (m.alerts <> '{}' OR m.target = 'queue') AND NOT m.is_archived AND m.is_member ORDER BY m.since, m.place`

  const alertPosts = (event: HeardEvent, told: ReadonlyArray<PlaceRow>, terms: PostTerms, timeZone: string) => {
    const alert = terms.alert(event, { publicBaseUrl: terms.publicBaseUrl, timeZone })
    if (alert === undefined) return []
    return told
      .filter(({ alerts }) => alerts.includes(alert.kind))
      .map(
        ({ teamId, place }): NewPost => ({
          ...{ once: event.id, teamId, channelId: place, lane: place, conversationId: null },
          content: { type: "text", text: alert.text }
        })
      )
  }

  /** Reads the next events; gives whether there may be more. */
  return Effect.fnUntraced(function* (organizationId: string, terms: PostTerms, now: number) {
    const [cursor] = yield* sql<Pick<EventRow, "transaction" | "position">>`SELECT transaction::text, position::text
      FROM chat_news FOR NO KEY UPDATE SKIP LOCKED`
    if (cursor === undefined) return false
    const rows = yield* nextEvents(cursor)
    const last = rows.at(-1)
    if (last === undefined) return false
    const [organization] = yield* sql<{ plan: string; timeZone: string }>`SELECT plan, time_zone FROM organizations`
    const plan = yield* decodePlan(organization?.plan)
    const told = planRefusal(rowOf(provider).feature, { plan }) === undefined ? yield* places : []
    const events = rows
      .filter(({ data }) => data !== null)
      .map(({ id, type, data, createdAt }): HeardEvent => ({ id, type, data, createdAt: createdAt.getTime() }))
      .filter(({ createdAt }) => now - createdAt < postLifetimeMs)
    if (told.length > 0) {
      const alerts = events.flatMap((event) => alertPosts(event, told, terms, organization.timeZone))
      const posts = [...alerts, ...(yield* queuePosts(organizationId, events, told, now))]
      yield* Effect.forEach(posts, (post) => add(organizationId, post, "waiting", now), { discard: true })
    }
    yield* sql`DELETE FROM chat_posts WHERE organization_id = ${organizationId} AND id IN (SELECT id FROM chat_posts
      WHERE organization_id = ${organizationId} AND due_at IS NULL AND created_at < ${new Date(now - keptDays * 86_400_000)} LIMIT ${forgotten})`
    yield* sql`UPDATE chat_news SET transaction = ${last.transaction}::xid8, position = ${last.position}::bigint`
    return rows.length === step
  })
})
