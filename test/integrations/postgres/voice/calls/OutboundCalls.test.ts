/** The record of calls we place, which joins the provider's and the engine's reports, and the ledger of consents. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { consentInForce, VoiceConsents } from "../../../../../src/domain/people/contacts/VoiceConsent.ts"
import { Placements } from "../../../../../src/domain/voice/calls/outbound/Placement.ts"
import { type CallNews, Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { savedContact } from "../../../../support/contacts.ts"
import { caller, requests } from "../../../../support/outbound.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

const placedCall = Effect.gen(function* () {
  const { organizationId, agent, contact } = yield* caller()
  const request = yield* requests()
  const call = yield* request(organizationId, agent.id, { to: contact.phone })
  const placements = yield* Placements
  const callSid = `CA of ${call.id}`
  yield* placements.placed(organizationId, call.id, callSid)
  return { organizationId, agent, call, callSid, calls: yield* Calls }
})
type Placed = Effect.Success<typeof placedCall>

const news = (status: CallNews["status"], sequence: number, durationSeconds: number | null = null): CallNews => ({
  status,
  sequence,
  at: Date.parse("2026-05-01T10:01:01.000Z"),
  durationSeconds,
  failureReason: null
})

const engineEnd = ({ organizationId, agent, call, calls }: Placed) =>
  calls.apply({
    type: "call_end",
    id: `evt_${call.id}_end`,
    organizationId,
    agentId: agent.id,
    callId: call.id,
    endReason: "agent_hangup",
    endedAt: "2026-05-01T10:01:00.000Z",
    durationSeconds: 59.4,
    turns: [],
    interruptions: 0,
    toolCalls: 0
  })

layer(testStores)("the record of a call we placed", (it) => {
  it.effect("is the same whether the provider or the engine reports last", () =>
    Effect.gen(function* () {
      type Word = (call: Placed) => Effect.Effect<unknown>
      const words: ReadonlyArray<Word> = [
        ({ calls, organizationId, call }) => calls.told(organizationId, { id: call.id }, news("ringing", 1)),
        ({ calls, organizationId, callSid }) => calls.told(organizationId, { callSid }, news("in_progress", 2)),
        ({ calls, organizationId, callSid }) => calls.told(organizationId, { callSid }, news("completed", 3, 61)),
        engineEnd
      ]
      for (const order of fc.sample(fc.shuffledSubarray([...words], { minLength: 4 }), { numRuns: 12, seed: 6 })) {
        const placed = yield* placedCall
        for (const say of [...order, order[0]]) yield* say(placed)
        const record = yield* placed.calls.find(placed.organizationId, placed.call.id)
        assert.deepInclude(record, {
          status: "completed",
          endReason: "agent_hangup",
          durationSeconds: 61,
          endedAt: "2026-05-01T10:01:01.000Z"
        })
      }
    })
  )

  it.effect("says that nobody answered, without an end from the engine", () =>
    Effect.gen(function* () {
      const { calls, organizationId, callSid, call } = yield* placedCall
      const told = yield* calls.told(organizationId, { callSid }, news("no_answer", 2, 0))
      assert.deepInclude(told, { id: call.id, status: "no_answer", endReason: null, durationSeconds: 0 })
      yield* calls.told(organizationId, { callSid }, news("ringing", 1))
      assert.deepInclude(yield* calls.find(organizationId, call.id), { status: "no_answer" })
    })
  )

  it.effect("cannot be changed by another organization, and reports of an unknown call change nothing", () =>
    Effect.gen(function* () {
      const { calls, organizationId, callSid, call } = yield* placedCall
      const { id: stranger } = yield* newOrganization()
      assert.isUndefined(yield* calls.told(stranger, { callSid }, news("completed", 3)))
      assert.isUndefined(yield* calls.told(organizationId, { id: "call_unknown" }, news("completed", 3)))
      assert.isFalse(yield* (yield* Placements).placed(stranger, call.id, callSid))
      assert.deepInclude(yield* calls.find(organizationId, call.id), { status: "queued" })
    })
  )

  it.effect("does not take the provider's id of another call", () =>
    Effect.gen(function* () {
      const { organizationId, agent, callSid, call } = yield* placedCall
      const placements = yield* Placements
      const other = yield* (yield* requests())(organizationId, agent.id, { to: call.to })
      assert.isFalse(yield* placements.placed(organizationId, other.id, callSid))
      assert.isTrue(yield* placements.placed(organizationId, call.id, callSid))
    })
  )

  it.effect("is listed as unfinished until the call ends, and is not listed again at once", () =>
    Effect.gen(function* () {
      const { calls, organizationId, callSid, call } = yield* placedCall
      const later = Date.now() + 600_000
      const isUnfinished = (askedBefore: number) =>
        Effect.map(calls.unfinished(later, askedBefore), (found) => found.some(({ id }) => id === call.id))
      assert.isTrue(yield* isUnfinished(later))
      yield* calls.asked(organizationId, call.id, later)
      assert.isFalse(yield* isUnfinished(later))
      assert.isTrue(yield* isUnfinished(later + 1))
      yield* calls.told(organizationId, { callSid }, news("busy", 2))
      assert.isFalse(yield* isUnfinished(later + 1))
    })
  )
})

layer(testStores)("the ledger of consents", (it) => {
  const evidence = {
    action: "granted",
    at: "2026-05-01T10:00:00.000Z",
    source: "web form",
    text: "Yes, call me.",
    recordedBy: "key_1"
  } as const

  it.effect("keeps every entry, adds a repeated one once, and outlives the contact", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const [consents, sql] = [yield* VoiceConsents, yield* SqlClient.SqlClient]
      const contact = yield* savedContact(organizationId, { phone: "+14155550142" })
      yield* consents.record(contact, evidence)
      yield* consents.record(contact, evidence)
      assert.lengthOf(yield* consents.history(organizationId, contact.phone), 1)
      yield* consents.record(contact, { ...evidence, action: "withdrawn", at: "2026-05-02T10:00:00.000Z" })
      yield* consents.record(contact, { ...evidence, at: "2026-05-03T10:00:00.000Z" })

      yield* tenant(organizationId)(sql`DELETE FROM contacts WHERE id = ${contact.id}`)
      const again = yield* savedContact(organizationId, { phone: contact.phone, name: "Asha" })
      assert.notStrictEqual(again.id, contact.id)
      const history = yield* consents.history(organizationId, again.phone)
      assert.deepStrictEqual(
        history.map(({ action }) => action),
        ["granted", "withdrawn", "granted"]
      )
      assert.deepInclude(consentInForce(history), { ...evidence, at: "2026-05-03T10:00:00.000Z" })
    })
  )

  it.effect("cannot be changed, does not contain the number, and is hidden from other organizations", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const { id: stranger } = yield* newOrganization()
      const [consents, sql] = [yield* VoiceConsents, yield* SqlClient.SqlClient]
      const contact = yield* savedContact(organizationId, { phone: "+14155550143" })
      yield* consents.record(contact, evidence)
      const own = tenant(organizationId)
      yield* Effect.flip(own(sql`UPDATE consents SET text = 'no'`))
      yield* Effect.flip(own(sql`DELETE FROM consents`))
      assert.notInclude(JSON.stringify(yield* own(sql`SELECT consents::text FROM consents`)), "4155550143")
      assert.isEmpty(yield* consents.history(stranger, contact.phone))
    })
  )
})
