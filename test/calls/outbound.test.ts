/** Outbound calls through the whole service, from the request to the record, over a simulated telephone network whose callees speak. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type CallRecord, Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { savedContact } from "../support/contacts.ts"
import { eventually } from "../support/eventually.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const disclosure = "Hello. You may be speaking with an AI assistant on this call."
const abroad = "+442079460100"

const service = (lines: Readonly<Record<string, string>> = {}) =>
  startParley({
    lines,
    script: [
      {
        when: /who is calling/i,
        compose: ({ messages }) => {
          const told = messages.find(({ role }) => role === "system")?.content ?? ""
          return `Good day ${/You have called (\w+)/.exec(told)?.[1]}. I am calling about ${/deal (\w+)/.exec(told)?.[1]}.`
        }
      }
    ],
    settings: { outbound: { callsPerSecond: 20, queueSeconds: 20, ringSeconds: 5, machineDetection: false } }
  })

const request = ({ baseUrl, tenant }: Parley, body: object) =>
  Effect.promise(async () => {
    const response = await fetch(`${baseUrl}/api/voice-agents/${tenant.agentId}/calls`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    return { status: response.status, body: (await response.json()) as { id: string } }
  })

/** Waits until this is true of the call, and gives it. */
const recorded = ({ services, tenant }: Parley, callId: string, is: (call: CallRecord) => boolean) =>
  eventually(
    "the call's record",
    Effect.gen(function* () {
      const call = yield* (yield* Calls).find(tenant.organizationId, callId)
      return call !== undefined && is(call) ? call : undefined
    })
  ).pipe(Effect.provide(services))

const result = ({ network }: Parley, nth = 0) => Effect.promise(() => network.placed.calls[nth].result)

describe("an outbound call", () => {
  it.live("begins with the disclosure, and its agent knows whom it called and why", () =>
    Effect.gen(function* () {
      const parley = yield* service({ who: "Hello, who is calling please?" })
      const { network, tenant, services, samples } = parley
      const input = { phone: abroad, name: "Asha Rao" }
      const contact = yield* savedContact(tenant.organizationId, input).pipe(Effect.provide(services))
      network.placed.callees.set(abroad, {
        outcome: "answers",
        afterMs: 100,
        caller: async (callee) => {
          await callee.waitForAgentToFinish(500)
          await callee.say(samples("who"))
          await callee.waitForAgentToFinish(500)
          callee.hangUp()
        }
      })
      // The provider repeats the webhook of the answered call when the process is just restarting.
      network.faults.loseWebhooks = 1
      const asked = yield* request(parley, { to: abroad, contactId: contact.id, dealId: "D7" })
      assert.strictEqual(asked.status, 201, JSON.stringify(asked.body))
      const call = yield* recorded(
        parley,
        asked.body.id,
        ({ endReason, durationSeconds }) => endReason !== null && durationSeconds !== null
      )
      yield* result(parley)
      assert.deepInclude(call, {
        direction: "outbound",
        status: "completed",
        endReason: "caller_hangup",
        contactId: contact.id,
        from: tenant.calledNumber,
        to: abroad,
        callSid: network.placed.calls[0].callSid
      })
      const calls = yield* Calls.pipe(Effect.provide(services))
      const said = (yield* calls.utterances(tenant.organizationId, call.id)).map(({ role, text }) => [role, text])
      assert.deepStrictEqual(said[0], ["agent", disclosure])
      assert.deepStrictEqual(said.slice(2), [
        ["caller", "Hello, who is calling please?"],
        ["agent", "Good day Asha. I am calling about D7."]
      ])
    }).pipe(Effect.scoped)
  )

  it.live("is recorded as busy, unanswered or failed when the callee is so, even if callbacks are lost", () =>
    Effect.gen(function* () {
      const parley = yield* service()
      const { network } = parley
      network.faults.callbackFault = (status) =>
        ({ initiated: "late", ringing: "late", busy: "repeat", "no-answer": "repeat" })[status] as
          | "late"
          | "repeat"
          | undefined
      const ends = { busy: "busy", "no-answer": "no_answer", failed: "failed" } as const
      for (const [index, outcome] of (["busy", "no-answer", "failed"] as const).entries()) {
        const to = `+44207946010${index + 1}`
        network.placed.callees.set(to, { outcome, afterMs: 100 })
        const { body } = yield* request(parley, { to })
        yield* recorded(parley, body.id, ({ status }) => status === ends[outcome])
        yield* result(parley, index)
        const call = yield* recorded(parley, body.id, ({ status }) => status === ends[outcome])
        assert.deepInclude(call, { endReason: null, startedAt: null })
        if (outcome === "failed") assert.match(call.failureReason ?? "", /SIP response 404/)
      }
    }).pipe(Effect.scoped)
  )

  it.live("is found by its first callback when the request for it got no answer, and is not placed again", () =>
    Effect.gen(function* () {
      const parley = yield* service()
      const { network } = parley
      network.faults.restFault = (method, path) =>
        method === "POST" && path.endsWith("/Calls.json") ? "lose" : undefined
      const { body } = yield* request(parley, { to: abroad })
      const call = yield* recorded(parley, body.id, ({ status }) => status === "completed")
      yield* Effect.sleep("1500 millis")
      assert.lengthOf(network.placed.calls, 1)
      assert.strictEqual(call.callSid, network.placed.calls[0].callSid)
    }).pipe(Effect.scoped)
  )
})
