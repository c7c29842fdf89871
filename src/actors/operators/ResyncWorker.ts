/** Works off the run that brings agents up to date (`RunResync`). Every process with a database asks for one; one of them gets it. */
import { Effect, Layer } from "effect"
import { periodically } from "../../domain/basics/Periodically.ts"
import { makeRunResync } from "../../domain/operators/RunResync.ts"

export interface ResyncWorkerOptions {
  /** How often it looks, in milliseconds. Default: every 2 seconds. */
  readonly everyMs?: number
}

/** Needs Resyncs, InstallationLog, the stores of agents and the engine. */
export const layer = ({ everyMs = 2_000 }: ResyncWorkerOptions = {}) =>
  Layer.effectDiscard(
    Effect.flatMap(makeRunResync, (run) =>
      periodically("the run that brings agents up to date could not go on", { every: everyMs, first: everyMs }, run())
    )
  )
