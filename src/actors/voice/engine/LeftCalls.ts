/** The running calls of an engine that leaves its place: which of them another process can go on with, and how they are left to it. */
import { Effect, Schedule } from "effect"
import type { Keeper } from "../call/Keeper.ts"
import type { OpenCall } from "../call/OpenCall.ts"
import type { RunningCalls } from "./RunningCalls.ts"
import type { SoundLinks } from "./SoundLinks.ts"

export interface LeftCallsOptions {
  readonly live: ReadonlyMap<string, OpenCall>
  /** How many calls were placed within the last moment, and wait for their stream. */
  readonly recent: () => number
  /** Undefined when the sound of all calls is in this process: then none can be left. */
  readonly links: Pick<SoundLinks, "close"> | undefined
  /** Interrupts the minds of all calls. */
  readonly interrupted: Effect.Effect<void>
}

/** When the scope ends after `leave`, the calls are left. */
export const make = Effect.fnUntraced(function* ({ live, recent, links, interrupted }: LeftCallsOptions) {
  let isLeaving = false
  const standings = (): ReadonlyArray<readonly [OpenCall, Keeper["standing"] | "inside"]> =>
    [...live.values()].map((call) => [call, call.keeper?.standing ?? "inside"])
  const unkept = () =>
    standings().flatMap(([call, standing]) => (standing === "inside" || standing === "too large" ? [call] : []))
  const awaited = Effect.sync(() => recent() + standings().filter(([, standing]) => standing === "new").length)

  if (links !== undefined) {
    /** First the links: what a call says when it is interrupted must not reach its sound. */
    const left = Effect.suspend(() => {
      const ended = new Set(unkept())
      const kept = [...live.values()].filter((call) => !ended.has(call))
      links.close()
      for (const call of kept) call.isLeft = true
      return Effect.andThen(
        Effect.logInfo("the calls are left to another process", { calls: kept.length }),
        interrupted
      )
    })
    yield* Effect.addFinalizer(() =>
      isLeaving
        ? Effect.repeat(awaited, { schedule: Schedule.spaced("20 millis"), until: (calls) => calls === 0 }).pipe(
            Effect.timeoutOption("3 seconds"),
            Effect.andThen(left)
          )
        : Effect.void
    )
  }

  return {
    unkept: Effect.sync(() => unkept().length),
    awaited,
    endUnkept: Effect.sync(() => {
      for (const call of unkept()) call.offer({ _tag: "MaxDurationReached" })
    }),
    leave: Effect.sync(() => {
      isLeaving = true
    })
  } satisfies Partial<RunningCalls["Service"]>
})
