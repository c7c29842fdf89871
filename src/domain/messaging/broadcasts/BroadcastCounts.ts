/** How many recipients of a broadcast are in each status. */
import { Schema } from "effect"
import { SkipReason } from "./BroadcastRecipient.ts"

/** Nobody skipped. */
export const noneSkipped = {
  opted_out: 0,
  never_opted_in: 0,
  no_phone: 0,
  archived: 0,
  erased: 0,
  missing_value: 0,
  rate_limited: 0,
  cancelled: 0
}

/** The number of recipients in each status. Each recipient counts in one of them; `total` is their sum. */
export const BroadcastCounts = Schema.Struct({
  total: Schema.Int,
  /** The channel does not have the message yet. */
  queued: Schema.Int,
  /** The message was handed to the channel and the answer was lost: it may be on its way. */
  unknown: Schema.Int,
  /** The channel has the message and has not delivered it yet. */
  sent: Schema.Int,
  /** Delivered, and not read yet. */
  delivered: Schema.Int,
  read: Schema.Int,
  failed: Schema.Int,
  skipped: Schema.Int,
  skippedBy: Schema.Struct({
    opted_out: Schema.Int,
    never_opted_in: Schema.Int,
    no_phone: Schema.Int,
    archived: Schema.Int,
    erased: Schema.Int,
    missing_value: Schema.Int,
    rate_limited: Schema.Int,
    cancelled: Schema.Int
  })
})
export type BroadcastCounts = typeof BroadcastCounts.Type

export interface CountRow {
  readonly status: "waiting" | "queued" | "unknown" | "sent" | "delivered" | "read" | "failed" | "skipped"
  /** A `SkipReason` when `status` is `skipped`. */
  readonly reason: string
  readonly count: number
}

const isReason = Schema.is(SkipReason)

/** Adds up rows that each count some recipients. */
export const countsOf = (rows: ReadonlyArray<CountRow>): BroadcastCounts => {
  const sum = (...statuses: ReadonlyArray<CountRow["status"]>) =>
    rows.filter(({ status }) => statuses.includes(status)).reduce((total, { count }) => total + count, 0)
  const skippedBy = { ...noneSkipped }
  for (const { status, reason, count } of rows) if (status === "skipped" && isReason(reason)) skippedBy[reason] += count
  return {
    total: rows.reduce((total, { count }) => total + count, 0),
    queued: sum("waiting", "queued"),
    unknown: sum("unknown"),
    sent: sum("sent"),
    delivered: sum("delivered"),
    read: sum("read"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    skippedBy
  }
}
