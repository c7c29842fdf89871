/**
 * Admission control of an engine: which calls are admitted, and what is given back on every end. None is admitted while the process is on its way
 * out or late; else a call needs a slot here (`CallSlots`), and room within its organization on all engines (`CallLeases`).
 */
import { Effect, Metric, Schedule } from "effect"
import type { MediaClock } from "../../../audio/frames/MediaClock.ts"
import { Draining } from "../../../domain/basics/Draining.ts"
import { CallLeases, renewEverySeconds } from "../../../domain/voice/engine/CallLeases.ts"
import { EngineFull, type Refusal } from "../../../domain/voice/engine/EngineRefusal.ts"
import { CallSlots } from "./CallSlots.ts"
import { Overload } from "./Overload.ts"

export interface CallAdmissionOptions {
  /** Calls this process holds at most. */
  readonly capacity: number
  /** Audio of one second that is late by this much on average: no new calls are admitted. Milliseconds. */
  readonly maxLatenessMs: number
}

const refused = Metric.counter("parley_calls_refused_total", {
  description: "Calls the engine did not take, by reason",
  incremental: true
})
const slotsTaken = Metric.gauge("parley_call_slots_taken", { description: "Slots taken, reserved ones included" })
const lateness = Metric.gauge("parley_media_lateness_milliseconds", {
  description: "How late outgoing audio was in the last second, on average"
})
const open = Metric.gauge("parley_door_open", {
  description: "1 while the engine takes calls, 0 while it is late or draining"
})

/** Lives as long as the engine. */
export const make = Effect.fnUntraced(function* (options: CallAdmissionOptions, clock: MediaClock) {
  const leases = yield* CallLeases
  const { isDraining } = yield* Draining
  const slots = new CallSlots(options.capacity)
  const overload = new Overload(options.maxLatenessMs)
  let closed = false

  const measure = Effect.gen(function* () {
    const before = overload.overloaded
    overload.observe(clock.lateness())
    const { overloaded, lateMs } = overload
    yield* Metric.update(lateness, Math.round(lateMs * 10) / 10)
    yield* Metric.update(open, overloaded || (yield* isDraining) ? 0 : 1)
    yield* Metric.update(slotsTaken, slots.taken)
    if (overloaded !== before)
      yield* Effect.logWarning(overloaded ? "audio is late: no new calls are taken" : "calls are taken again", {
        lateMs
      })
  })
  yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced("1 second")))
  yield* Effect.forkScoped(
    Effect.suspend(() => leases.renew([...slots.calls()])).pipe(
      Effect.delay(`${renewEverySeconds} seconds`),
      Effect.forever
    )
  )

  /** Gives back what the call holds, here and in its organization. */
  const release = (callId: string, organizationId: string) =>
    Effect.suspend(() => (slots.release(callId) ? leases.release({ callId, organizationId }) : Effect.void))

  const refuse = Effect.fnUntraced(function* (reason: Refusal) {
    yield* Metric.update(Metric.withAttributes(refused, { reason }), 1)
    return yield* new EngineFull({ reason })
  })

  return {
    slots,
    release,
    refuse,
    /** From now on no call is admitted at all. */
    close: () => {
      closed = true
    },
    isClosed: () => closed,
    /**
     * Takes a slot here, for a call that has none yet; to be given back with `release`. `isThere`: it is no new one, somebody is on the line; a process
     * that drains admits it.
     */
    reserve: Effect.fnUntraced(function* (callId: string, organizationId: string, limit: number, isThere: boolean) {
      if (closed || (!isThere && (yield* isDraining))) return yield* refuse("draining")
      if (overload.overloaded) return yield* refuse("overloaded")
      const reason = slots.reserve(callId, organizationId, limit)
      if (reason !== undefined) return yield* refuse(reason)
    }),
    /** Makes sure that there is room for a reserved call in its organization on all engines; without it the slot is given back. */
    lease: Effect.fnUntraced(function* (callId: string, organizationId: string, limit: number) {
      if (yield* leases.acquire({ callId, organizationId }, limit)) return
      slots.release(callId)
      return yield* refuse("organization_full")
    })
  }
})

export type CallAdmission = Effect.Success<ReturnType<typeof make>>
