/**
 * The transfer of a call to a human. A free human is dialled at once; for a busy one the caller waits in line. A human is a destination: a
 * number or a `sip:` address. A human is busy from the moment a call is sent to them until the provider reports that it is over.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../../basics/Examples.ts"

/**
 * State of a transfer. It is open while `dialing` (the human's telephone rings, or the human talks) or `queued`; the other values say how it
 * ended. `abandoned`: the caller hung up first. `timed_out`: the caller waited too long in line. `failed`: the human could not be dialled, or
 * the provider never said how the transfer ended.
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
  /** What was decided when the transfer was requested. It does not change. */
  plan: Schema.Literals(["transfer", "queue", "nobody"]),
  /** Place in the line when the transfer was requested: 1 is next, 0 means not queued. */
  position: Schema.Int,
  outcome: TransferOutcome,
  /** True once the call is in the provider's waiting line. Before that the agent is still talking. */
  arrived: Schema.Boolean,
  /** True once the engine's part of the call is stored, with everything said in it. */
  handedOver: Schema.Boolean,
  requestedAt: Schema.String
})
export type Transfer = typeof Transfer.Type

/** One human: free when `dialing` is null. */
export const HumanLine = Schema.Struct({
  destination: Schema.String,
  dialing: Schema.NullOr(Schema.Struct({ callId: Schema.String, since: Schema.String })),
  /** Waiting callers, first come, first served. */
  waiting: Schema.Array(Schema.Struct({ callId: Schema.String, position: Schema.Int, since: Schema.String }))
}).annotate({
  examples: [
    {
      destination: "+14155550199",
      dialing: { callId: exampleIds.call, since: "2026-11-21T19:00:50.000Z" },
      waiting: []
    }
  ]
})
export type HumanLine = typeof HumanLine.Type

export interface NewTransfer {
  readonly organizationId: string
  readonly callId: string
  /** Idempotency key together with the call. */
  readonly toolCallId: string
  readonly destination: string | null
}

/** If the provider reports no end of a transfer, its human counts as free again after these times, in milliseconds. */
export interface TransferTimeouts {
  readonly arrivalMs: number
  readonly talkMs: number
}

/**
 * Store of transfers. Every operation is one transaction. Operations are serialized per human, so two calls never get the same human. `now` is
 * Unix time in milliseconds.
 */
export class Transfers extends Context.Service<
  Transfers,
  {
    /**
     * Takes the human if free, otherwise a place in the line. A repeated request for the same tool call, or one while a transfer of the call is
     * open, returns the first transfer.
     */
    readonly request: (input: NewTransfer, now: number, patience: TransferTimeouts) => Effect.Effect<Transfer>
    /** If the human is free, takes the first caller out of the line; that transfer is now `dialing`. `undefined`: busy, or nobody waits. */
    readonly next: (
      organizationId: string,
      destination: string,
      now: number,
      patience: TransferTimeouts
    ) => Effect.Effect<Transfer | undefined>
    /** Notes that the call is in the waiting line. Returns the transfer and its current place (0 when no longer queued). */
    readonly arrive: (
      organizationId: string,
      id: string,
      now: number,
      patience: TransferTimeouts
    ) => Effect.Effect<{ readonly transfer: Transfer; readonly place: number } | undefined>
    /** Ends an open transfer. False: it was already over. */
    readonly end: (organizationId: string, id: string, outcome: FinalOutcome, now: number) => Effect.Effect<boolean>
    /** Notes on the call's newest transfer that the engine's part of the call is stored. */
    readonly handedOver: (organizationId: string, callId: string) => Effect.Effect<void>
    readonly find: (organizationId: string, id: string) => Effect.Effect<Transfer | undefined>
    /** The transfer that this tool call requested. If it requested none, the newest transfer of the call. */
    readonly ofToolCall: (
      organizationId: string,
      callId: string,
      toolCallId: string
    ) => Effect.Effect<Transfer | undefined>
    readonly latestOf: (organizationId: string, callId: string) => Effect.Effect<Transfer | undefined>
    /** Every human who is busy or for whom a caller waits. */
    readonly lines: (organizationId: string, now: number) => Effect.Effect<ReadonlyArray<HumanLine>>
  }
>()("parley/domain/Transfers") {}
