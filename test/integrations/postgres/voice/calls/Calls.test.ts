import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ObjectKey } from "../../../../../src/domain/basics/ObjectStorage.ts"
import { VoiceAgents } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { CallNotices } from "../../../../../src/domain/voice/calls/live/CallNotices.ts"
import { Calls, type NewCall, toolUnfinished } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { Transfers } from "../../../../../src/domain/voice/calls/records/Transfer.ts"
import type { CallEvent } from "../../../../../src/domain/voice/engine/CallEvent.ts"
import { recordingKey } from "../../../../../src/domain/voice/engine/Recordings.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { agentOf, newOrganization, testStores } from "../../../../support/tenants.ts"

let serial = 0
const unique = () => `${++serial}`

/** An organization with an agent, and a call to it. */
const ringing = Effect.fnUntraced(function* (changes: Partial<NewCall> = {}) {
  const organization = yield* newOrganization()
  const agents = yield* VoiceAgents
  const agent = agentOf(organization.id)
  yield* agents.create(agent)
  const input: NewCall = {
    organizationId: organization.id,
    agentId: agent.id,
    direction: "inbound",
    status: "ringing",
    from: "+14155550130",
    to: "+14155550131",
    callSid: `CA${unique()}`,
    ...changes
  }
  const calls = yield* Calls
  const { call } = yield* calls.open(input)
  const base = { organizationId: organization.id, agentId: agent.id, callId: call.id }
  return { calls, input, call, base, organizationId: organization.id }
})

type Base = Pick<CallEvent, "organizationId" | "agentId" | "callId" | "fence">
const said = (base: Base, sequence: number, text: string): CallEvent => ({
  type: "transcript",
  id: `evt_${base.callId}_${sequence}`,
  ...base,
  sequence,
  role: sequence % 2 === 0 ? "agent" : "caller",
  text,
  interrupted: false,
  startMs: sequence * 1_000,
  endMs: sequence * 1_000 + 500
})
const startedEvent = (base: Base): CallEvent => ({
  type: "call_started",
  id: `evt_${base.callId}_start`,
  ...base,
  startedAt: "2026-05-01T10:00:00.000Z"
})
const endEvent = (base: Base): Extract<CallEvent, { type: "call_end" }> => ({
  type: "call_end",
  id: `evt_${base.callId}_end`,
  ...base,
  endReason: "caller_hangup",
  endedAt: "2026-05-01T10:01:00.000Z",
  durationSeconds: 60.02,
  turns: [
    { turn: 1, decisionMs: 400, transcriptMs: 420.5, firstTokenMs: null, firstAudioMs: null, firstFrameMs: null }
  ],
  interruptions: 1,
  falseInterruptions: 3,
  toolCalls: 2,
  callerTalkMs: 10_000,
  agentTalkMs: 30_000
})

const conversations = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* tenant(organizationId)(
    sql<{ id: string; status: string; flagged: boolean; assignedAgentId: string | null }>`
      SELECT id, status, flagged, assigned_agent_id FROM conversations ORDER BY created_at, id`
  )
})

