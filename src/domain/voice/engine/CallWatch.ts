/**
 * Which calls somebody watches at this moment. Words are told of watched calls only, because most calls nobody watches. Who watches says so again and
 * again: a watch that is not renewed ends by itself.
 */
import { Effect } from "effect"
import { type BusMessage, ProcessBus } from "../../basics/bus/ProcessBus.ts"

const watchType = "call.watch"
/** How long a watch holds, in milliseconds; it is renewed in half that time. */
export const watchMs = 30_000
/** The most calls that one stream watches. */
export const mostWatched = 20

/** Says that these calls of the organization are watched. `now`: Unix milliseconds. */
export const tellWatched = (bus: ProcessBus, organizationId: string, calls: ReadonlyArray<string>, now: number): void =>
  bus.publish({ organizationId, type: watchType, at: now, data: { calls: [...calls] } })

/** Gives the function that says whether a call is watched at `now` (Unix milliseconds), by anybody in any process. It listens until the scope ends. */
export const makeIsWatched = Effect.gen(function* () {
  const bus = yield* ProcessBus
  const until = new Map<string, number>()
  const hear = ({ type, at, data: { calls } }: BusMessage) => {
    if (type !== watchType || !Array.isArray(calls)) return
    for (const call of calls.slice(0, mostWatched)) if (typeof call === "string") until.set(call, at + watchMs)
    if (until.size > 10_000) for (const [call, end] of until) if (end <= at) until.delete(call)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => bus.listen(hear, { relayed: true })),
    (stop) => Effect.sync(stop)
  )
  return (callId: string, now: number): boolean => (until.get(callId) ?? 0) > now
})
