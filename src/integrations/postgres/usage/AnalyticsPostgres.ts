/**
 * Computes analytics from the tables themselves. Each table is read once, by an index over time, and counted in all required groupings. First
 * responses and resolutions come from `conversation_episodes`, which triggers maintain.
 */
import { Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { isTimeZone } from "../../../domain/basics/Calendar.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import type { HourOfWeek } from "../../../domain/usage/Analytics.ts"
import {
  type AnalyticsRange,
  AnalyticsStore,
  type CallRow,
  type DurationRow,
  type MessageRow,
  type OpenedRow
} from "../../../domain/usage/AnalyticsStore.ts"
import { makeSql } from "../tenancy/Sql.ts"

export const layer = Layer.effect(
  AnalyticsStore,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    /** The first day of the period that contains the time in `column`. */
    const period = ({ groupBy, timeZone }: AnalyticsRange, column: Fragment) =>
      sql`date_trunc(${groupBy}, ${column} AT TIME ZONE ${isTimeZone(timeZone) ? timeZone : "UTC"})::date::text AS period`

    const between = ({ from, to }: AnalyticsRange, column: Fragment) =>
      sql`${column} >= ${new Date(from)} AND ${column} < ${new Date(to)}`

    const messages = (range: AnalyticsRange) => sql<MessageRow>`SELECT direction, count(*)::int AS count,
        CASE WHEN GROUPING(period) = 0 THEN 'period' WHEN GROUPING(type) = 0 THEN 'type' WHEN GROUPING(status) = 0 THEN 'status'
          WHEN GROUPING(channel) = 0 THEN 'channel' ELSE 'who' END AS grouping, coalesce(period, type, status, channel, who) AS key
      FROM (SELECT ${period(range, sql`m.created_at`)}, m.direction, m.type, m.status, v.channel,
          CASE WHEN m.direction = 'outbound' AND m.sent_by ~ '^(usr|bot|agt)_' THEN m.sent_by END AS who
        FROM messages m JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id
        WHERE ${between(range, sql`m.created_at`)}) s
      GROUP BY GROUPING SETS ((period, direction), (type, direction), (status, direction), (channel, direction), (who))`

    const opened = (range: AnalyticsRange) => sql<OpenedRow>`SELECT count(*)::int AS count,
        CASE WHEN GROUPING(period) = 0 THEN 'period' ELSE 'channel' END AS grouping, coalesce(period, channel) AS key
      FROM (SELECT ${period(range, sql`e.opened_at`)}, e.channel FROM conversation_episodes e
        WHERE ${between(range, sql`e.opened_at`)}) s
      GROUP BY GROUPING SETS ((period), (channel))`

    /** The time from `since` to `until` of the episodes whose `until` lies in the range, in seconds. */
    const durations = (range: AnalyticsRange, since: Fragment, until: Fragment, who: Fragment) =>
      sql<DurationRow>`SELECT count(*)::int AS count, avg(seconds)::float AS average_seconds,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median_seconds,
        percentile_cont(0.9) WITHIN GROUP (ORDER BY seconds) AS p90_seconds,
        CASE WHEN GROUPING(period) = 0 THEN 'period' WHEN GROUPING(channel) = 0 THEN 'channel' WHEN GROUPING(who) = 0 THEN 'who'
          ELSE 'all' END AS grouping, coalesce(period, channel, who) AS key
      FROM (SELECT ${period(range, until)}, e.channel, ${who} AS who, extract(epoch FROM ${until} - ${since})::float AS seconds
        FROM conversation_episodes e WHERE ${between(range, until)}) s
      GROUP BY GROUPING SETS ((), (period), (channel), (who))`

    const calls = (
      range: AnalyticsRange
    ) => sql<CallRow>`SELECT count(*)::int AS count, coalesce(sum(seconds), 0)::float AS seconds,
        avg(seconds)::float AS average_seconds, (count(*) FILTER (WHERE escalated))::int AS escalated,
        CASE WHEN GROUPING(period) = 0 THEN 'period' WHEN GROUPING(who) = 0 THEN 'who' WHEN GROUPING(end_reason) = 0 THEN 'endReason'
          WHEN GROUPING(direction) = 0 THEN 'direction' ELSE 'all' END AS grouping, coalesce(period, who, end_reason, direction) AS key
      FROM (SELECT ${period(range, sql`c.created_at`)}, c.agent_id AS who, c.end_reason, c.direction, c.duration_seconds AS seconds,
          EXISTS (SELECT 1 FROM transfers t WHERE t.organization_id = c.organization_id AND t.call_id = c.id) AS escalated
        FROM calls c WHERE NOT c.test AND ${between(range, sql`c.created_at`)}) s
      GROUP BY GROUPING SETS ((), (period), (who), (end_reason), (direction))`

    /** The hours of the week in which calls began, in the organization's time zone. */
    const hours = ({ timeZone, ...range }: AnalyticsRange) =>
      sql<HourOfWeek>`SELECT extract(isodow FROM began)::int AS weekday, extract(hour FROM began)::int AS hour, count(*)::int AS count
        FROM (SELECT c.created_at AT TIME ZONE ${isTimeZone(timeZone) ? timeZone : "UTC"} AS began FROM calls c
          WHERE NOT c.test AND ${between({ timeZone, ...range }, sql`c.created_at`)}) s
        GROUP BY 1, 2 ORDER BY 1, 2`

    /** How long callers waited for answers, in all and by steps. */
    const latency = Effect.fnUntraced(function* (range: AnalyticsRange) {
      const rows = yield* sql<{
        readonly fromMs: number | null
        readonly turns: number
        readonly medianMs: number | null
        readonly p90Ms: number | null
        readonly p95Ms: number | null
      }>`SELECT least(floor(ms / 200), 12)::int * 200 AS from_ms, count(*)::int AS turns,
          percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS median_ms, percentile_cont(0.9) WITHIN GROUP (ORDER BY ms) AS p90_ms,
          percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95_ms
        FROM (SELECT (turn ->> 'firstFrameMs')::float AS ms FROM calls c, jsonb_array_elements(c.turns) AS turn
          WHERE NOT c.test AND ${between(range, sql`c.created_at`)}) s
        WHERE ms IS NOT NULL
        GROUP BY GROUPING SETS ((), (least(floor(ms / 200), 12))) ORDER BY from_ms NULLS FIRST`
      const all = rows.find(({ fromMs }) => fromMs === null)
      return {
        turns: all?.turns ?? 0,
        medianMs: all?.medianMs ?? null,
        p90Ms: all?.p90Ms ?? null,
        p95Ms: all?.p95Ms ?? null,
        steps: rows.flatMap(({ fromMs, turns }) => (fromMs === null ? [] : [{ fromMs, turns }]))
      }
    })

    const broadcasts = Effect.fnUntraced(function* (range: AnalyticsRange) {
      const begun = sql`SELECT b.id FROM broadcasts b WHERE ${between(range, sql`b.started_at`)}`
      const [{ started }] = yield* sql<{ started: number }>`SELECT count(*)::int AS started FROM (${begun}) s`
      const rows = yield* sql<{
        status: string
        count: number
      }>`SELECT status, count(*)::int AS count FROM broadcast_recipients
        WHERE broadcast_id IN (${begun}) GROUP BY status`
      return { started, statuses: Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
    })

    const names = (ids: ReadonlyArray<string>) =>
      Effect.map(
        sql<{ id: string; name: string }>`SELECT id, name FROM users WHERE id = ANY (${ids}::text[])
          UNION ALL SELECT id, name FROM voice_agents WHERE id = ANY (${ids}::text[])
          UNION ALL SELECT id, name FROM text_agents WHERE id = ANY (${ids}::text[])`,
        (rows) => Object.fromEntries(rows.map(({ id, name }) => [id, name]))
      )

    const read = Effect.fnUntraced(function* (range: AnalyticsRange) {
      // The queries run one after the other, because they share the transaction's connection.
      const rows = {
        messages: yield* messages(range),
        opened: yield* opened(range),
        answered: yield* durations(range, sql`e.first_inbound_at`, sql`e.first_response_at`, sql`e.responded_by`),
        resolved: yield* durations(range, sql`e.opened_at`, sql`e.resolved_at`, sql`e.resolved_by`),
        calls: yield* calls(range),
        hours: yield* hours(range),
        latency: yield* latency(range),
        broadcasts: yield* broadcasts(range)
      }
      const who = [...rows.messages, ...rows.answered, ...rows.resolved, ...rows.calls].flatMap(({ grouping, key }) =>
        grouping === "who" && key !== null ? [key] : []
      )
      return { ...rows, names: yield* names([...new Set(who)]) }
    })

    return AnalyticsStore.of({
      read: traced("Analytics.read")((organizationId, range) => asTenant(organizationId)(read(range)), Effect.orDie)
    })
  })
)
