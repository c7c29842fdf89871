/**
 * A call's way to a human: dialled at once, or waiting in line for one who is busy. A human is a destination (a number or a `sip:`
 * address) and busy from the moment a call is on its way to them until the provider says that it is over.
 */
import { Context, type Effect, Schema } from "effect"

/**
 * `dialing` (the human is being rung, or talks) and `queued` are open; the others are how it ended. `abandoned`: the caller hung up
 * first. `timed_out`: waited too long in line. `failed`: could not be dialled, or the provider never said how it ended.
 */
export const TransferOutcome = Schema.Literals([
  "dialing",
  "queued",
  "transferred",
  "no_answer",
  "busy",
  "failed",
  "abandoned",
  "timed_out",
  "nobody"
])
export type TransferOutcome = typeof TransferOutcome.Type
export type FinalOutcome = Exclude<TransferOutcome, "dialing" | "queued">

/** The newest transfer of a call, as its record shows it. */
export const CallTransfer = Schema.Struct({
  /** Null when the agent had no human destination. */
  destination: Schema.NullOr(Schema.String),
  outcome: TransferOutcome,
  /** When the outcome became true. */
  at: Schema.String
})
export type CallTransfer = typeof CallTransfer.Type

export const Transfer = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  callId: Schema.String,
  destination: Schema.NullOr(Schema.String),
  /** What was decided when it was asked for; does not change. */
  plan: Schema.Literals(["transfer", "queue", "nobody"]),
  /** Place in the line when it was asked for, 1 is next; 0 when not queued. */
  position: Schema.Int,
  outcome: TransferOutcome,
  /** True once the call is in the provider's waiting line; before that its agent is still talking. */
  arrived: Schema.Boolean,
  /** True once the engine's part of the call, and with it all that was said, is stored. */
  handedOver: Schema.Boolean,
  requestedAt: Schema.String
})
export type Transfer = typeof Transfer.Type

/** One human: free when `dialing` is null. */
export const HumanLine = Schema.Struct({
  destination: Schema.String,
  dialing: Schema.NullOr(Schema.Struct({ callId: Schema.String, since: Schema.String })),
  /** First come, first served. */
  waiting: Schema.Array(Schema.Struct({ callId: Schema.String, position: Schema.Int, since: Schema.String }))
})
export type HumanLine = typeof HumanLine.Type

export interface NewTransfer {
  readonly organizationId: string
  readonly callId: string
  /** Idempotency key together with the call. */
  readonly toolCallId: string
  readonly destination: string | null
}

/** Whoever is dialled without an end being heard of is free again after these milliseconds. */
export interface TransferTimeouts {
  readonly arrivalMs: number
  readonly talkMs: number
}

/**
 * Store of transfers. Every operation is one transaction, serialized per human, so two calls never get the same one. `now` is Unix
 * time in milliseconds.
 */
export class Transfers extends Context.Service<
  Transfers,
  {
    /** Takes the human if free, else a place in the line. Asked again for the same tool call, or while one is open, gives the first. */
    readonly request: (input: NewTransfer, now: number, patience: TransferTimeouts) => Effect.Effect<Transfer>
    /** If the human is free: takes the first of the line out (now `dialing`). `undefined` when busy, or nobody waits. */
    readonly next: (
      organizationId: string,
      destination: string,
      now: number,
      patience: TransferTimeouts
    ) => Effect.Effect<Transfer | undefined>
    /** The call is in the waiting line. Gives the transfer and its place now (0 when no longer queued). */
    readonly arrive: (
      organizationId: string,
      id: string,
      now: number,
      patience: TransferTimeouts
    ) => Effect.Effect<{ readonly transfer: Transfer; readonly place: number } | undefined>
    /** Ends an open transfer; false when it was over before. */
    readonly end: (organizationId: string, id: string, outcome: FinalOutcome, now: number) => Effect.Effect<boolean>
    /** Notes on the call's newest transfer that the engine's part of the call is stored. */
    readonly handedOver: (organizationId: string, callId: string) => Effect.Effect<void>
    readonly find: (organizationId: string, id: string) => Effect.Effect<Transfer | undefined>
    /** The transfer of a tool call; of any other tool call of this call, the newest one. */
    readonly ofToolCall: (
      organizationId: string,
      callId: string,
      toolCallId: string
    ) => Effect.Effect<Transfer | undefined>
    readonly latestOf: (organizationId: string, callId: string) => Effect.Effect<Transfer | undefined>
    /** Every human who is busy or waited for. */
    readonly lines: (organizationId: string, now: number) => Effect.Effect<ReadonlyArray<HumanLine>>
  }
>()("parley/domain/Transfers") {}
