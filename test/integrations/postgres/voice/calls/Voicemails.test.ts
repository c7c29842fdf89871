import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { newId } from "../../../../../src/domain/basics/Ids.ts"
import { Voicemails } from "../../../../../src/domain/voice/calls/inbound/Voicemail.ts"
import { Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

const leaseMs = 60_000
const later = 10 * leaseMs

/** A call outside business hours, and the message left in it. */
const left = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const callSid = newId("call")
  const { call } = yield* (yield* Calls).open({
    organizationId,
    agentId: null,
    direction: "inbound",
    status: "completed",
    endReason: "outside_hours",
    from: "+14155550100",
    to: "+14155550123",
    callSid
  })
  return { organizationId, callId: call.id, callSid, accountSid: "AC1", recordingSid: newId("rec") }
})

layer(testStores)("voicemails in Postgres", (it) => {
  it.effect("are recorded once, and only for a call of the organization", () =>
    Effect.gen(function* () {
      const voicemails = yield* Voicemails
      const message = yield* left
      assert.isTrue(yield* voicemails.received(message, 0))
      assert.isTrue(yield* voicemails.received(message, 5))
      assert.isFalse(yield* voicemails.received({ ...message, callSid: "CA9", recordingSid: "RE9" }, 0))
      const stranger = yield* newOrganization()
      assert.isFalse(yield* voicemails.received({ ...message, organizationId: stranger.id }, 0))
      const claimed = yield* voicemails.claim(0, leaseMs, 100)
      assert.deepStrictEqual(
        claimed.filter(({ callId }) => callId === message.callId),
        [
          {
            organizationId: message.organizationId,
            callId: message.callId,
            agentId: null,
            accountSid: "AC1",
            recordingSid: message.recordingSid,
            step: "fetch",
            erased: false,
            attempts: 0
          }
        ]
      )
    })
  )

  it.effect("of all organizations are given to one worker at a time, and to another when that worker has died", () =>
    Effect.gen(function* () {
      const voicemails = yield* Voicemails
      const messages = yield* Effect.all([left, left, left])
      yield* Effect.forEach(messages, (message) => voicemails.received(message, later))
      const claim = (now: number) =>
        Effect.map(voicemails.claim(now, leaseMs, 100), (claimed) =>
          claimed.filter(({ recordingSid }) => messages.some((message) => message.recordingSid === recordingSid))
        )
      assert.lengthOf(yield* claim(later - 1), 0)
      const workers = yield* Effect.all([claim(later), claim(later), claim(later)], { concurrency: "unbounded" })
      assert.sameMembers(
        workers.flat().map(({ recordingSid }) => recordingSid),
        messages.map(({ recordingSid }) => recordingSid)
      )
      assert.lengthOf(yield* claim(later + leaseMs - 1), 0)
      assert.lengthOf(yield* claim(later + leaseMs), 3)
    })
  )

  it.effect("are not fetched when the provider turns out to have none, whichever report comes first", () =>
    Effect.gen(function* () {
      const voicemails = yield* Voicemails
      const [before, after, fetched] = yield* Effect.all([left, left, left])
      yield* voicemails.absent(before, 0)
      yield* voicemails.received(before, 0)
      yield* voicemails.received(after, 0)
      yield* voicemails.absent(after, 0)
      yield* voicemails.received(fetched, 0)
      const [claimed] = (yield* voicemails.claim(later, leaseMs, 100)).filter(({ callId }) => callId === fetched.callId)
      yield* voicemails.advance(claimed, "transcribe", later)
      yield* voicemails.absent(fetched, later)
      const open = yield* voicemails.claim(later + leaseMs, leaseMs, 100)
      const sids = [before, after, fetched].map(({ recordingSid }) => recordingSid)
      assert.deepStrictEqual(
        open.map(({ recordingSid }) => recordingSid).filter((sid) => sids.includes(sid)),
        [fetched.recordingSid]
      )
    })
  )

  it.effect("go from step to step, wait after a failure, and are given up in the end", () =>
    Effect.gen(function* () {
      const voicemails = yield* Voicemails
      const { recordingSid, ...rest } = yield* left
      const message = { ...rest, recordingSid }
      yield* voicemails.received(message, 0)
      const claim = (now: number) =>
        Effect.map(voicemails.claim(now, leaseMs, 100), (claimed) =>
          claimed.find((claimed) => claimed.recordingSid === recordingSid)
        )
      const first = yield* claim(later)
      assert.isDefined(first)
      yield* voicemails.postpone(first, 2 * later, "not there yet")
      assert.isUndefined(yield* claim(2 * later - 1))
      assert.deepInclude(yield* claim(2 * later), { step: "fetch", attempts: 1 })
      yield* voicemails.advance(first, "transcribe", 2 * later)
      assert.deepInclude(yield* claim(2 * later), { step: "transcribe", attempts: 0 })
      yield* voicemails.advance(first, "done", 2 * later)
      assert.isUndefined(yield* claim(9 * later))
    })
  )
})
