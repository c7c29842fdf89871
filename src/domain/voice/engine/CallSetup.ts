/** What the app asks an engine for when a call is about to arrive, and where the call is placed. */
import { Schema } from "effect"

/** Reserves a slot on an engine for a call whose media stream is about to arrive. */
export const CallSetup = Schema.Struct({
  callId: Schema.String,
  agentId: Schema.String,
  agentVersion: Schema.String,
  /** The provider's account and call ids; the stream's `start` must carry the same ones. */
  accountSid: Schema.String,
  callSid: Schema.String,
  /** Auth token of the owning account: checks the upgrade's signature, and transfers the call. Never logged or stored. */
  authToken: Schema.String,
  direction: Schema.Literals(["inbound", "outbound"]),
  from: Schema.String,
  to: Schema.String,
  contactName: Schema.NullOr(Schema.String),
  /** Calls the organization may have at once on all engines; absent: no limit of its own. */
  concurrentCalls: Schema.optionalKey(Schema.Int),
  /** What the agent shall know of this call, a sentence each. */
  context: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Present when a call comes back to its agent, because no human took it: it goes on where it was. */
  resume: Schema.optionalKey(
    Schema.Struct({
      /** What became of the transfer. */
      outcome: Schema.Literals(["no_answer", "busy", "failed"]),
      /** Whether the disclosure was heard to its end; if not it is played again. */
      disclosed: Schema.Boolean,
      /** What was said so far, oldest first, without what the content filter found. */
      history: Schema.Array(Schema.Struct({ role: Schema.Literals(["caller", "agent"]), text: Schema.String })),
      /** The next utterances are numbered from here on. */
      nextSequence: Schema.Int,
      /** Milliseconds of the call that are over: times of utterances go on from here. */
      elapsedMs: Schema.Int
    })
  )
})
export type CallSetup = typeof CallSetup.Type

/** Where the provider shall connect the stream, and the single-use token it must bring (custom parameters `callId`, `token`). */
export const CallPlacement = Schema.Struct({ streamUrl: Schema.String, token: Schema.String })
export type CallPlacement = typeof CallPlacement.Type
