/** Connects an inbound or outbound call to an engine, and decides what the other party hears when no engine takes it. */
import { Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import type { Organization } from "../../../people/organizations/Organization.ts"
import type { VoiceAgent } from "../../agents/VoiceAgent.ts"
import type { CallSetup } from "../../engine/CallSetup.ts"
import { Calls } from "../records/CallRecord.ts"
import type { CallStatus } from "../records/CallStatus.ts"
import { makePlaceCall } from "./PlaceCall.ts"

/** What the provider is told to do with a call. */
export type Answer =
  | { readonly _tag: "Connect"; readonly callId: string; readonly streamUrl: string; readonly token: string }
  | { readonly _tag: "Say"; readonly sentence: string; readonly language?: string }
  | { readonly _tag: "Busy" }
  | { readonly _tag: "HangUp" }

export const sentences = {
  unassigned: "The number you have called is not in service. Goodbye.",
  unavailable: "This service is not available at the moment. Goodbye.",
  unreachable: "We cannot take your call right now. Please try again later. Goodbye."
}

export const spokenAnswer = (sentence: string): Answer => ({ _tag: "Say", sentence })

/** The status and the answer for a call when the engine has no free slot. */
export interface WhenFull {
  readonly status: CallStatus
  readonly answer: Answer
}

/** Needs Calls and the engine; the function it returns needs nothing and always gives an answer. */
export const makeConnectCall = Effect.gen(function* () {
  const calls = yield* Calls
  const place = yield* makePlaceCall

  return traced("ConnectCall.connect")(function* (
    organization: Organization,
    agent: VoiceAgent,
    setup: Omit<CallSetup, "agentId" | "agentVersion">,
    whenFull: WhenFull
  ) {
    const { callId } = setup
    return yield* place(organization, agent, setup).pipe(
      Effect.map(({ streamUrl, token }): Answer => ({ _tag: "Connect", callId, streamUrl, token })),
      Effect.catchIf(
        (error) => error.status === 429,
        () => Effect.as(calls.close(organization.id, callId, whenFull.status, "capacity"), whenFull.answer)
      ),
      Effect.catchTag("EngineProtocolError", (error) =>
        Effect.logWarning("the engine did not take a call", { callId, reason: error.message }).pipe(
          Effect.andThen(calls.close(organization.id, callId, "failed", "error")),
          Effect.as(spokenAnswer(sentences.unreachable))
        )
      )
    )
  })
})
