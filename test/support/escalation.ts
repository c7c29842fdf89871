/** An organization whose agent hands calls to a human. The provider and the engine are stand-ins that record their requests. */
import { Effect, Layer } from "effect"
import { VoiceAgents } from "../../src/domain/voice/agents/VoiceAgent.ts"
import { EscalationPolicy, escalationDefaults } from "../../src/domain/voice/calls/live/EscalationPolicy.ts"
import { Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import type { CallEvent } from "../../src/domain/voice/engine/CallEvent.ts"
import type { CallSetup } from "../../src/domain/voice/engine/CallSetup.ts"
import { EngineClient } from "../../src/domain/voice/engine/EnginePorts.ts"
import { TelephonyConnections } from "../../src/domain/voice/telephony/PhoneNumber.ts"
import { Telephony, TelephonyError } from "../../src/domain/voice/telephony/Telephony.ts"
import { agentOf, newOrganization } from "./tenants.ts"

export const webhooks = "https://app.example.test/api/webhooks/telephony"
export const destination = "+14155550199"

let serial = 0
const unique = () => `${++serial}`.padStart(32, "0")

/** An organization with an agent and its telephony account. */
export const desk = Effect.fnUntraced(function* (humanDestination: string | null = destination) {
  const { id: organizationId } = yield* newOrganization()
  const agents = yield* VoiceAgents
  const agent = agentOf(organizationId, { humanDestination })
  yield* agents.create(agent)
  const connections = yield* TelephonyConnections
  const connection = { organizationId, accountSid: `AC${unique()}`, authToken: `token of ${organizationId}` }
  yield* connections.save(connection)
  return { organizationId, agent, connection }
})
export type Desk = Effect.Success<ReturnType<typeof desk>>

const eventOf = (desk: Desk, callId: string, id: string) => ({
  id: `${callId}.${id}`,
  organizationId: desk.organizationId,
  agentId: desk.agent.id,
  callId
})

/** A call in progress with that agent. */
export const answered = Effect.fnUntraced(function* (desk: Desk, startedAt = "1970-01-01T00:00:00.000Z") {
  const calls = yield* Calls
  const { call } = yield* calls.open({
    organizationId: desk.organizationId,
    agentId: desk.agent.id,
    direction: "inbound",
    status: "ringing",
    from: `+1415555${String(1_000 + serial)}`,
    to: "+14155550131",
    callSid: `CA${unique()}`
  })
  yield* calls.apply({ type: "call_started", ...eventOf(desk, call.id, "start"), startedAt })
  return { ...call, callSid: call.callSid ?? "" }
})

export const said = (desk: Desk, callId: string, sequence: number, text: string, interrupted = false): CallEvent => ({
  type: "transcript",
  ...eventOf(desk, callId, `u${sequence}`),
  sequence,
  role: sequence % 2 === 1 ? "agent" : "caller",
  text,
  interrupted,
  startMs: sequence * 1_000,
  endMs: sequence * 1_000 + 500
})

export const ended = (
  desk: Desk,
  callId: string,
  endReason: Extract<CallEvent, { type: "call_end" }>["endReason"],
  endedAt = "1970-01-01T00:01:00.000Z",
  part = 1
): Extract<CallEvent, { type: "call_end" }> => ({
  type: "call_end",
  ...eventOf(desk, callId, `end${part}`),
  endReason,
  endedAt,
  durationSeconds: 60,
  turns: [{ turn: 1, decisionMs: 1, transcriptMs: null, firstTokenMs: null, firstAudioMs: null, firstFrameMs: null }],
  interruptions: 1,
  toolCalls: 1
})

/** The provider's REST interface: `redirect` decides the result, and the requests are recorded. */
export class FakeTelephony {
  readonly redirects: Array<{ readonly callSid: string; readonly twiml: string; readonly authToken: string }> = []
  /** Gives the provider's error number, or undefined for success. */
  refuse: (callSid: string) => number | undefined = () => undefined

  readonly layer = Layer.succeed(Telephony, {
    redirect: ({ authToken }, callSid, twiml) =>
      Effect.suspend(() => {
        const code = this.refuse(callSid)
        if (code !== undefined) return Effect.fail(new TelephonyError({ status: 400, code, message: "refused" }))
        this.redirects.push({ callSid, twiml, authToken })
        return Effect.void
      })
  })
}

export class FakeEngineClient {
  readonly setups: Array<CallSetup> = []
  readonly layer = Layer.succeed(EngineClient, {
    putAgent: () => Effect.void,
    deleteAgent: () => Effect.void,
    placeCall: (_organizationId, setup) =>
      Effect.sync(() => {
        this.setups.push(setup)
        return { streamUrl: "wss://engine.example.test/media", token: `token of ${setup.callId}` }
      })
  })
}

export const policy = (maxWaitSeconds: number) =>
  Layer.succeed(EscalationPolicy, { ...escalationDefaults, maxWaitSeconds, webhooks })
