/**
 * A process beside the workers that has loaded the service and has not begun: loading takes longer than all the rest of a start. It takes the place of a
 * worker that died, so that the calls of that one wait for a moment only. It shares nothing with the workers before that, not even a database.
 */
import type { ChildProcess } from "node:child_process"
import { Effect, FiberSet } from "effect"
import type { FromWorker, ToWorker } from "./SupervisedWorker.ts"

type Variables = Readonly<Record<string, string>>

export type ToSpare = { readonly type: "begin"; readonly env: Variables } | ToWorker

/** The variable that makes a spare of a process. */
const mark = { PARLEY_SPARE: "1" }

/** A spare that died is replaced after a pause, which doubles each time until a worker begins: one that cannot live must not take the processor. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

export interface SpareWorker {
  /** A worker with these variables: the spare one, or a new process. Another spare follows once it is ready. */
  readonly launch: (env: Variables) => ChildProcess
  /** Replaces the spare by one with the code on disk. */
  readonly renew: () => void
}

/** Lives as long as the scope. `forkWorker` starts a process with these variables over those of this one. */
export const make = Effect.fnUntraced(function* (forkWorker: (env: Variables) => ChildProcess) {
  const runFork = yield* FiberSet.makeRuntime()
  let waiting: ChildProcess | undefined
  let over = false
  let pauseMs = firstPauseMs
  const prepare = () => {
    if (over || waiting !== undefined) return
    const spare = forkWorker(mark)
    waiting = spare
    // Until there is another, a worker that dies is started as without a spare.
    const gone = () => {
      if (waiting !== spare) return
      waiting = undefined
      runFork(Effect.delay(Effect.sync(prepare), pauseMs))
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
    spare.once("error", gone)
    spare.once("exit", gone)
  }
  const launch = (env: Variables): ChildProcess => {
    const spare = waiting
    waiting = undefined
    const worker = spare?.connected === true ? spare : forkWorker(env)
    if (worker === spare) worker.send({ type: "begin", env } satisfies ToSpare)
    worker.on("message", (message: FromWorker) => {
      if (message.type !== "ready") return
      pauseMs = firstPauseMs
      prepare()
    })
    return worker
  }
  const renew = () => {
    const old = waiting
    waiting = undefined
    prepare()
    old?.kill("SIGKILL")
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      over = true
      waiting?.kill("SIGKILL")
    })
  )
  return { launch, renew } satisfies SpareWorker
})
