/**
 * The posts of team chats in Postgres. Events are read in the order of the log; the place in it moves in the transaction that writes the posts. One node at a
 * time locks that place. A claim is a lease: it moves `due_at` on. Locks are taken connection first, post second.
 */
import { Effect, Layer, Schema } from "effect"
import { ChatPosts, type ClaimedPost, PostContent, postLifetimeMs } from "../../../domain/apps/chat/ChatPost.ts"
import { latestSummaryMs, nextSummary, summaryDay } from "../../../domain/apps/chat/DailySummary.ts"
import { storable } from "../../../domain/basics/PlainText.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { chatsBehind, connectionsDue, summariesDue } from "./AcrossTenants.ts"
import { makeAddPost, makeChatNews } from "./ChatNews.ts"
import { heldConnection, learnOutcome, openConnection, usableConnection } from "./ConnectionRows.ts"

const organizationsAtOnce = 10_000
const summariesAtOnce = 500

interface ClaimedRow extends Omit<ClaimedPost, "content" | "createdAt"> {
  readonly content: unknown
  readonly createdAt: Date
  readonly position: string
}

interface SummaryRow {
  readonly teamId: string
  readonly place: string
  readonly summaryAt: string
  readonly summaryDue: Date
  readonly timeZone: string
}

const decodeContent = Schema.decodeUnknownEffect(PostContent)