layer(testStores)("in the record of calls", (it) => {
  it.effect("a caller's first call creates a contact and an open conversation, and the next call joins them", () =>
    Effect.gen(function* () {
      const { calls, call, input, organizationId } = yield* ringing()
      const next = yield* calls.open({ ...input, from: "+1 (415) 555-0130", callSid: `CA${unique()}` })
      assert.isNotNull(call.contactId)
      assert.notStrictEqual(next.call.id, call.id)
      assert.deepStrictEqual(
        [next.call.contactId, next.call.conversationId, next.contactName],
        [call.contactId, call.conversationId, null]
      )
      assert.deepStrictEqual(
        (yield* conversations(organizationId)).map(({ id, status }) => [id, status]),
        [[call.conversationId, "OPEN"]]
      )
    })
  )

  it.effect(
    "an engine that was replaced adds neither an end nor later utterances, and what it told before still counts",
    () =>
      Effect.gen(function* () {
        const { calls, call, base, organizationId } = yield* ringing()
        const tell = (event: CallEvent) => calls.apply(event)
        const replaced = { ...base, fence: 1 }
        const current = { ...base, fence: 2 }
        yield* tell(startedEvent(base))
        yield* tell(said(base, 1, "Hello"))
        // After its last checkpoint: the third engine records it again, as its own.
        yield* tell({ ...said(base, 5, "of the first, told early"), id: `evt_${call.id}_early` })
        for (const [fence, sequence] of [
          [2, 5],
          [1, 3]
        ])
          yield* tell({ type: "call_taken_over", id: `evt_${call.id}_fence_${fence}`, ...base, fence, sequence })
        // Its journal comes late; what follows was written by an engine that stood still and did not know.
        yield* tell(said(base, 2, "of the first, in time"))
        yield* tell({ ...said(base, 3, "of the first, too late"), id: `evt_${call.id}_late` })
        yield* tell(said(replaced, 3, "of the second"))
        yield* tell({ ...said(replaced, 5, "of the second, too late"), id: `evt_${call.id}_later` })
        yield* tell({ ...endEvent(base), id: `evt_${call.id}_first`, endReason: "error" })
        yield* tell({ ...endEvent(replaced), id: `evt_${call.id}_second`, endReason: "error" })
        assert.isNull((yield* calls.find(organizationId, call.id))?.endReason)
        yield* tell(said(current, 5, "of the third"))
        yield* tell(endEvent(current))
        assert.strictEqual((yield* calls.find(organizationId, call.id))?.endReason, "caller_hangup")
        assert.deepStrictEqual(
          (yield* calls.utterances(organizationId, call.id)).map(({ text }) => text),
          ["Hello", "of the first, in time", "of the second", "of the third"]
        )
      })
  )

  it.effect("an engine that was replaced by one that died at once, and that by another, adds no later utterances", () =>
    Effect.gen(function* () {
      const { calls, call, base, organizationId } = yield* ringing()
      const current = { ...base, fence: 2 }
      yield* calls.apply(startedEvent(base))
      // The second engine told nothing.
      yield* calls.apply({ type: "call_taken_over", id: `evt_${call.id}_fence`, ...current, sequence: 2 })
      yield* calls.apply(said(base, 1, "of the first, in time"))
      yield* calls.apply({ ...said(base, 2, "of the first, too late"), id: `evt_${call.id}_late` })
      yield* calls.apply(said(current, 2, "of the third"))
      assert.deepStrictEqual(
        (yield* calls.utterances(organizationId, call.id)).map(({ text }) => text),
        ["of the first, in time", "of the third"]
      )
    })
  )

  it.effect("the next call after a resolved conversation starts a new one, with the contact's name known", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { calls, call, input, organizationId } = yield* ringing()
      yield* tenant(organizationId)(sql`UPDATE conversations SET status = 'RESOLVED'`)
      yield* tenant(organizationId)(sql`UPDATE contacts SET name = 'Ada'`)
      const next = yield* calls.open({ ...input, callSid: `CA${unique()}` })
      assert.notStrictEqual(next.call.conversationId, call.conversationId)
      assert.strictEqual(next.contactName, "Ada")
    })
  )

  it.effect("a repeated webhook, even at the same moment, finds the first record", () =>
    Effect.gen(function* () {
      const { calls, call, input, organizationId } = yield* ringing()
      const again = yield* calls.open({ ...input, status: "failed", endReason: "error" })
      assert.deepStrictEqual(again.call, call)
      for (const from of ["+14155550139", "anonymous"]) {
        const same = { ...input, from, callSid: `CA${unique()}` }
        const both = yield* Effect.all([calls.open(same), calls.open(same), calls.open(same)], { concurrency: 3 })
        assert.lengthOf(new Set(both.map((opened) => opened.call.id)), 1)
      }
      assert.lengthOf(yield* conversations(organizationId), 2)
    })
  )

  it.effect("a caller without a number is recorded without contact or conversation", () =>
    Effect.gen(function* () {
      const { call } = yield* ringing({ from: "anonymous", agentId: null, status: "failed", endReason: "error" })
      assert.deepStrictEqual([call.contactId, call.conversationId, call.agentId], [null, null, null])
      assert.deepStrictEqual([call.status, call.endReason, call.from], ["failed", "error", "anonymous"])
      assert.isNotNull(call.endedAt)
    })
  )

  it.effect("callbacks build up a call: in progress, its words in order, completed with its latencies", () =>
    Effect.gen(function* () {
      const { calls, call, base, organizationId } = yield* ringing()
      yield* calls.apply(startedEvent(base))
      const during = yield* calls.find(organizationId, call.id)
      assert.deepStrictEqual([during?.status, during?.startedAt], ["in_progress", "2026-05-01T10:00:00.000Z"])
      for (const n of [3, 1, 2]) yield* calls.apply(said(base, n, `line ${n}`))
      yield* calls.apply(endEvent(base))
      const after = yield* calls.find(organizationId, call.id)
      assert.deepInclude(after, {
        status: "completed",
        endReason: "caller_hangup",
        endedAt: "2026-05-01T10:01:00.000Z",
        durationSeconds: 60.02,
        interruptions: 1,
        falseInterruptions: 3,
        talkRatio: 0.75,
        toolCallCount: 2
      })
      assert.strictEqual(after?.turns[0].transcriptMs, 420.5)
      const lines = yield* calls.utterances(organizationId, call.id)
      assert.deepStrictEqual(
        lines.map(({ sequence, role, text, startMs }) => [sequence, role, text, startMs]),
        [
          [1, "caller", "line 1", 1_000],
          [2, "agent", "line 2", 2_000],
          [3, "caller", "line 3", 3_000]
        ]
      )
    })
  )

  it.effect("an end from an older engine, which did not measure talk, leaves the talk ratio unknown", () =>
    Effect.gen(function* () {
      const { calls, call, base, organizationId } = yield* ringing()
      const { falseInterruptions, callerTalkMs, agentTalkMs, ...older } = endEvent(base)
      yield* calls.apply(older)
      const after = yield* calls.find(organizationId, call.id)
      assert.deepStrictEqual([after?.falseInterruptions, after?.talkRatio], [0, null])
    })
  )

  it.effect("a callback delivered again, also at the same time, changes nothing", () =>
    Effect.gen(function* () {
      const { calls, call, base, organizationId } = yield* ringing()
      const events = [startedEvent(base), said(base, 1, "hello"), endEvent(base)]
      yield* Effect.all(
        [...events, ...events, ...events].map((event) => calls.apply(event)),
        { concurrency: 5 }
      )
      assert.lengthOf(yield* calls.utterances(organizationId, call.id), 1)
      assert.strictEqual((yield* calls.find(organizationId, call.id))?.status, "completed")
    })
  )

  it.effect("a start that arrives after the end does not reopen the call", () =>
    Effect.gen(function* () {
      const { calls, call, base, organizationId } = yield* ringing()
      yield* calls.apply(endEvent(base))
      yield* calls.apply(startedEvent(base))
      const record = yield* calls.find(organizationId, call.id)
      assert.deepStrictEqual([record?.status, record?.startedAt], ["completed", "2026-05-01T10:00:00.000Z"])
    })
  )

  it.effect("a call that breaks before it is answered counts as failed, and one that breaks later as completed", () =>
    Effect.gen(function* () {
      const early = yield* ringing()
      const broken = { ...endEvent(early.base), endReason: "provider_failure", durationSeconds: 0 } as CallEvent
      yield* early.calls.apply(broken)
      assert.strictEqual((yield* early.calls.find(early.organizationId, early.call.id))?.status, "failed")
      const late = yield* ringing()
      yield* late.calls.apply({ ...endEvent(late.base), endReason: "provider_failure" } as CallEvent)
      const record = yield* late.calls.find(late.organizationId, late.call.id)
      assert.deepStrictEqual([record?.status, record?.endReason], ["completed", "provider_failure"])
    })
  )

  it.effect("the agent takes the conversation, and a handover gives it back open, in whatever order they arrive", () =>
    Effect.gen(function* () {
      const orders = [
        ["start", "handoff"],
        ["handoff", "start"]
      ]
      for (const order of orders) {
        const { calls, base, organizationId } = yield* ringing()
        const handoff: CallEvent = {
          type: "handoff",
          id: `evt_${base.callId}_h`,
          ...base,
          reason: "asked for a person"
        }
        for (const step of order) {
          yield* calls.apply(step === "start" ? startedEvent(base) : handoff)
          const [{ status, assignedAgentId }] = yield* conversations(organizationId)
          if (step === "start" && order[0] === "start")
            assert.deepStrictEqual([status, assignedAgentId], ["ASSIGNED", base.agentId])
        }
        const [{ status, assignedAgentId }] = yield* conversations(organizationId)
        assert.deepStrictEqual([status, assignedAgentId], ["OPEN", null])
      }
    })
  )

  it.effect("an agent never takes back a conversation that it hands over at the same moment", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const { calls, base, organizationId } = yield* ringing()
        const handoff: CallEvent = {
          type: "handoff",
          id: `evt_${base.callId}_h`,
          ...base,
          reason: "asked for a person"
        }
        yield* Effect.all([calls.apply(startedEvent(base)), calls.apply(handoff)], { concurrency: 2 })
        const [{ status, assignedAgentId }] = yield* conversations(organizationId)
        assert.deepStrictEqual([status, assignedAgentId], ["OPEN", null])
      }
    })
  )

  it.effect("an end and the provider's report of it at the same moment are both recorded", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const { calls, call, base, organizationId } = yield* ringing()
        yield* calls.apply(startedEvent(base))
        const at = Date.parse("2026-05-01T10:01:02.000Z")
        const news = { status: "completed", sequence: 4, at, durationSeconds: 62, failureReason: null } as const
        yield* Effect.all([calls.apply(endEvent(base)), calls.told(organizationId, { id: call.id }, news)], {
          concurrency: 2
        })
        const record = yield* calls.find(organizationId, call.id)
        assert.deepInclude(record, {
          status: "completed",
          endReason: "caller_hangup",
          endedAt: "2026-05-01T10:01:02.000Z",
          durationSeconds: 62,
          interruptions: 1
        })
      }
    })
  )

  it.effect("an end searches the waiting lines only for calls that may have gone to a human", () =>
    Effect.gen(function* () {
      const { calls, base } = yield* ringing()
      assert.isFalse((yield* calls.apply(endEvent(base))).transferred)
      // The end is reported again, as happens when the answer got lost.
      assert.isFalse((yield* calls.apply(endEvent(base))).transferred)
      const other = yield* ringing()
      const transfers = yield* Transfers
      const { organizationId, callId } = other.base
      const wanted = { organizationId, callId, toolCallId: "tool_1", destination: "+14155550199" }
      yield* transfers.request(wanted, Date.now(), { arrivalMs: 1_000, talkMs: 1_000 })
      assert.isTrue((yield* other.calls.apply(endEvent(other.base))).transferred)
      assert.isTrue((yield* other.calls.apply(endEvent(other.base))).transferred)
    })
  )

  it.effect("flagged words are kept in the audit log only, and the conversation waits for a person", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { calls, call, base, organizationId } = yield* ringing()
      yield* calls.apply(startedEvent(base))
      yield* calls.apply({
        type: "moderation",
        id: `evt_${call.id}_m`,
        ...base,
        direction: "input",
        text: "something bad",
        categories: ["harassment"]
      })
      const log = yield* tenant(organizationId)(sql`SELECT action, subject_id, details FROM audit_log`)
      assert.deepStrictEqual(log, [
        {
          action: "call.moderation",
          subjectId: call.id,
          details: { direction: "input", text: "something bad", categories: ["harassment"] }
        }
      ])
      assert.isEmpty(yield* calls.utterances(organizationId, call.id))
      const [{ status, flagged }] = yield* conversations(organizationId)
      assert.deepStrictEqual([status, flagged], ["OPEN", true])
    })
  )

  it.effect("words that the database cannot hold are stored as far as possible, and later words are stored too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { calls, call, base, organizationId } = yield* ringing()
      const odd = "a\0b\ud800c 😀"
      yield* calls.apply(startedEvent(base))
      yield* calls.apply(said(base, 1, odd))
      const flag = { direction: "input", text: odd, categories: [] } as const
      yield* calls.apply({ type: "moderation", id: `evt_${call.id}_m`, ...base, ...flag })
      yield* calls.apply({ type: "handoff", id: `evt_${call.id}_h`, ...base, reason: odd })
      yield* calls.apply(endEvent(base))
      const kept = "a\uFFFDb\uFFFDc 😀"
      assert.deepStrictEqual(
        (yield* calls.utterances(organizationId, call.id)).map(({ text }) => text),
        [kept]
      )
      const log = yield* tenant(organizationId)(sql<{ details: object }>`SELECT details FROM audit_log ORDER BY id`)
      assert.deepStrictEqual(
        log.map(({ details }) => details),
        [{ ...flag, text: kept }, { reason: kept }]
      )
      assert.strictEqual((yield* calls.find(organizationId, call.id))?.endReason, "caller_hangup")
    })
  )

  it.effect("an event for an unknown call or another organization's call is ignored", () =>
    Effect.gen(function* () {
      const mine = yield* ringing()
      const theirs = yield* newOrganization()
      yield* mine.calls.apply(said({ ...mine.base, callId: "call_unknown" }, 1, "lost"))
      yield* mine.calls.apply(said({ ...mine.base, organizationId: theirs.id }, 1, "foreign"))
      assert.isEmpty(yield* mine.calls.utterances(mine.organizationId, mine.call.id))
      assert.isUndefined(yield* mine.calls.find(theirs.id, mine.call.id))
    })
  )

  it.effect("a call that nobody answered is closed once, and a later report does not change how it ended", () =>
    Effect.gen(function* () {
      const { calls, call, organizationId } = yield* ringing()
      yield* calls.close(organizationId, call.id, "busy", "capacity")
      yield* calls.close(organizationId, call.id, "failed", "error")
      const record = yield* calls.find(organizationId, call.id)
      assert.deepStrictEqual([record?.status, record?.endReason], ["busy", "capacity"])
      assert.isNotNull(record?.endedAt)
    })
  )

  it.effect("a tool call is kept once, with its first result", () =>
    Effect.gen(function* () {
      const { calls, call, organizationId } = yield* ringing()
      const entry = {
        id: "tool_1",
        name: "weather",
        arguments: "{}",
        result: "sunny",
        outcome: "ok",
        durationMs: 12
      } as const
      yield* calls.recordToolCall(organizationId, call.id, entry)
      yield* calls.recordToolCall(organizationId, call.id, { ...entry, result: "rain" })
      assert.deepInclude(yield* calls.findToolCall(organizationId, call.id, "tool_1"), entry)
      assert.lengthOf(yield* calls.toolCalls(organizationId, call.id), 1)
      assert.isUndefined(yield* calls.findToolCall(organizationId, call.id, "tool_2"))
      // A binary answer: text columns cannot hold U+0000.
      yield* calls.recordToolCall(organizationId, call.id, { ...entry, id: "tool_3", result: "a\0b" })
      assert.strictEqual((yield* calls.findToolCall(organizationId, call.id, "tool_3"))?.result, "a\uFFFDb")
      // Begun before it runs, and ended once: who asks meanwhile is told that it was begun.
      const begun = { id: "tool_4", name: "book", arguments: "{}" }
      assert.isUndefined(yield* calls.beginToolCall(organizationId, call.id, begun))
      const unknown = { ...begun, begun: true, outcome: "error", result: toolUnfinished } as const
      assert.deepInclude(yield* calls.beginToolCall(organizationId, call.id, begun), unknown)
      yield* calls.recordToolCall(organizationId, call.id, { ...entry, id: "tool_4", result: "booked" })
      yield* calls.recordToolCall(organizationId, call.id, { ...entry, id: "tool_4", result: "booked twice" })
      const ended = { begun: false, outcome: "ok", result: "booked", durationMs: 12 } as const
      assert.deepInclude(yield* calls.beginToolCall(organizationId, call.id, begun), ended)
    })
  )

  it.effect(
    "a call that comes back to its agent knows which notices the agent was told, if a tool has promised some",
    () =>
      Effect.gen(function* () {
        const { calls, call, organizationId } = yield* ringing()
        const notices = yield* CallNotices
        const sql = yield* SqlClient.SqlClient
        const told = (until: number) => notices.toldUntil(organizationId, call.id, until)
        const notice = (minute: number) =>
          tenant(organizationId)(
            sql`INSERT INTO call_notices (organization_id, call_id, text, created_at)
            VALUES (${organizationId}, ${call.id}, 'It was paid.', ${new Date(minute * 60_000)})`
          )
        yield* notice(1)
        yield* notice(3)
        assert.isUndefined(yield* told(2 * 60_000))
        // Whoever ran the tool may have died after the link was made and before the tool call was stored.
        const link = yield* tenant(organizationId)(
          sql<{
            id: string
          }>`INSERT INTO payment_links (organization_id, id, provider, status, amount, currency, description, call_id, created_by,
              expires_at, created_at, updated_at)
            VALUES (${organizationId}, ${`pay_${call.id}`}, 'stripe', 'created', 100, 'USD', 'Order 1', ${call.id}, 'agt_1', now(), now(), now()) RETURNING id`
        )
        assert.isDefined(yield* told(2 * 60_000))
        yield* tenant(organizationId)(sql`DELETE FROM payment_links WHERE id = ${link[0].id}`)
        const entry = {
          id: "tool_1",
          name: "pay",
          arguments: "{}",
          result: "Wait.",
          outcome: "ok",
          durationMs: 1
        } as const
        yield* calls.recordToolCall(organizationId, call.id, { ...entry, tellsLater: true })
        assert.deepInclude(yield* calls.findToolCall(organizationId, call.id, "tool_1"), { tellsLater: true })
        const [first, second] = yield* notices.after(organizationId, call.id, 0)
        assert.deepStrictEqual(
          [yield* told(0), yield* told(2 * 60_000), yield* told(4 * 60_000)],
          [0, first.position, second.position]
        )
      })
  )

  it.effect("a call's recordings are shown as one, each once, in the order in which they began", () =>
    Effect.gen(function* () {
      const { calls, base, call, organizationId } = yield* ringing()
      assert.isNull(call.recording)
      const recording = (id: string, seconds: number): CallEvent => ({
        type: "recording",
        id,
        ...base,
        key: recordingKey(organizationId, call.id, id),
        bytes: 44 + seconds * 32_000,
        durationMs: seconds * 1_000
      })
      yield* calls.apply(endEvent(base))
      // The second recording was stored first, and reported twice.
      yield* calls.apply(recording("rec_2", 2))
      yield* calls.apply(recording("rec_1", 1))
      yield* calls.apply(recording("rec_2", 2))
      const url = `/api/calls/${call.id}/recording`
      const found = yield* calls.find(organizationId, call.id)
      assert.deepStrictEqual(found?.recording, { url, durationSeconds: 3, bytes: 44 + 96_000 })
      assert.strictEqual(found?.endReason, "caller_hangup")
      assert.deepStrictEqual(
        (yield* calls.recordings(organizationId, call.id)).map(({ key }) => key),
        ["rec_1", "rec_2"].map((id) => recordingKey(organizationId, call.id, id))
      )
    })
  )

  it.effect("a recording is never found for another organization or another call", () =>
    Effect.gen(function* () {
      const { calls, base, call, organizationId } = yield* ringing()
      const other = yield* ringing()
      const event = (key: ObjectKey): CallEvent => ({
        type: "recording",
        id: unique(),
        ...base,
        key,
        bytes: 100,
        durationMs: 1
      })
      yield* calls.apply(event(recordingKey(other.organizationId, other.call.id, "rec_1")))
      yield* calls.apply(event(recordingKey(organizationId, other.call.id, "rec_1")))
      assert.deepStrictEqual(yield* calls.recordings(organizationId, call.id), [])
      yield* calls.apply(event(recordingKey(organizationId, call.id, "rec_1")))
      assert.deepStrictEqual(yield* calls.recordings(other.organizationId, call.id), [])
      assert.lengthOf(yield* calls.recordings(organizationId, call.id), 1)
    })
  )

  it.effect("the calls of an agent are listed newest first, page by page", () =>
    Effect.gen(function* () {
      const { calls, call, input, organizationId } = yield* ringing()
      const second = yield* calls.open({ ...input, callSid: `CA${unique()}` })
      const third = yield* calls.open({ ...input, callSid: `CA${unique()}` })
      const first = yield* calls.list(organizationId, 1, 2, { agentId: input.agentId! })
      assert.deepStrictEqual([first.total, first.data.map(({ id }) => id)], [3, [third.call.id, second.call.id]])
      const rest = yield* calls.list(organizationId, 2, 2, { agentId: input.agentId! })
      assert.deepStrictEqual(rest.data, [call])
    })
  )
})
