/** The app's request to an engine before a call arrives, and the engine's answer. */
import { Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import { AgentConfig } from "./AgentConfig.ts"

/** Reserves a slot on an engine for a call whose media stream is about to arrive. */
export const CallSetup = Schema.Struct({
  callId: Schema.String,
  agentId: Schema.String,
  agentVersion: Schema.String,
  /** The provider's account and call ids; the stream's `start` must carry the same ones. */
  accountSid: Schema.String,
  callSid: Schema.String,
  /**
   * Auth token of the account that owns the call. The engine checks the signature of the stream's WebSocket upgrade with it, and transfers
   * the call with it. Never logged. Stored only encrypted, on a shared `ReservationBoard`, while the engine waits for the stream.
   */
  authToken: Schema.String,
  direction: Schema.Literals(["inbound", "outbound"]),
  from: Schema.String,
  to: Schema.String,
  contactName: Schema.NullOr(Schema.String),
  /**
   * Present in a test call: the agent as it is tested, which the engine uses for this call only. The call's stream comes from no telephony provider, so
   * its token alone proves it.
   */
  tested: Schema.optionalKey(AgentConfig),
  /** How many calls the organization may have at once on all engines. Absent: the organization has no limit of its own. */
  concurrentCalls: Schema.optionalKey(Schema.Int),
  /** What the agent should know about this call, one sentence per item. */
  context: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Present when a call comes back to its agent because no human took it. The conversation continues where it stopped. */
  resume: Schema.optionalKey(
    Schema.Struct({
      /** How the transfer ended. */
      outcome: Schema.Literals(["no_answer", "busy", "failed"]),
      /** Whether the caller heard the disclosure to its end. If not, it is played again. */
      disclosed: Schema.Boolean,
      /** What was said so far, oldest first, without the utterances that the content filter flagged. */
      history: Schema.Array(Schema.Struct({ role: Schema.Literals(["caller", "agent"]), text: Schema.String })),
      /** Number of the next utterance. */
      nextSequence: Schema.Int,
      /** Length of the call so far, in milliseconds. The times of new utterances continue from here. */
      elapsedMs: Schema.Int,
      /** Present when a tool has said that the call will be told more: the position of the newest notice that the agent knows. */
      noticesAfter: Schema.optionalKey(Schema.Int)
    })
  )
}).annotate({
  title: "CallSetup",
  examples: [
    {
      callId: exampleIds.call,
      agentId: exampleIds.agent,
      agentVersion: "5f2b0c7d9e41a386",
      accountSid: "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0",
      callSid: "CA5f2b0c7d9e41a3865f2b0c7d9e41a386",
      authToken: "9e41a3865f2b0c7d9e41a3865f2b0c7d",
      direction: "inbound",
      from: "+14155550123",
      to: "+16175550142",
      contactName: "Asha Rao"
    }
  ]
})
export type CallSetup = typeof CallSetup.Type

/** Where the provider must connect the stream, and the single-use token the stream must carry (custom parameters `callId`, `token`). */
export const CallPlacement = Schema.Struct({ streamUrl: Schema.String, token: Schema.String }).annotate({
  title: "CallPlacement",
  examples: [{ streamUrl: "wss://engine.example.com/media", token: "kX7pQ2mN9vR4tY6w" }]
})
export type CallPlacement = typeof CallPlacement.Type
