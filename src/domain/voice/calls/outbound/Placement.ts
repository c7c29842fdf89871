/**
 * The durable queue of outbound calls. A call goes from `waiting` to `placing` before the provider is asked, and is `done` once the
 * provider's id is stored. If a call is `placing` for longer than a request takes, it was interrupted, and may or may not have been placed.
 */
import { Context, type Effect, Schema } from "effect"
import type { EndReason } from "../../engine/EndReason.ts"
import type { CallRecord } from "../records/CallRecord.ts"

export interface NewPlacement {
  readonly organizationId: string
  readonly callId: string
  readonly agentId: string
  /** The agent's number and the callee's, E.164. */
  readonly from: string
  readonly to: string
  readonly dealId: string | null
  /** Calls the organization may have at once, this one included. */
  readonly concurrentCalls: number
  /** Unix time in milliseconds after which the call is no longer placed. */
  readonly notAfter: number
}

/** HTTP 429: the organization has as many calls as it may have. */
export class TooManyCalls extends Schema.TaggedError<TooManyCalls>()("TooManyCalls", { limit: Schema.Int }) {}

export type NextPlacement =
  | { readonly _tag: "Place"; readonly call: CallRecord }
  | { readonly _tag: "Wait"; readonly ms: number }
  | { readonly _tag: "Nothing" }

/** A call that may or may not have been placed; `since` is Unix time in milliseconds. */
export interface Unsure {
  readonly call: CallRecord
  readonly since: number
}

/** Every operation is one transaction; `now` is Unix time in milliseconds. */
export class Placements extends Context.Service<
  Placements,
  {
    /** Records the call (`queued`) with its contact and conversation, and queues it. */
    readonly request: (input: NewPlacement, now: number) => Effect.Effect<CallRecord, TooManyCalls>
    /** Organizations with calls that are not placed. */
    readonly organizations: Effect.Effect<ReadonlyArray<string>>
    /** Takes the first call of the queue, unless the last one was taken less than `paceMs` ago. Gives up calls that waited too long. */
    readonly next: (organizationId: string, now: number, paceMs: number) => Effect.Effect<NextPlacement>
    /** Puts a call back into the queue. Only for a call that the provider has certainly not placed. */
    readonly waitAgain: (organizationId: string, callId: string) => Effect.Effect<void>
    /** Stores the provider's id of the call. False when the call has another one, another call has it, or there is no such call. */
    readonly placed: (organizationId: string, callId: string, callSid: string) => Effect.Effect<boolean>
    /** Ends a call that was not placed and never will be. */
    readonly refused: (
      organizationId: string,
      callId: string,
      endReason: EndReason,
      reason: string
    ) => Effect.Effect<void>
    /** Calls that have been `placing` since before this time. */
    readonly unsure: (organizationId: string, before: number) => Effect.Effect<ReadonlyArray<Unsure>>
    /** Ends a call whose placement is unknown; it is not placed again. A later report of the provider corrects the status. */
    readonly lost: (organizationId: string, callId: string, reason: string) => Effect.Effect<void>
    /** The ids among `callSids` that belong to a recorded call. */
    readonly known: (organizationId: string, callSids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  }
>()("parley/domain/Placements") {}

/** Wakes the process that places calls, so that a new call does not wait for the next poll. */
export class Dialer extends Context.Service<Dialer, { readonly wake: Effect.Effect<void> }>()("parley/domain/Dialer") {}