export const layer = Layer.effect(
  ChatPosts,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    const readNews = yield* makeChatNews
    const add = yield* makeAddPost

    /** The thread of a conversation begins with this message. */
    const began = (postId: string, ts: string) =>
      sql`UPDATE chat_cards k SET ts = ${ts} FROM chat_posts t WHERE t.id = ${postId} AND t.once = t.conversation_id || ':card'
        AND k.conversation_id = t.conversation_id AND k.team_id = t.team_id AND k.channel_id = t.channel_id AND k.ts IS NULL`

    const take = (organizationId: string, teamId: string, now: number, leaseMs: number, most: number) =>
      sql<ClaimedRow>`WITH due AS (SELECT t.organization_id, t.id FROM chat_posts t
          WHERE t.organization_id = ${organizationId} AND t.team_id = ${teamId} AND t.due_at <= ${new Date(now)}
            AND NOT EXISTS (SELECT 1 FROM chat_posts e WHERE e.organization_id = t.organization_id
              AND e.team_id = t.team_id AND e.lane = t.lane AND e.due_at IS NOT NULL AND e.position < t.position)
          ORDER BY t.due_at, t.position LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE chat_posts t SET claims = t.claims + 1, due_at = ${new Date(now + leaseMs)} FROM due
        WHERE t.organization_id = due.organization_id AND t.id = due.id AND t.due_at <= ${new Date(now)}
        RETURNING t.id, t.claims, t.failures, t.unanswered, t.organization_id, t.team_id, t.channel_id, t.conversation_id, t.content,
          t.created_at, t.position::text AS position, (SELECT k.ts FROM chat_cards k WHERE k.organization_id = t.organization_id
            AND k.conversation_id = t.conversation_id AND k.team_id = t.team_id AND k.channel_id = t.channel_id) AS card_id`

    const claimed = ({ content, createdAt, position: _, ...row }: ClaimedRow) =>
      Effect.map(
        decodeContent(content),
        (read): ClaimedPost => ({ ...row, content: read, createdAt: createdAt.getTime() })
      )

    /** The row of the mapping moves on in the transaction that adds the post: a day is told once, by whichever process. */
    const summarize = Effect.fnUntraced(function* (organizationId: string, now: number) {
      const rows =
        yield* sql<SummaryRow>`SELECT m.team_id, m.place, m.summary_at, m.summary_due, o.time_zone FROM chat_mappings m
        JOIN organizations o ON o.id = m.organization_id WHERE m.summary_due <= ${new Date(now)} ORDER BY m.place
        FOR NO KEY UPDATE OF m SKIP LOCKED`
      for (const { teamId, place, summaryAt, summaryDue, timeZone } of rows) {
        const due = summaryDue.getTime()
        const day = summaryDay(summaryAt, timeZone, due)
        const post = { once: `summary:${day}`, teamId, channelId: place, lane: place, conversationId: null }
        if (now - due < latestSummaryMs)
          yield* add(organizationId, { ...post, content: { type: "summary", day } }, "waiting", now)
        yield* sql`UPDATE chat_mappings SET summary_due = ${new Date(nextSummary(summaryAt, timeZone, now))}
          WHERE team_id = ${teamId} AND place = ${place}`
      }
    })

    return ChatPosts.of({
      behind: traced("ChatPosts.behind")((among) => chatsBehind(sql, among, organizationsAtOnce), Effect.orDie),

      read: traced("ChatPosts.read")(
        (organizationId, terms, now) => asTenant(organizationId)(readNews(organizationId, terms, now)),
        Effect.orDie
      ),

      add: traced("ChatPosts.add")(
        (organizationId, post, state, now) => asTenant(organizationId)(add(organizationId, post, state, now)),
        Effect.orDie,
        Effect.asVoid
      ),

      has: traced("ChatPosts.has")(function* (organizationId, { teamId, channelId }, once) {
        const rows = yield* asTenant(organizationId)(
          sql`SELECT 1 FROM chat_posts WHERE organization_id = ${organizationId} AND team_id = ${teamId}
            AND channel_id = ${channelId} AND once = ${once}`
        )
        return rows.length > 0
      }, Effect.orDie),

      summarize: traced("ChatPosts.summarize")(function* (now) {
        for (const organizationId of yield* summariesDue(sql, now, summariesAtOnce))
          yield* asTenant(organizationId)(summarize(organizationId, now))
      }, Effect.orDie),

      due: connectionsDue(sql, "posts"),

      claim: traced("ChatPosts.claim")(function* (organizationId, connectionId, now, leaseMs, most) {
        const taken = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const row = yield* usableConnection(sql, connectionId, now)
            if (row === undefined) return undefined
            // Refused credentials are tried with one post.
            const limit = row.state === "failing" ? Math.min(1, most) : most
            return { row, rows: yield* take(organizationId, row.accountId, now, leaseMs, limit) }
          })
        )
        if (taken === undefined || taken.rows.length === 0) return undefined
        const connection = yield* openConnection(ring, taken.row)
        const inOrder = [...taken.rows].sort((a, b) => Number(a.position) - Number(b.position))
        const posts = yield* Effect.forEach(inOrder, claimed)
        return connection === undefined ? undefined : { connection, posts }
      }, Effect.orDie),

      settle: traced("ChatPosts.settle")(function* (connection, { id, claims, createdAt }, result, now) {
        const { outcome, ts, unclear } = result
        const old = outcome.task === "again" && now - createdAt > postLifetimeMs
        const task = old ? "dead" : outcome.task
        const dueAt = task === "again" && outcome.dueAt !== null ? new Date(outcome.dueAt) : null
        const error = outcome.error === null ? null : storable(outcome.error)
        yield* asTenant(connection.organizationId)(
          Effect.gen(function* () {
            const held = yield* heldConnection(sql, connection, outcome)
            const mine =
              yield* sql`UPDATE chat_posts SET status = ${task === "again" ? "waiting" : task}, due_at = ${dueAt}, error = ${error},
                failures = failures + ${outcome.counts ? 1 : 0}, unanswered = unanswered + ${unclear ? 1 : 0},
                ts = coalesce(${ts ?? null}::text, ts), content = CASE WHEN ${task === "again"} THEN content END
              WHERE id = ${id} AND claims = ${claims} AND status = 'waiting' RETURNING id`
            if (mine.length > 0 && ts !== undefined) yield* began(id, ts)
            if (mine.length > 0 && held !== undefined) yield* learnOutcome(sql, held, outcome, now)
          })
        )
      }, Effect.orDie),

      arrived: traced("ChatPosts.arrived")(function* (organizationId, postId, ts) {
        yield* asTenant(organizationId)(
          Effect.andThen(
            sql`UPDATE chat_posts SET status = 'done', due_at = NULL, ts = ${ts}, content = NULL, error = NULL
              WHERE id = ${postId} AND status = 'waiting'`,
            began(postId, ts)
          )
        )
      }, Effect.orDie),

      conversationAt: traced("ChatPosts.conversationAt")(function* (organizationId, { teamId, channelId, threadId }) {
        const rows = yield* asTenant(organizationId)(
          sql<{ conversationId: string }>`SELECT conversation_id FROM chat_cards
            WHERE team_id = ${teamId} AND channel_id = ${channelId} AND ts = ${threadId}`
        )
        return rows.at(0)?.conversationId
      }, Effect.orDie)
    })
  })
)
