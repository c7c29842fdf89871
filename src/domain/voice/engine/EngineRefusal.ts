/** Why an engine does not take an agent or a call, as a value and as a sentence. */
import { Schema } from "effect"

/** HTTP 500 with `message`: the provider does not support this configuration, or speech could not be synthesized. */
export class AgentRejected extends Schema.TaggedError<AgentRejected>()("AgentRejected", { message: Schema.String }) {}
/** HTTP 404: this engine does not have that agent in that version. The app pushes the agent and asks again. */
export class AgentUnknown extends Schema.TaggedError<AgentUnknown>()("AgentUnknown", { agentId: Schema.String }) {}

/**
 * Why an engine refuses a call.
 * - `process_full`: all its slots are taken
 * - `organization_full`: the organization has as many calls as it may have
 * - `fair_share`: slots are scarce, and the organization already holds its share
 * - `overloaded`: audio is already late
 * - `draining`: the process is about to stop
 * - `uncoordinated`: the engine cannot tell the other workers about the call, and any worker may get its stream
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

/** What an engine says when it refuses a call. */
export const refusalSentences: Readonly<Record<Refusal, string>> = {
  process_full: "This engine is full.",
  organization_full: "This organization has as many calls as it may have at once.",
  fair_share: "This engine is almost full, and this organization holds its share of it.",
  overloaded: "This engine is overloaded.",
  draining: "This engine is about to stop.",
  uncoordinated: "This engine cannot reach the other workers."
}
export const agentUnknownSentence = "This engine does not have that agent version."

/** HTTP 429: the engine refuses a call now, but may take it later. */
export class EngineFull extends Schema.TaggedError<EngineFull>()("EngineFull", { reason: Refusal }) {}
