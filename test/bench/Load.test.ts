import { describe, expect, it } from "@effect/vitest"
import { engineTable, failureLimit, type Loadable, load } from "../../bench/support/Load.ts"
import { type StoredCall, slotsFor } from "../../bench/support/Parley.ts"
import { met } from "../../bench/support/Report.ts"
import type { Sample } from "../../bench/support/Samples.ts"
import type { CallResult } from "../../simulators/telephone/CallResult.ts"
import { CallSlots } from "../../src/actors/voice/engine/CallSlots.ts"

const silent = { say: () => undefined, done: () => undefined }
const stream = '<Response><Connect><Stream url="wss://127.0.0.1/media"/></Connect></Response>'

const resultOf = (number: number, answer: Partial<CallResult>): CallResult => ({
  callSid: `CA${number}`,
  webhookStatus: 200,
  twiml: stream,
  documents: [stream],
  frames: { sent: 0, wrongSize: 0, late: 0, gaps: 0 },
  heard: new Uint8Array(),
  said: new Uint8Array(),
  events: [],
  bargeInStopMs: null,
  bargeInsMs: [],
  durationMs: 1_000,
  endedBy: "caller",
  spoken: [],
  dials: [],
  queues: [],
  recordings: [],
  warnings: [],
  ...answer
})

/** A network and a service that give each call its answer, and store the end of every call, also of one that was turned away. */
const loadOf = (...answers: ReadonlyArray<Partial<CallResult>>) => loadStoredAs("caller_hangup", ...answers)

const loadStoredAs = (endReason: StoredCall["endReason"], ...answers: ReadonlyArray<Partial<CallResult>>) => {
  let placed = 0
  const parley: Loadable = {
    agents: [{ agentId: "agt_1", calledNumber: "+14155550100" }],
    network: { stats: { live: 0 } },
    service: { usage: () => Promise.resolve(undefined) },
    call: async () => {
      const number = placed++
      return resultOf(number, answers[number])
    },
    stored: async () => ({ turns: [], endReason }) as unknown as StoredCall
  }
  const options = { calls: answers.length, ramp: 0, seconds: 0 }
  return load(parley, options, silent, () => ({ caller: () => Promise.resolve() }))
}

describe("a load", () => {
  it("has no failure when every call has its stream", async () => {
    const loaded = await loadOf({}, {})
    expect(loaded.calls).toHaveLength(2)
    expect(met(failureLimit(loaded))).toBe(true)
  })

  it("has one failure when the network rejects one call, although its end is stored like any other's", async () => {
    const loaded = await loadOf({}, { rejected: "busy", documents: ["<Response><Reject/></Response>"] }, {})
    expect(loaded.failures).toEqual(["call CA1 was rejected: busy"])
    expect(loaded.calls).toHaveLength(2)
    expect(met(failureLimit(loaded))).toBe(false)
  })

  it("has one failure when a caller hears a sentence instead of an agent", async () => {
    const documents = ["<Response><Say>All lines are busy.</Say></Response>"]
    const { failures } = await loadOf({ documents, spoken: ["All lines are busy."] }, {})
    expect(failures).toEqual(["call CA0 got no stream: the webhook was answered 200, All lines are busy."])
  })

  it("has one failure when the service ends a call, whose caller then has nothing more to say", async () => {
    const { calls, failures } = await loadOf({}, { endedBy: "stream" })
    expect(calls).toHaveLength(1)
    expect(failures).toEqual(["call CA1 was not ended by its caller: ended by stream, stored as caller_hangup"])
  })

  it("has one failure when the service has stored another end than the caller's", async () => {
    const { failures } = await loadStoredAs("provider_failure", {})
    expect(failures).toEqual(["call CA0 was not ended by its caller: ended by caller, stored as provider_failure"])
  })
})

describe("the engine's table", () => {
  const sample = (calls: number, cores: number): Sample => ({ seconds: calls, calls, cores, residentMb: 300 })

  it("covers the time with the most calls, even when fewer calls are left in the end", () => {
    expect(engineTable({ engine: [sample(3, 0.1), sample(10, 0.4), sample(10, 0.6)] }).rows).toEqual([
      [10, "0.50", "50.00", 300]
    ])
  })
})

describe("slots of a bench's service", () => {
  it("admit all calls of one organization", () => {
    for (const calls of [1, 50, 91, 200, 1_000]) {
      const slots = new CallSlots(slotsFor(calls))
      const refused = Array.from({ length: calls }, (_, n) => slots.reserve(`call_${n}`, "org_1", 10_000))
      expect(refused.filter((why) => why !== undefined)).toEqual([])
    }
  })
})
