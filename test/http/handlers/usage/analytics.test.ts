/** Analytics over real messages, calls and broadcasts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Messages, type NewMessage } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Users } from "../../../../src/domain/people/access/User.ts"
import type { Analytics } from "../../../../src/domain/usage/Analytics.ts"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { type Messaging, root, startMessaging } from "../../../support/messaging.ts"
import { agentOf } from "../../../support/tenants.ts"

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => tell(messaging))), 60_000)

const day = 86_400_000

describe("the analytics", () => {
  story("counts messages, answers, resolutions and calls by the organization's days", async (messaging) => {
    const { call, conversation, run, organizationId } = messaging
    const ask = async (query: string) => (await call("GET", `/analytics?${query}`)).body as unknown as Analytics
    const user = await run(
      Effect.flatMap(Users, (users) =>
        users.create({
          organizationId,
          email: "ada@example.com",
          name: "Ada",
          role: "AGENT"
        })
      )
    )
    const agent = agentOf(organizationId)
    await run(Effect.flatMap(VoiceAgents, (agents) => agents.create(agent)))
    const { conversationId } = await conversation("+14155550101")
    const { conversationId: other } = await conversation("+14155550102")
    const add = (changes: Partial<NewMessage>, now: number) =>
      run(
        Effect.flatMap(Messages, (messages) =>
          messages.add(
            { organizationId, conversationId, direction: "inbound", type: "text", content: { text: "x" }, ...changes },
            now
          )
        )
      )
    const start = Date.now() - 60_000
    const out = { direction: "outbound" } as const
    // Broadcasts before and after the question do not count as answers. Ada answers after 30 s.
    await add({ ...out, type: "template", sentBy: "brd_1" }, start)
    await add({}, start + 1_000)
    await add({ ...out, type: "template", sentBy: "brd_2" }, start + 2_000)
    await add({ ...out, sentBy: user.id }, start + 31_000)
    await add({ ...out, sentBy: user.id }, start + 40_000)
    await add({ conversationId: other, type: "image", content: { mediaId: "med_1" } }, start)
    await add({ ...out, conversationId: other, sentBy: agent.id }, start + 10_000)
    await call("PATCH", `/chats/${conversationId}`, { assignee: user.id })
    await call("PATCH", `/chats/${conversationId}`, { status: "RESOLVED" })

    const today = await ask("")
    assert.deepInclude(today, { timeZone: "Asia/Kolkata", groupBy: "day" })
    assert.lengthOf(today.data, 30)
    assert.deepStrictEqual(today.messages, {
      ...{ total: 7, inbound: 2, outbound: 5 },
      byType: { text: 4, template: 2, image: 1 },
      byStatus: { received: 2, queued: 5 }
    })
    const { opened, resolved, firstResponse } = today.conversations
    assert.deepStrictEqual([opened, resolved], [2, 1])
    assert.deepInclude(firstResponse, { count: 2, medianSeconds: 20, averageSeconds: 20, p90Seconds: 28 })
    assert.strictEqual(today.channels.length, 1)
    assert.deepInclude(today.channels[0].messages, { inbound: 2, outbound: 5 })
    const [ada, bot] = today.people
    assert.deepInclude(ada, { id: user.id, name: "Ada", messagesSent: 2, resolved: 1 })
    assert.deepInclude(ada.firstResponse, { count: 1, medianSeconds: 30 })
    assert.deepInclude(bot, { id: agent.id, name: agent.name, messagesSent: 1, resolved: 0 })
    const sums = today.data.reduce((sum, { messages }) => sum + messages.inbound + messages.outbound, 0)
    assert.strictEqual(sums, 7)

    // The contact writes again: a second episode, answered after 5 s; the first one stays as it was.
    await add({}, Date.now() + 1_000)
    await add({ ...out, sentBy: user.id }, Date.now() + 6_000)
    const again = await ask("groupBy=month")
    assert.deepStrictEqual([again.conversations.opened, again.conversations.resolved], [3, 1])
    assert.strictEqual(again.conversations.firstResponse.count, 3)

    await run(
      tenant(organizationId)(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.andThen(
            sql`INSERT INTO calls (organization_id, id, agent_id, direction, status, end_reason, from_address, to_address, call_sid,
                duration_seconds, created_at, turns)
              SELECT ${organizationId}::text, 'call_' || n, ${agent.id}::text, 'inbound', 'completed',
                CASE WHEN n = 3 THEN 'max_duration' ELSE 'caller_hangup' END, '+1', '+2', 'CA' || n, n * 60,
                timestamptz '2026-03-01T18:00:00Z' + n * interval '15 minutes',
                CASE WHEN n = 3 THEN '[]' ELSE jsonb_build_array(jsonb_build_object('turn', 1, 'firstFrameMs', n * 500),
                  jsonb_build_object('turn', 2, 'firstFrameMs', 3000), jsonb_build_object('turn', 3, 'firstFrameMs', NULL)) END
                FROM generate_series(1, 3) n`,
            sql`INSERT INTO transfers (organization_id, id, call_id, tool_call_id, plan, position, outcome, requested_at)
              VALUES (${organizationId}, 'trf_1', 'call_3', 't', 'nobody', 0, 'nobody', now())`
          )
        )
      )
    )
    // Midnight in India is 18:30 in UTC: the first call is on the 1st, the others on the 2nd.
    const march = await ask("from=2026-03-01&to=2026-03-03")
    assert.deepStrictEqual(march.calls, {
      ...{ count: 3, minutes: 6, averageSeconds: 120, escalated: 1, inbound: 3, outbound: 0 },
      byEndReason: { caller_hangup: 2, max_duration: 1 },
      // 1 March 2026 is a Sunday.
      byHour: [
        { weekday: 1, hour: 0, count: 2 },
        { weekday: 7, hour: 23, count: 1 }
      ],
      latency: {
        ...{ turns: 4, medianMs: 2_000, p90Ms: 3_000, p95Ms: 3_000 },
        steps: [
          { fromMs: 400, turns: 1 },
          { fromMs: 1_000, turns: 1 },
          { fromMs: 2_400, turns: 2 }
        ]
      }
    })
    assert.deepStrictEqual(
      march.data.map(({ period, calls }) => [period, calls.count]),
      [
        ["2026-03-01", 1],
        ["2026-03-02", 2],
        ["2026-03-03", 0]
      ]
    )
    assert.deepInclude(march.people[0], { id: agent.id, messagesSent: 0 })
    assert.strictEqual(march.people[0].calls.count, 3)
    const weeks = await ask("from=2026-03-01&to=2026-03-09&groupBy=week")
    assert.deepStrictEqual(
      weeks.data.map(({ period, calls }) => [period, calls.count]),
      [
        ["2026-02-23", 1],
        ["2026-03-02", 2],
        ["2026-03-09", 0]
      ]
    )
  })

  story(
    "counts the broadcasts that started, by the status of their recipients",
    async ({ call, run, organizationId }) => {
      await run(
        tenant(organizationId)(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.andThen(
              sql`INSERT INTO broadcasts (organization_id, id, name, template_name, language, components, audience, status, started_at,
                created_by, created_at, updated_at)
              SELECT ${organizationId}::text, 'brd_' || n, 'x', 'x', 'en', '[]', '{"all": true}', 'running',
                CASE WHEN n < 3 THEN now() - interval '1 day' END, 'key_1', now(), now() FROM generate_series(1, 3) n`,
              sql`INSERT INTO broadcast_recipients (organization_id, broadcast_id, contact_id, position, status, reason, due_at, updated_at)
              SELECT ${organizationId}::text, 'brd_1', 'cnt_' || n, n, (ARRAY['waiting', 'queued', 'read', 'skipped'])[1 + n % 4], '',
                now(), now() FROM generate_series(0, 7) n`
            )
          )
        )
      )
      assert.deepStrictEqual((await call("GET", "/analytics")).body.broadcasts, {
        ...{ started: 2, recipients: 8, queued: 4, sent: 0, delivered: 0, read: 2, failed: 0, skipped: 2 }
      })
    }
  )

  story("needs its scope, shows nothing of other organizations, and refuses invalid ranges", async (messaging) => {
    const { call, raw, run, keyOf, organizationId, otherKey, conversation } = messaging
    await conversation("+14155550101", "Hello")
    const { secret } = await run(keyOf(organizationId, ["messages:send"]))
    assert.strictEqual((await call("GET", "/analytics", undefined, secret)).status, 403)
    assert.strictEqual((await call("GET", "/analytics", undefined, "mk_nobody")).status, 401)
    const foreign = (await call("GET", "/analytics", undefined, otherKey)).body as unknown as Analytics
    assert.deepStrictEqual([foreign.messages.total, foreign.conversations.opened], [0, 0])
    for (const query of [
      "from=2026-11-21&to=2026-11-20",
      "from=2025-01-01&to=2026-01-02",
      "from=2026-02-30",
      "from=yesterday",
      "from=",
      "to=2026-11-21T00:00:00Z",
      "groupBy=year",
      "groupBy=",
      "groupBy=day&groupBy=week",
      "from=%00"
    ]) {
      const { status, body } = await raw("GET", `${root}/analytics?${query}`)
      assert.strictEqual(status, 400, query)
      assert.match(String(body.error), /^\S.{8,300}\.$/s, query)
    }
    const whole = await call("GET", "/analytics?from=2025-01-01&to=2026-01-01&groupBy=month")
    assert.lengthOf(whole.body.data as ReadonlyArray<unknown>, 13)
    const ahead = new Date(Date.now() + 10 * day).toISOString().slice(0, 10)
    assert.strictEqual((await call("GET", `/analytics?from=${ahead}`)).status, 200)
  })
})
