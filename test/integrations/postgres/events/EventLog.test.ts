/** Every change of contacts and calls writes its event in the transaction of the change. An erased contact leaves no event. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { newId } from "../../../../src/domain/basics/Ids.ts"
import { EventWakeUp, makeEventWakeUp } from "../../../../src/domain/events/EventWakeUp.ts"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { ContactErasure } from "../../../../src/domain/privacy/ContactErasure.ts"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { Placements } from "../../../../src/domain/voice/calls/outbound/Placement.ts"
import { type CallRecord, Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import type { EndReason } from "../../../../src/domain/voice/engine/EndReason.ts"
import { recordingKey } from "../../../../src/domain/voice/engine/Recordings.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { agentOf, newOrganization, testStores } from "../../../support/tenants.ts"

interface Logged {
  readonly type: string
  readonly data: Record<string, Record<string, unknown>>
  readonly withdrawn: boolean
}

const log = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* tenant(organizationId)(
    sql<Logged>`SELECT type, data, withdrawn FROM events ORDER BY transaction, position`
  )
})
const types = (organizationId: string) => Effect.map(log(organizationId), (events) => events.map(({ type }) => type))

const office = Effect.gen(function* () {
  const stores = yield* Layer.build(testStores)
  const { id } = yield* newOrganization().pipe(Effect.provide(stores))
  return { id, stores }
})

const phone = "+14155550101"

const end = (call: CallRecord, endReason: EndReason, id: string, at = "2026-11-21T10:00:30.000Z") =>
  Effect.flatMap(Calls, (calls) =>
    calls.apply({
      type: "call_end",
      id,
      organizationId: call.organizationId,
      agentId: "",
      callId: call.id,
      endReason,
      endedAt: at,
      durationSeconds: 30,
      interruptions: 0,
      toolCalls: 0,
      turns: []
    })
  )
const begin = (call: CallRecord, id: string) =>
  Effect.flatMap(Calls, (calls) =>
    calls.apply({
      type: "call_started",
      id,
      organizationId: call.organizationId,
      agentId: "",
      callId: call.id,
      startedAt: "2026-11-21T10:00:00.000Z"
    })
  )
const inbound = (organizationId: string, callSid: string) =>
  Effect.flatMap(Calls, (calls) =>
    calls.open({
      organizationId,
      agentId: null,
      direction: "inbound",
      status: "ringing",
      from: phone,
      to: "+14155550100",
      callSid
    })
  )

describe("the event log", () => {
  it.live("has one event for each change of a contact, and none for a save that changed nothing", () =>
    Effect.gen(function* () {
      const { id, stores } = yield* office
      yield* Effect.gen(function* () {
        const contacts = yield* Contacts
        const asha = yield* contacts.create(id, { phone, name: "Asha", optedIn: true }, "key")
        yield* contacts.update(id, asha.id, { name: "Asha" }, "key")
        yield* contacts.update(id, asha.id, { name: "Asha Rao", optedIn: false }, "key")
        yield* contacts.setArchived(id, asha.id, true)
        yield* contacts.setArchived(id, asha.id, true)
        yield* contacts.save(id, { phone, tags: ["vip"] }, "key")
        const told = yield* log(id)
        assert.deepStrictEqual(
          told.map(({ type }) => type),
          [
            "contact.created",
            "contact.opted_in",
            "contact.updated",
            "contact.opted_out",
            "contact.archived",
            "contact.restored",
            "contact.updated"
          ]
        )
        assert.deepStrictEqual(told[0].data.contact, { ...asha })
        assert.deepInclude(told[6].data.contact, { name: "Asha Rao", tags: ["vip"], archivedAt: null })
      }).pipe(Effect.provide(stores))
    }).pipe(Effect.scoped)
  )

  it.live("has no event of a change that was rolled back, and wakes its readers only after the commit", () =>
    Effect.gen(function* () {
      const { id, stores } = yield* office
      const wakeUp = makeEventWakeUp()
      let woken = 0
      wakeUp.listen(() => void woken++, { relayed: false })
      yield* Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* contacts.create(id, { phone }, "key")
        assert.strictEqual(woken, 1)
        const taken = yield* Effect.flip(contacts.create(id, { phone }, "key"))
        assert.strictEqual(taken._tag, "DuplicateContact")
        const undone = tenant(id)(
          Effect.andThen(contacts.create(id, { phone: "+14155550102" }, "key"), Effect.fail("undo" as const))
        )
        assert.strictEqual(yield* Effect.flip(undone), "undo")
        assert.strictEqual(woken, 1)
        assert.deepStrictEqual(yield* types(id), ["contact.created"])
      }).pipe(Effect.provide(stores), Effect.provideService(EventWakeUp, wakeUp))
    }).pipe(Effect.scoped)
  )

  it.live(
    "has an event when an agent takes a call, when its end is fully known, and again when the call has returned",
    () =>
      Effect.gen(function* () {
        const { id, stores } = yield* office
        yield* Effect.gen(function* () {
          const calls = yield* Calls
          const { call } = yield* inbound(id, "CA1")
          yield* inbound(id, "CA1")
          yield* begin(call, "e1")
          yield* begin(call, "e1")
          const over = {
            status: "completed",
            sequence: 3,
            at: Date.now(),
            durationSeconds: 31,
            failureReason: null
          } as const
          yield* calls.told(id, { callSid: "CA1" }, over)
          assert.notInclude(yield* types(id), "call.ended", "the engine has not told how it ended")
          yield* end(call, "agent_hangup", "e2")
          yield* calls.apply({
            type: "recording",
            id: "e3",
            organizationId: id,
            agentId: "",
            callId: call.id,
            key: recordingKey(id, call.id, "RE1"),
            bytes: 10,
            durationMs: 1_000
          })
          const { call: second } = yield* inbound(id, "CA4")
          yield* begin(second, "e4")
          yield* end(second, "transferred", "e5")
          yield* calls.resumed(id, second.id)
          yield* end(second, "caller_hangup", "e6", "2026-11-21T10:01:30.000Z")
          const told = yield* log(id)
          const of = (callId: string) => told.filter(({ data }) => data.call?.id === callId)
          assert.deepStrictEqual(
            of(call.id).map(({ type }) => type),
            ["call.started", "call.ended", "call.recorded"]
          )
          assert.deepInclude(of(call.id)[1].data.call, { endReason: "agent_hangup", durationSeconds: 31 })
          assert.deepStrictEqual(
            of(second.id).map(({ type, data }) => [type, data.call.endReason, data.call.durationSeconds]),
            [
              ["call.started", null, null],
              ["call.ended", "transferred", 30],
              ["call.ended", "caller_hangup", 90]
            ]
          )
        }).pipe(Effect.provide(stores))
      }).pipe(Effect.scoped)
  )

  it.live("has one event of a call's end when the provider tells that end before the engine tells the beginning", () =>
    Effect.gen(function* () {
      const { id, stores } = yield* office
      yield* Effect.gen(function* () {
        const calls = yield* Calls
        const { call } = yield* inbound(id, "CA_short")
        const over = {
          status: "completed",
          sequence: 3,
          at: Date.now(),
          durationSeconds: 1,
          failureReason: null
        } as const
        yield* calls.told(id, { callSid: "CA_short" }, over)
        yield* begin(call, "e1")
        yield* end(call, "caller_hangup", "e2")
        yield* calls.told(id, { callSid: "CA_short" }, over)
        const told = (yield* log(id)).filter(({ type }) => type === "call.ended")
        assert.deepStrictEqual(
          told.map(({ data }) => data.call.endReason),
          ["caller_hangup"]
        )
      }).pipe(Effect.provide(stores))
    }).pipe(Effect.scoped)
  )

  it.live("describes a new caller's contact, conversation and call as the lists show them", () =>
    Effect.gen(function* () {
      const { id, stores } = yield* office
      yield* Effect.gen(function* () {
        const calls = yield* Calls
        const contacts = yield* Contacts
        const conversations = yield* Conversations
        const { call } = yield* calls.open({
          organizationId: id,
          agentId: null,
          direction: "inbound",
          status: "failed",
          endReason: "error",
          from: phone,
          to: "+14155550100",
          callSid: "CA_new"
        })
        assert.deepStrictEqual(yield* calls.find(id, call.id), call)
        const contact = yield* contacts.find(id, call.contactId ?? "")
        const { data } = yield* conversations.list(id, {}, { limit: 10, page: 1 }, Date.now())
        assert.deepStrictEqual(
          (yield* log(id)).map((event) => [event.type, event.data]),
          [
            ["contact.created", { contact }],
            ["conversation.created", { conversation: data[0] }],
            ["call.ended", { call }]
          ] as unknown
        )
      }).pipe(Effect.provide(stores))
    })
  )

  it.live("describes a call as the lists show it when its agent takes it and when it ends", () =>
    Effect.gen(function* () {
      const { id, stores } = yield* office
      yield* Effect.gen(function* () {
        const calls = yield* Calls
        const conversations = yield* Conversations
        const agent = agentOf(id)
        yield* (yield* VoiceAgents).create(agent)
        const { call } = yield* calls.open({
          organizationId: id,
          agentId: agent.id,
          direction: "inbound",
          status: "ringing",
          from: phone,
          to: "+14155550100",
          callSid: "CA_taken"
        })
        const before = (yield* log(id)).length
        const news = Effect.map(log(id), (events) => events.slice(before).map(({ type, data }) => [type, data]))
        yield* begin(call, "evt_begin")
        const { data } = yield* conversations.list(id, {}, { limit: 10, page: 1 }, Date.now())
        assert.strictEqual(data[0].assignee, agent.id)
        const started = [
          ["conversation.assigned", { conversation: data[0] }],
          ["call.started", { call: yield* calls.find(id, call.id) }]
        ]
        assert.deepStrictEqual(yield* news, started as unknown)
        yield* end(call, "caller_hangup", "evt_end")
        const ended = ["call.ended", { call: yield* calls.find(id, call.id) }]
        assert.deepStrictEqual(yield* news, [...started, ended] as unknown)
      }).pipe(Effect.provide(stores))
    })
  )

  it.live("has the end of calls that never began: refused, given up in the queue, not answered", () =>
    Effect.gen(function* () {
      const { id, stores } = yield* office
      yield* Effect.gen(function* () {
        const calls = yield* Calls
        const placements = yield* Placements
        const { call } = yield* inbound(id, "CA2")
        yield* calls.close(id, call.id, "busy", "capacity")
        yield* calls.close(id, call.id, "busy", "capacity")
        const agent = agentOf(id)
        yield* Effect.flatMap(VoiceAgents, (agents) => agents.create(agent))
        const order = { organizationId: id, agentId: agent.id, from: "+14155550100", to: phone, dealId: null }
        const until = { callId: newId("call"), concurrentCalls: 5, notAfter: Date.now() + 1_000 }
        const wanted = yield* placements.request({ ...order, ...until }, Date.now())
        yield* placements.refused(id, wanted.id, "error", "The provider refused the number.")
        const ended = (yield* log(id)).filter(({ type }) => type === "call.ended")
        assert.deepStrictEqual(
          ended.map(({ data }) => [data.call.status, data.call.failureReason]),
          [
            ["busy", null],
            ["failed", "The provider refused the number."]
          ]
        )
      }).pipe(Effect.provide(stores))
    }).pipe(Effect.scoped)
  )

  it.live("loses the contents of an erased contact's events, including its calls, and keeps their positions", () =>
    Effect.gen(function* () {
      const { id, stores } = yield* office
      yield* Effect.gen(function* () {
        const contacts = yield* Contacts
        const { call } = yield* inbound(id, "CA3")
        yield* begin(call, "e1")
        yield* end(call, "caller_hangup", "e2")
        const other = yield* contacts.create(id, { phone: "+14155550109" }, "key")
        const before = yield* types(id)
        yield* (yield* ContactErasure).erase(id, call.contactId ?? "")
        const after = yield* log(id)
        assert.deepStrictEqual(
          after.map(({ type }) => type),
          [...before, "contact.erased"]
        )
        assert.notInclude(JSON.stringify(after), phone)
        assert.strictEqual(JSON.stringify(after.at(-1)?.data), JSON.stringify({ contact: { id: call.contactId } }))
        assert.strictEqual(after.filter(({ withdrawn }) => !withdrawn).length, 2)
        assert.isTrue(after.some(({ data }) => data.contact?.id === other.id))
      }).pipe(Effect.provide(stores))
    }).pipe(Effect.scoped)
  )
})
