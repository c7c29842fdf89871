/** Calls of agents whose record is out of the ordinary: saved before the provider stack was locked, or deleted in the middle of the call. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenant as asTenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventually } from "../support/eventually.ts"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { hours: "Hello, I would like to know your opening hours." }
const script = [{ when: /opening hours/i, reply: "We are open from nine to six, Monday to Saturday." }]
const answer = script[0].reply

const started = startParley({ lines, script })

describe.concurrent("a call of an agent", () => {
  it.live("that was saved before the stack was locked is held on its earlier models, and its overrides are shown", () =>
    Effect.gen(function* () {
      const parley = yield* started
      const { organizationId, agentId } = parley.tenant
      const earlier = { speechToText: "saaras:v2.5", reasoning: "hosted-llm", textToSpeech: "aura-2-*", lockedAt: null }
      const sql = yield* SqlClient.SqlClient.pipe(Effect.provide(parley.services))
      yield* asTenant(organizationId)(
        sql`UPDATE voice_agents SET provider_stack = ${JSON.stringify(earlier)}::jsonb,
          settings = settings || '{"backchanneling": true}' WHERE id = ${agentId}`
      ).pipe(Effect.provide(parley.services))
      const shown = Effect.promise(async () => {
        const { body } = await parley.request("GET", "/api/voice-agents")
        return body.data[0]
      })
      const before = yield* shown
      assert.deepStrictEqual(before.providerStack, earlier)
      assert.deepStrictEqual(
        before.overrides.map(({ feature, effective }: { feature: string; effective: boolean }) => [feature, effective]),
        [["backchanneling", false]]
      )
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.include(
        utterances.map(({ text }) => text),
        answer
      )
      // A call does not save the agent.
      assert.deepStrictEqual((yield* shown).providerStack, earlier)
      const saved = yield* Effect.promise(() =>
        parley.request("PUT", `/api/voice-agents/${agentId}`, { name: before.name })
      )
      assert.strictEqual(saved.status, 200)
      assert.isNotNull((yield* shown).providerStack.lockedAt)
    }).pipe(Effect.scoped)
  )

  it.live("that is deleted meanwhile goes on to its end and stays on record, and its number reaches nobody", () =>
    Effect.gen(function* () {
      const parley = yield* started
      const { organizationId, agentId } = parley.tenant
      let deleted = 0
      const result = yield* parley.call(async (caller) => {
        await caller.waitForAgentToSpeak()
        deleted = (await parley.request("DELETE", `/api/voice-agents/${agentId}`)).status
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      assert.deepStrictEqual([deleted, result.endedBy], [200, "caller"])
      const sql = yield* SqlClient.SqlClient.pipe(Effect.provide(parley.services))
      const [{ id }] = yield* asTenant(organizationId)(sql<{ id: string }>`SELECT id FROM calls`).pipe(
        Effect.provide(parley.services)
      )
      const record = yield* eventually("the end on record", async () => {
        const { status, body } = await parley.request("GET", `/api/calls/${id}`)
        assert.strictEqual(status, 200)
        return body.endReason === null ? undefined : body
      })
      assert.deepInclude(record, { status: "completed", endReason: "caller_hangup", agentId: null })
      assert.include(
        record.utterances.map(({ text }: { text: string }) => text),
        answer
      )
      assert.strictEqual(record.cost.minutes, 1)
      const numbers = yield* Effect.promise(() => parley.request("GET", "/api/voice-phone-numbers"))
      assert.deepStrictEqual(
        numbers.body.data.map(({ agentId }: { agentId: string | null }) => agentId),
        [null]
      )
      const next = yield* parley.call(async (caller) => caller.sleep(1_000))
      assert.match(next.spoken.join(" "), /not|no /i)
    }).pipe(Effect.scoped)
  )
})
