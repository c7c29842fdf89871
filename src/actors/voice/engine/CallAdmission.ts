/**
 * Admission control of an engine: decides which calls are admitted, and frees what a call holds when it ends. No call is admitted while the
 * process drains or its audio is late. Otherwise a call needs a slot in this process (`CallSlots`) and a lease of its organization, counted
 * over all engines (`CallLeases`).
 */
import { Effect, Metric, Schedule } from "effect"
import type { MediaClock } from "../../../audio/frames/MediaClock.ts"
import { Draining } from "../../../domain/basics/Draining.ts"
import { CallLeases, renewEverySeconds } from "../../../domain/voice/engine/CallLeases.ts"
import { EngineLoad } from "../../../domain/voice/engine/EngineLoad.ts"
import { EngineFull, type Refusal } from "../../../domain/voice/engine/EngineRefusal.ts"
import { CallSlots } from "./CallSlots.ts"
import { Overload } from "./Overload.ts"

export interface CallAdmissionOptions {
  /** The most calls this process holds at once. */
  readonly capacity: number
  /** When the audio of one second is late by this much on average, no new calls are admitted. Milliseconds. */
  readonly maxLatenessMs: number
  /** The sound of calls in other processes. Absent: it is all in this process, and `clock` says how late it is. */
  readonly sound?: { readonly open: boolean; readonly lateMs: number }
}

/** An engine whose sound is elsewhere may be late by at least so much: no frame waits for it. Milliseconds. */
const maxThinkingLatenessMs = 150

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
  const { sound } = options
  const { maxLatenessMs } = options
  const overload = new Overload(sound === undefined ? maxLatenessMs : Math.max(maxLatenessMs, maxThinkingLatenessMs))
  const soundOverload = new Overload(maxLatenessMs)
  const isOverloaded = () => overload.overloaded || soundOverload.overloaded || sound?.open === false
  let closed = false
  /** The sound was there once: before that `SoundElsewhere` tells what is missing. */
  let began = sound === undefined
  let toldOverloaded = false
  const load = yield* EngineLoad
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      load.begin(() => ({
        capacity: slots.capacity,
        taken: slots.taken,
        lateMs: (sound === undefined ? overload : soundOverload).lateMs,
        overloaded: isOverloaded()
      }))
    ),
    (end) => Effect.sync(end)
  )

  const measure = Effect.gen(function* () {
    overload.observe(clock.lateness())
    if (sound !== undefined) soundOverload.judge(sound.lateMs)
    const { lateMs } = sound === undefined ? overload : soundOverload
    const overloaded = isOverloaded()
    began ||= sound?.open === true
    yield* Metric.update(lateness, Math.round(lateMs * 10) / 10)
    yield* Metric.update(open, overloaded || (yield* isDraining) ? 0 : 1)
    yield* Metric.update(slotsTaken, slots.taken)
    if (!began || overloaded === toldOverloaded) return
    toldOverloaded = overloaded
    yield* Effect.logWarning(
      overloaded ? "audio is late or out of reach: no new calls are taken" : "calls are taken again",
      {
        lateMs,
        ...(sound === undefined ? {} : { thinkingLateMs: overload.lateMs, soundThere: sound.open })
      }
    )
  })
  yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced("1 second")))
  yield* Effect.forkScoped(
    Effect.suspend(() => leases.renew([...slots.calls()])).pipe(
      Effect.delay(`${renewEverySeconds} seconds`),
      Effect.forever
    )
  )

  /** Frees the call's slot and its lease. */
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
    /** From now on no call is admitted, not even one whose caller is already on the line. */
    close: () => {
      closed = true
    },
    isClosed: () => closed,
    /**
     * Takes a slot of this process for a call; `release` frees it. `isThere`: somebody is already on the line, so a draining process admits the
     * call as well. Fails with `EngineFull`.
     */
    reserve: Effect.fnUntraced(function* (callId: string, organizationId: string, limit: number, isThere: boolean) {
      if (closed || (!isThere && (yield* isDraining))) return yield* refuse("draining")
      if (isOverloaded()) return yield* refuse("overloaded")
      const reason = slots.reserve(callId, organizationId, limit)
      if (reason !== undefined) return yield* refuse(reason)
    }),
    /** Takes a lease for a call that has a slot. Without one it frees the slot and fails with `EngineFull`. */
    lease: Effect.fnUntraced(function* (callId: string, organizationId: string, limit: number) {
      if (yield* leases.acquire({ callId, organizationId }, limit)) return
      slots.release(callId)
      return yield* refuse("organization_full")
    })
  }
})

export type CallAdmission = Effect.Success<ReturnType<typeof make>>
