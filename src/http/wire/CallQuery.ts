/** The query and the answer of lists of calls, of one agent or of all. */
import { Schema } from "effect"
import { addDays, Instant, startOfDay } from "../../domain/basics/Calendar.ts"
import { exampleOf } from "../../domain/basics/Examples.ts"
import { toE164 } from "../../domain/basics/Phone.ts"
import { CallCost, Usage } from "../../domain/usage/Metering.ts"
import type { CallFilter } from "../../domain/voice/calls/records/CallFilter.ts"
import { CallRecord } from "../../domain/voice/calls/records/CallRecord.ts"
import { CallStatus } from "../../domain/voice/calls/records/CallStatus.ts"
import { EndReason } from "../../domain/voice/engine/EndReason.ts"
import { pageOf, pageQuery } from "./Paging.ts"
import { anyNumber } from "./QueryNumber.ts"
import { Day } from "./RequestTime.ts"

const seconds = Schema.optionalKey(anyNumber({ minimum: 0, maximum: 1_000_000 }))

export const callQuery = {
  ...pageQuery,
  direction: Schema.optionalKey(CallRecord.fields.direction),
  status: Schema.optionalKey(CallStatus),
  endReason: Schema.optionalKey(EndReason),
  phone: Schema.optionalKey(Schema.String),
  from: Schema.optionalKey(Day),
  to: Schema.optionalKey(Day),
  minDurationSeconds: seconds,
  maxDurationSeconds: seconds,
  slowerThanMs: Schema.optionalKey(anyNumber({ minimum: 0, maximum: 600_000 })),
  asOf: Schema.optionalKey(Instant)
}

/** `totals` covers all calls that match the filter; null for an AGENT, who does not see what calls cost. A client that sends `asOf` back gets consistent pages while new calls arrive. */
export const CallPage = Schema.Struct({
  ...pageOf(CallRecord).fields,
  asOf: Schema.String,
  totals: Schema.NullOr(Usage)
}).annotate({
  title: "CallPage",
  examples: [
    {
      data: [exampleOf(CallRecord)],
      page: 1,
      limit: 20,
      total: 1,
      asOf: "2026-11-21T20:00:00.000Z",
      totals: { ...exampleOf(Usage), ...exampleOf(CallCost), calls: 1 }
    }
  ]
})

const Query = Schema.Struct(callQuery)
export type CallQuery = typeof Query.Type

/** The phone number of a query. A `+` that was not percent-encoded arrives as a space. */
const phoneOf = (text: string): string => {
  const phone = text.replace(/^ /, "+")
  return toE164(phone) ?? phone
}

/** The filter for a query. `from` and `to` are days of the time zone, both included. Calls recorded after `asOf` (Unix milliseconds) are left out. */
export const callFilter = (query: CallQuery, timeZone: string, asOf: number): CallFilter => {
  const { direction, status, endReason, phone, from, to, minDurationSeconds, maxDurationSeconds, slowerThanMs } = query
  // A call of the millisecond `asOf` is part of the list.
  const before = Math.min(asOf + 1, to === undefined ? Number.POSITIVE_INFINITY : startOfDay(addDays(to, 1), timeZone))
  return {
    ...(direction === undefined ? {} : { direction }),
    ...(status === undefined ? {} : { status }),
    ...(endReason === undefined ? {} : { endReason }),
    ...(phone === undefined ? {} : { phone: phoneOf(phone) }),
    ...(from === undefined ? {} : { since: startOfDay(from, timeZone) }),
    ...(minDurationSeconds === undefined ? {} : { minDurationSeconds }),
    ...(maxDurationSeconds === undefined ? {} : { maxDurationSeconds }),
    ...(slowerThanMs === undefined ? {} : { slowerThanMs }),
    before
  }
}
