/**
 * Use case: a person speaks through the agent of a call that is under way, whispers to it, listens in, talks in its place, ends the call, or hands it to a
 * human. The audit log records it, without the words: the transcript has those that the caller heard.
 */
import { Effect, Schema } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { Audit } from "../../../people/access/Audit.ts"
import { type CallCommand, CommandRefusal, makeSendCommand } from "../../engine/CallCommand.ts"
import { Calls } from "../records/CallRecord.ts"

/** 404: the organization has no such call. */
export class CallMissing extends Schema.TaggedError<CallMissing>()("CallMissing", { callId: Schema.String }) {}
/** 409: the call is over, has not begun, or is with a human; or its engine does not answer. */
export class CallNotWithAgent extends Schema.TaggedError<CallNotWithAgent>()("CallNotWithAgent", {
  callId: Schema.String
}) {}

/** 409: the engine that has the call refuses. */
export class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", {
  callId: Schema.String,
  refusal: CommandRefusal
}) {}

const actions = {
  say: "call.said_for",
  end: "call.ended_by",
  transfer: "call.handed_over_by",
  whisper: "call.whispered_to",
  listen: "call.listened_to",
  take_over: "call.taken_over_by",
  hand_back: "call.handed_back_by"
} as const

/** Needs Calls and Audit. */
export const makeCommandCall = Effect.gen(function* () {
  const calls = yield* Calls
  const audit = yield* Audit
  const send = yield* makeSendCommand

  return traced("CommandCall")(function* (organizationId: string, callId: string, command: CallCommand) {
    const call = yield* calls.find(organizationId, callId)
    if (call === undefined) return yield* new CallMissing({ callId })
    if (call.status !== "in_progress") return yield* new CallNotWithAgent({ callId })
    const answer = yield* send(organizationId, callId, command)
    if (answer === "nobody") return yield* new CallNotWithAgent({ callId })
    if (answer !== "taken") return yield* new CallRefused({ callId, refusal: answer })
    yield* audit.recorded(organizationId, Effect.void, () => ({ action: actions[command.type], subjectId: callId }))
    return call
  })
})
