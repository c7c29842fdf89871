/** The mappings of team chats in Postgres. The place of a workspace is unique over all organizations. */
import { Effect, Layer } from "effect"
import type { AlertKind } from "../../../domain/apps/chat/ChatAlert.ts"
import {
  type ChatMapping,
  ChatMappings,
  ChatPlaceTaken,
  type ChatTarget,
  placeProblem,
  QueueChannel
} from "../../../domain/apps/chat/ChatMapping.ts"
import { nextSummary } from "../../../domain/apps/chat/DailySummary.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"
import { chatConnections, chatOwner, chatPlacesTaken } from "./AcrossTenants.ts"

interface MappingRow {
  readonly place: string
  readonly name: string | null
  readonly isPrivate: boolean
  readonly isArchived: boolean
  readonly isMember: boolean
  readonly target: ChatTarget["type"]
  readonly agentId: string | null
  readonly alerts: ReadonlyArray<AlertKind>
  readonly queueChannels: ReadonlyArray<QueueChannel>
  readonly summaryAt: string | null
  readonly since: Date
}

/** Where the agent was removed, people answer, and nobody what was for the organization's own people. */
const targetOf = ({
  target,
  agentId,
  queueChannels
}: Pick<MappingRow, "target" | "agentId" | "queueChannels">): ChatTarget => {
  if (target === "queue") return { type: target, channels: queueChannels }
  if (target !== "agent" && target !== "ops") return { type: target }
  if (target === "ops" && agentId === null) return { type: "nobody" }
  return agentId === null ? { type: "people" } : { type: target, agentId }
}

const mappingOf = ({
  place,
  target,
  agentId,
  queueChannels,
  summaryAt,
  since,
  ...channel
}: MappingRow): ChatMapping => {
  const lost = (target === "agent" || target === "ops") && agentId === null
  return {
    channel: place,
    ...channel,
    target: targetOf({ target, agentId, queueChannels }),
    dailySummaryAt: summaryAt,
    problem:
      placeProblem(channel) ??
      (lost
        ? `The agent was removed: ${target === "ops" ? "nobody answers" : "people answer"} here. Choose another one.`
        : null),
    since: iso(since)
  }
}

export const layer = Layer.effect(
  ChatMappings,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const select = sql`SELECT place, name, is_private, is_archived, is_member, target, agent_id, alerts, queue_channels, summary_at, since FROM chat_mappings`

    /** The log is read from now on. While no channel was told of anything, no event was news, so an old place skips ahead. */
    const beginTelling = (organizationId: string) =>
      sql`INSERT INTO chat_news AS n (organization_id, transaction, position)
        VALUES (${organizationId}, pg_snapshot_xmin(pg_current_snapshot()), 0)
        ON CONFLICT (organization_id) DO UPDATE SET transaction = excluded.transaction, position = 0
          WHERE n.transaction < excluded.transaction AND NOT EXISTS (SELECT 1 FROM chat_mappings WHERE alerts <> '{}' OR target = 'queue')`

    return ChatMappings.of({
      list: traced("ChatMappings.list")(function* (organizationId, teamId) {
        const rows = yield* asTenant(organizationId)(
          sql<MappingRow>`${select} WHERE team_id = ${teamId} ORDER BY place = 'direct', name, place`
        )
        return rows.map(mappingOf)
      }, Effect.orDie),

      find: traced("ChatMappings.find")(function* (organizationId, teamId, place) {
        const [row] = yield* asTenant(organizationId)(
          sql<MappingRow>`${select} WHERE team_id = ${teamId} AND place = ${place}`
        )
        return row === undefined ? undefined : mappingOf(row)
      }, Effect.orDie),

      replace: traced("ChatMappings.replace")(function* (organizationId, teamId, mappings, now) {
        const [{ timeZone }] = yield* asTenant(organizationId)(
          sql<{ timeZone: string }>`SELECT time_zone FROM organizations`
        ).pipe(Effect.orDie)
        const insert = Effect.fnUntraced(function* ({
          place,
          channel,
          target,
          alerts,
          dailySummaryAt
        }: (typeof mappings)[number]) {
          const agentId = "agentId" in target ? target.agentId : null
          const due = dailySummaryAt === null ? null : new Date(nextSummary(dailySummaryAt, timeZone, now))
          const queueChannels = target.type === "queue" ? (target.channels ?? QueueChannel.literals) : []
          const { name = null, isPrivate = false, isArchived = false, isMember = true } = channel ?? {}
          const made =
            yield* sql`INSERT INTO chat_mappings (organization_id, team_id, place, name, is_private, is_archived, is_member, target, agent_id, alerts,
              queue_channels, summary_at, summary_due, since)
            VALUES (${organizationId}, ${teamId}, ${place}, ${name}, ${isPrivate}, ${isArchived}, ${isMember}, ${target.type}, ${agentId},
              ${alerts}::text[], ${queueChannels}::text[], ${dailySummaryAt}, ${due}, ${new Date(now)})
            ON CONFLICT (organization_id, team_id, place) DO UPDATE SET name = excluded.name, is_private = excluded.is_private,
              is_archived = excluded.is_archived, is_member = excluded.is_member, target = excluded.target, agent_id = excluded.agent_id,
              alerts = excluded.alerts, queue_channels = excluded.queue_channels,
              summary_at = excluded.summary_at, summary_due = CASE WHEN chat_mappings.summary_at IS NOT DISTINCT FROM excluded.summary_at
                THEN chat_mappings.summary_due ELSE excluded.summary_due END
            RETURNING place`.pipe(
              Effect.catchIf(
                ({ reason }) => reason._tag === "UniqueViolation",
                () => new ChatPlaceTaken({ place })
              )
            )
          return made.length
        })
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const places = mappings.map(({ place }) => place)
            yield* beginTelling(organizationId)
            yield* sql`DELETE FROM chat_mappings WHERE team_id = ${teamId} AND NOT place = ANY (${places}::text[])`
            const inOrder = [...mappings].sort((a, b) => (a.place < b.place ? -1 : 1))
            yield* Effect.forEach(inOrder, insert, { discard: true })
          })
        ).pipe(Effect.catchTag("SqlError", Effect.die))
      }),

      owner: traced("ChatMappings.owner")(
        (provider, teamId, place) => chatOwner(sql, provider, teamId, place),
        Effect.orDie
      ),

      taken: traced("ChatMappings.taken")(function* (organizationId, teamId, places) {
        const rows = places.length === 0 ? [] : yield* chatPlacesTaken(sql, organizationId, teamId, places)
        return new Set(rows.map(({ place }) => place))
      }, Effect.orDie),

      connections: traced("ChatMappings.connections")(
        (provider, teamId) => chatConnections(sql, provider, teamId),
        Effect.orDie
      ),

      follow: traced("ChatMappings.follow")(function* (organizationId, teamId, channelId, change) {
        const set =
          "name" in change
            ? sql`name = ${change.name}`
            : "isArchived" in change
              ? sql`is_archived = ${change.isArchived}`
              : sql`is_member = ${change.isMember}`
        yield* asTenant(organizationId)(
          sql`UPDATE chat_mappings SET ${set} WHERE team_id = ${teamId} AND place = ${channelId}`
        )
      }, Effect.orDie)
    })
  })
)
