/**
 * Use case: talk to an agent without a telephone, also with changes that are not saved. A test call runs on the same engine as every call, with
 * disclosure, content filter, tools and the organization's limit of calls at once. It belongs to no contact, is not billed, and has no
 * telephone: the agent hands over as if no human could be reached.
 */
import { Effect, Schema } from "effect"
import { serversOf } from "../../../ai/tools/ForeignTools.ts"
import { McpClient } from "../../../ai/tools/McpClient.ts"
import { exampleIds, exampleOf } from "../../../basics/Examples.ts"
import { traced } from "../../../basics/Traced.ts"
import { Audit } from "../../../people/access/Audit.ts"
import { concurrentCalls } from "../../../people/organizations/Organization.ts"
import { VoiceAgentChanges } from "../../agents/AgentInput.ts"
import { makePresentConfig } from "../../agents/PresentConfig.ts"
import { makeSaveVoiceAgent } from "../../agents/SaveVoiceAgent.ts"
import { TestedAgents } from "../../agents/TestedAgents.ts"
import { EngineClient } from "../../engine/EnginePorts.ts"
import { Calls } from "../records/CallRecord.ts"

export const TestCallRequest = Schema.Struct({
  /** Changes that apply to this call only. Absent: the agent as it is saved. */
  draft: Schema.optionalKey(VoiceAgentChanges)
}).annotate({ title: "NewTestCall", examples: [{ draft: exampleOf(VoiceAgentChanges) }] })
export type TestCallRequest = typeof TestCallRequest.Type

export const TestCall = Schema.Struct({
  callId: Schema.String,
  /**
   * Where the caller's WebSocket connects, once and within 20 seconds. The address has the token, because a browser's WebSocket can send no header.
   */
  url: Schema.String
}).annotate({
  title: "TestCall",
  examples: [
    {
      callId: exampleIds.call,
      url: `wss://engine.example.com/media?call=${exampleIds.call}&token=1795633261.5f2b0c7d9e41a386`
    }
  ]
})
export type TestCall = typeof TestCall.Type

/** What stands for the telephone number of a caller who has none. */
const nobody = "test"

/** The address of a stream that names its call and carries its token. */
const invitation = (streamUrl: string, callId: string, token: string): string => {
  const url = new URL(streamUrl)
  url.searchParams.set("call", callId)
  url.searchParams.set("token", token)
  return url.href
}

/**
 * Needs the stores and the engine. The function it returns gives where the caller connects. It fails as `SaveVoiceAgent` does, and with
 * EngineProtocolError (429: full).
 */
export const makePlaceTestCall = Effect.gen(function* () {
  const calls = yield* Calls
  const engine = yield* EngineClient
  const mcp = yield* McpClient
  const tested = yield* TestedAgents
  const audit = yield* Audit
  const { draft } = yield* makeSaveVoiceAgent
  const configOf = yield* makePresentConfig

  return traced("PlaceTestCall.place")(function* (organizationId: string, agentId: string, request: TestCallRequest) {
    const { organization, agent: changed } = yield* draft(organizationId, agentId, request.draft ?? {})
    const agent = { ...changed, humanDestination: null }
    const config = yield* configOf(agent, organization)
    const to = agent.phoneNumber ?? nobody
    const { call } = yield* calls.open({
      organizationId,
      agentId,
      direction: "inbound",
      status: "ringing",
      from: nobody,
      to,
      callSid: null,
      test: true
    })
    yield* audit.recorded(organizationId, tested.keep(call.id, agent), () => ({
      action: "voice_agent.tested",
      subjectId: agentId,
      after: { callId: call.id }
    }))
    const servers = serversOf(agent.tools)
    if (servers.length > 0) yield* mcp.warm(organizationId, servers)
    const { streamUrl, token } = yield* engine
      .placeCall(organizationId, {
        callId: call.id,
        agentId,
        agentVersion: config.version,
        tested: config,
        accountSid: nobody,
        callSid: call.id,
        authToken: "",
        direction: "inbound",
        from: nobody,
        to,
        contactName: null,
        concurrentCalls: concurrentCalls(organization)
      })
      .pipe(
        Effect.tapError(({ status }) =>
          status === 429
            ? calls.close(organizationId, call.id, "busy", "capacity")
            : calls.close(organizationId, call.id, "failed", "error")
        )
      )
    const placed: TestCall = { callId: call.id, url: invitation(streamUrl, call.id, token) }
    return placed
  })
})
