/** Callers who want a human: the real service between a simulated telephone network with humans and providers that speak their own protocols. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CallerApi } from "../../simulators/telephone/Caller.ts"
import { type CallRecord, Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { fixedPhrases } from "../../src/domain/voice/dialogue/FixedPhrases.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventually } from "../support/eventually.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { human: "Please let me talk to a human.", hours: "Hello, I would like to know your opening hours." }
const script = [{ when: /opening hours/i, reply: "We are open from nine to six, Monday to Saturday." }]
const patience = 90_000

/** Waits until the call with this provider's id satisfies `met`, and gives it. */
const recorded = (
  { tenant: { organizationId, agentId }, services }: Parley,
  callSid: string,
  met: (call: CallRecord) => boolean
) =>
  eventually(
    "the call's record",
    Effect.gen(function* () {
      const { data } = yield* (yield* Calls).list(organizationId, 1, 20, { agentId })
      return data.find((call) => call.callSid === callSid && met(call))
    })
  ).pipe(Effect.provide(services))

describe.concurrent("a caller who wants a human", () => {
  it.live(
    "returns to the agent when the human does not answer, and goes on where the call was",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script })
        let streams = 0
        const result = yield* parley.call(
          async (caller) => {
            await caller.waitForAgentToFinish()
            await caller.say(parley.samples("human"))
            while (streams < 2) await caller.sleep(100)
            await caller.waitForAgentToSpeak()
            await caller.waitForAgentToFinish()
            await caller.say(parley.samples("hours"))
            await caller.waitForAgentToFinish()
            caller.hangUp()
          },
          {
            humans: [{ status: "no-answer", ms: 500 }],
            maxMs: patience,
            onEvent: ({ type }) => {
              if (type === "streamStarted") streams++
            }
          }
        )
        assert.strictEqual(result.dialed?.status, "no-answer")
        const call = yield* recorded(parley, result.callSid, ({ endReason }) => endReason === "caller_hangup")
        assert.deepInclude(call.transfer, { destination: "+14155550199", outcome: "no_answer" })
        const { utterances } = yield* parley.stored
        const said = utterances.map(({ role, text }) => [role, text])
        const { transfer, humanUnavailable } = fixedPhrases("en-US")
        const asked = said.findIndex(([, text]) => text === lines.human)
        assert.deepStrictEqual(said.slice(asked), [
          ["caller", lines.human],
          ["agent", transfer],
          ["agent", humanUnavailable],
          ["caller", lines.hours],
          ["agent", "We are open from nine to six, Monday to Saturday."]
        ])
        assert.lengthOf(new Set(utterances.map(({ sequence }) => sequence)), utterances.length)
        assert.isAtLeast(call.durationSeconds ?? 0, Math.floor(result.durationMs / 1_000) - 2)
      }).pipe(Effect.scoped),
    patience
  )

  it.live(
    "waits in the queue while the human is busy, hears the position, and is then put through",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script })
        const want = (hungUp: () => boolean) => async (caller: CallerApi) => {
          await caller.waitForAgentToFinish()
          await caller.say(parley.samples("human"))
          while (!hungUp()) await caller.sleep(100)
          caller.hangUp()
        }
        let placeHeard = false
        const second = parley.call(
          want(() => false),
          {
            from: "+14155550101",
            humans: [{ status: "completed", ms: 300 }],
            maxMs: patience,
            onEvent: ({ type }) => {
              if (type === "spoken") placeHeard = true
            }
          }
        )
        const talking = yield* Deferred.make<void>()
        const first = parley.call(
          want(() => placeHeard),
          {
            humans: [{ status: "completed", ms: patience }],
            maxMs: patience,
            onEvent: ({ type }) => {
              if (type === "dialed") Deferred.doneUnsafe(talking, Effect.void)
            }
          }
        )
        const then = Effect.andThen(Deferred.await(talking), second)
        const [one, two] = yield* Effect.all([first, then], { concurrency: 2 })
        assert.strictEqual(one.dialed?.status, "completed")
        assert.deepInclude(two.enqueued, { queue: "humans", result: "redirected" })
        assert.deepStrictEqual(two.enqueued?.heard.slice(0, 1), [fixedPhrases("en-US").queue(1)])
        assert.strictEqual(two.dialed?.to, "+14155550199")
        for (const { callSid } of [one, two]) {
          const call = yield* recorded(parley, callSid, ({ transfer }) => transfer?.outcome === "transferred")
          assert.strictEqual(call.endReason, "transferred")
        }
      }).pipe(Effect.scoped),
    patience
  )

  it.live(
    "is promised a call back when the agent has no human, which the audit log records without the caller's words",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script, agent: { humanDestination: null } })
        const result = yield* parley.call(
          async (caller) => {
            await caller.waitForAgentToFinish()
            await caller.say(parley.samples("human"))
          },
          { maxMs: patience }
        )
        const call = yield* recorded(parley, result.callSid, ({ endReason }) => endReason === "queued_for_human")
        assert.deepInclude(call.transfer, { destination: null, outcome: "nobody" })
        const { utterances } = yield* parley.stored
        assert.strictEqual(utterances.at(-1)?.text, fixedPhrases("en-US").handoff)
        assert.isEmpty(result.dials)
        const reasons = yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
          tenant(call.organizationId)(
            sql<{ reason: string }>`SELECT details ->> 'reason' AS reason FROM audit_log WHERE action = 'call.handoff'`
          )
        ).pipe(Effect.provide(parley.services))
        assert.sameMembers(
          reasons.map(({ reason }) => reason),
          ["The caller asked for a human.", "The agent has no human destination."]
        )
      }).pipe(Effect.scoped),
    patience
  )
})
