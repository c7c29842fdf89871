/** Why an engine does not take an agent or a call, as a value and as a sentence. */
import { Schema } from "effect"

/** 500 with its sentence: the provider does not support this configuration, or speech could not be synthesized. */
export class AgentRejected extends Schema.TaggedError<AgentRejected>()("AgentRejected", { message: Schema.String }) {}
/** 404: this engine does not have that agent in that version; the app pushes it and asks again. */
export class AgentUnknown extends Schema.TaggedError<AgentUnknown>()("AgentUnknown", { agentId: Schema.String }) {}

/**
 * Why an engine takes no call: all its slots are taken; the organization has as many calls as it may have; slots are scarce and the
 * organization holds its share; audio is late already; the process is about to stop; other workers, one of which will get the
 * stream, cannot be told of the call.
 */
export const Refusal = Schema.Literals([
  "process_full",
  "organization_full",
  "fair_share",
  "overloaded",
  "draining",
  "uncoordinated"
])
export type Refusal = typeof Refusal.Type

/** What an engine says when it takes no call. */
export const refusalSentences: Readonly<Record<Refusal, string>> = {
  process_full: "This engine is full.",
  organization_full: "This organization has as many calls as it may have at once.",
  fair_share: "This engine is almost full, and this organization holds its share of it.",
  overloaded: "This engine is overloaded.",
  draining: "This engine is about to stop.",
  uncoordinated: "This engine cannot reach the other workers."
}
export const agentUnknownSentence = "This engine does not have that agent version."

/** 429: not now. */
export class EngineFull extends Schema.TaggedError<EngineFull>()("EngineFull", { reason: Refusal }) {}
