/** Asking the provider for calls whose callbacks are lost. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { RingingCalls } from "../../../../../src/domain/voice/calls/outbound/RingingCalls.ts"
import { makeTrackCalls } from "../../../../../src/domain/voice/calls/outbound/TrackCalls.ts"
import { Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { Transfers } from "../../../../../src/domain/voice/calls/records/Transfer.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { caller, dialer, FakeProviderCalls, requests } from "../../../../support/outbound.ts"
import { testStores } from "../../../../support/tenants.ts"

/** A call that has been placed, and a provider that lost every callback about it. */
const unheardOf = Effect.gen(function* () {
  const provider = new FakeProviderCalls()
  const { organizationId, agent, contact } = yield* caller()
  const { id } = yield* (yield* requests())(organizationId, agent.id, { to: contact.phone })
  yield* (yield* dialer(provider)).drain(organizationId)
  // The database has its own clock: the test's begins with the epoch.
  const sql = yield* SqlClient.SqlClient
  yield* tenant(organizationId)(sql`UPDATE calls SET created_at = to_timestamp(0)`)
  const { askForUnfinished } = yield* makeTrackCalls.pipe(Effect.provide([provider.layer, RingingCalls.layer]))
  const record = Effect.flatMap(Calls, (calls) => calls.find(organizationId, id))
  return { provider, askForUnfinished, record, organizationId, agent }
})

layer(testStores)("a call whose end is not reported", (it) => {
  it.effect("is asked for after two minutes, and then every five until it has ended", () =>
    Effect.gen(function* () {
      const { provider, askForUnfinished, record } = yield* unheardOf
      const [call] = provider.calls
      const becomes = (changes: Partial<typeof call>) => {
        provider.calls[0] = { ...provider.calls[0], ...changes }
      }
      becomes({ status: "in_progress" })
      yield* TestClock.adjust("1 minute")
      yield* askForUnfinished
      assert.deepInclude(yield* record, { status: "queued" })
      yield* TestClock.adjust("2 minutes")
      yield* askForUnfinished
      assert.deepInclude(yield* record, { status: "in_progress" })
      const endedAt = Date.parse("2027-01-01T00:00:00.000Z")
      becomes({ status: "completed", endedAt, durationSeconds: 42 })
      yield* TestClock.adjust("4 minutes")
      yield* askForUnfinished
      assert.deepInclude(yield* record, { status: "in_progress" })
      yield* TestClock.adjust("2 minutes")
      yield* askForUnfinished
      assert.deepInclude(yield* record, {
        status: "completed",
        durationSeconds: 42,
        endedAt: "2027-01-01T00:00:00.000Z"
      })
    })
  )

  it.effect("is also asked for when its agent has given it to a human, who is then free again", () =>
    Effect.gen(function* () {
      const { provider, askForUnfinished, record, organizationId, agent } = yield* unheardOf
      const { id: callId } = (yield* record) ?? { id: "" }
      const transfers = yield* Transfers
      const calls = yield* Calls
      const event = { id: "evt_1", organizationId, agentId: agent.id, callId }
      const counts = { durationSeconds: 1, turns: [], interruptions: 0, toolCalls: 0 }
      const patience = { arrivalMs: 60_000, talkMs: 14_400_000 }
      const asks = { organizationId, callId, toolCallId: "tool_1", destination: "+14155550199" }
      yield* transfers.request(asks, 0, patience)
      const endedAt = "1970-01-01T00:00:01.000Z"
      yield* calls.apply({
        type: "call_end",
        ...event,
        endReason: "transferred",
        handover: "taken",
        endedAt,
        ...counts
      })
      assert.deepInclude(yield* record, { status: "completed", endReason: "transferred" })
      provider.calls[0] = { ...provider.calls[0], status: "in_progress" }
      const lines = Effect.flatMap(Clock.currentTimeMillis, (now) => transfers.lines(organizationId, now))
      yield* TestClock.adjust("3 minutes")
      yield* askForUnfinished
      assert.lengthOf(yield* lines, 1)
      provider.calls[0] = { ...provider.calls[0], status: "completed", endedAt: 200_000, durationSeconds: 200 }
      yield* TestClock.adjust("6 minutes")
      yield* askForUnfinished
      assert.isEmpty(yield* lines)
      assert.deepInclude(yield* record, { status: "completed", endReason: "transferred", durationSeconds: 200 })
    })
  )

  it.effect("counts as failed when the provider does not know it", () =>
    Effect.gen(function* () {
      const { provider, askForUnfinished, record } = yield* unheardOf
      provider.calls.length = 0
      yield* TestClock.adjust("3 minutes")
      yield* askForUnfinished
      assert.deepInclude(yield* record, { status: "failed", endReason: null })
      assert.match((yield* record)?.failureReason ?? "", /could not connect/)
    })
  )

  it.effect(
    "is ended when the provider has told of its end and its engine, which died before the stream came, has not",
    () =>
      Effect.gen(function* () {
        const calls = yield* Calls
        const { organizationId, agent } = yield* caller()
        const { endWithoutEngine } = yield* makeTrackCalls.pipe(
          Effect.provide([new FakeProviderCalls().layer, RingingCalls.layer])
        )
        const open = (callSid: string, status: "completed" | "canceled") =>
          Effect.gen(function* () {
            const from = "+14155550199"
            const base = { organizationId, agentId: agent.id, direction: "inbound", status: "ringing" } as const
            const { call } = yield* calls.open({ ...base, from, to: "+14155550100", callSid })
            const at = yield* Clock.currentTimeMillis
            yield* calls.told(
              organizationId,
              { callSid },
              { status, sequence: 1, at, durationSeconds: null, failureReason: null }
            )
            return Effect.map(calls.find(organizationId, call.id), (found) => found?.endReason)
          })
        yield* TestClock.adjust("1 day")
        const [lost, given] = [yield* open("CA_lost", "completed"), yield* open("CA_given", "canceled")]
        yield* TestClock.adjust("4 minutes")
        yield* endWithoutEngine
        assert.deepStrictEqual([yield* lost, yield* given], [null, null])
        yield* TestClock.adjust("2 minutes")
        yield* endWithoutEngine
        assert.deepStrictEqual([yield* lost, yield* given], ["error", "caller_hangup"])
      })
  )

  it.effect("is ended when it is a test call whose engine died, or that nobody joined and no engine ended", () =>
    Effect.gen(function* () {
      const calls = yield* Calls
      const { organizationId, agent } = yield* caller()
      const { endWithoutEngine } = yield* makeTrackCalls.pipe(
        Effect.provide([new FakeProviderCalls().layer, RingingCalls.layer])
      )
      yield* TestClock.adjust("1 day")
      const base = { organizationId, agentId: agent.id, direction: "inbound", status: "ringing" } as const
      const { call } = yield* calls.open({ ...base, from: "test", to: "test", callSid: null, test: true })
      const sql = yield* SqlClient.SqlClient
      yield* tenant(organizationId)(sql`UPDATE calls SET created_at = ${new Date(yield* Clock.currentTimeMillis)}`)
      const record = calls.find(organizationId, call.id)
      yield* TestClock.adjust("4 minutes")
      yield* endWithoutEngine
      assert.deepInclude(yield* record, { status: "ringing", endReason: null })
      yield* TestClock.adjust("2 minutes")
      yield* endWithoutEngine
      assert.deepInclude(yield* record, { status: "failed", endReason: "error" })
    })
  )
})
