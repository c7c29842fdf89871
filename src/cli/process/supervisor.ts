/**
 * `parley serve --workers N`: a parent that runs N engine processes on one port, starts one again that has died, and passes on that it is asked to
 * stop. It takes no calls itself, so there is little in it that could fail.
 */
import { type ChildProcess, fork } from "node:child_process"
import { Clock, Effect, FiberSet, Redacted } from "effect"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { freePort } from "../../integrations/web/FreePort.ts"
import type { FromWorker, ToWorker } from "./SupervisedWorker.ts"

export interface SupervisorOptions {
  readonly workers: number
  /** Starts a process for the worker of this number. */
  readonly launch: (id: number) => Promise<ChildProcess>
  /** Somebody is in a hurry: workers are told to stop at once. */
  readonly hurry: Effect.Effect<boolean>
}

/** A worker that lived for less is started again after a pause, twice as long each time. */
const settledMs = 60_000
const firstPauseMs = 200
const longestPauseMs = 10_000

/** What a call leaves behind is young: a larger young generation is collected half as often, for some 40 MB (docs/performance.md). As `npm start`. */
const youngGeneration = "--max-semi-space-size=32"
const flags = process.execArgv.some((flag) => flag.startsWith("--max-semi-space-size"))
  ? process.execArgv
  : [...process.execArgv, youngGeneration]

/** Glibc gives threads arenas of their own to take memory from, up to eight for each processor: two make an engine some 15 MB smaller (docs/performance.md). As `npm start`. */
const { MALLOC_ARENA_MAX = "2" } = process.env

/** Workers side by side from the port that was set; any free ones when nobody outside needs to find them. */
const clusterPortOf = ({ cluster }: Settings, id: number): Promise<number> =>
  cluster === undefined ? freePort() : Promise.resolve(cluster.port + id - 1)

/** The launch of workers that are `parley` with these arguments. */
export const parleyProcess =
  (settings: Settings, workers: number, args: ReadonlyArray<string>): SupervisorOptions["launch"] =>
  async (id) => {
    const [own, cluster] = [await freePort(), await clusterPortOf(settings, id)]
    return fork(process.argv[1], args, {
      execArgv: flags,
      env: {
        ...process.env,
        MALLOC_ARENA_MAX,
        PARLEY_WORKER: `${id}/${workers}:${own}`,
        CLUSTER_PORT: `${cluster}`,
        // In development it is made up at the start; all workers must have the same.
        ENGINE_WS_SECRET: Redacted.value(settings.engineSecret)
      }
    })
  }

/** Listened for from the moment a process is there: one that could not be started says so at the next tick. */
const endOf = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once("error", (cause) => resolve(String(cause)))
    child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`))
  })

/** Runs until it is interrupted, then waits for the workers to drain. */
export const supervise = traced("supervise")(function* (options: SupervisorOptions) {
  const children = new Set<ChildProcess>()
  const ready = new Set<ChildProcess>()
  let stopping = false

  const tellOne = (child: ChildProcess, message: ToWorker) => {
    // A worker that is gone by now needs no telling.
    if (child.connected) child.send(message, () => undefined)
  }
  const tell = (message: ToWorker) => {
    for (const child of children) tellOne(child, message)
  }
  const tellStatus = () => tell({ type: "status", alive: ready.size, of: options.workers })

  /** Synchronous, so that no stop comes in between. */
  const enlist = (child: ChildProcess) => {
    const ended = endOf(child)
    children.add(child)
    child.on("message", (message: FromWorker) => {
      if (message.type !== "ready") return
      ready.add(child)
      tellStatus()
    })
    // It was being born while the others were told.
    if (stopping) tellOne(child, { type: "drain" })
    return { child, ended }
  }

  /** One life of a worker; resolves to how it ended. */
  const life = Effect.fnUntraced(function* (id: number) {
    const { child, ended } = yield* Effect.tryPromise(() => options.launch(id).then(enlist))
    yield* Effect.logInfo("worker started", { worker: id, pid: child.pid })
    const how = yield* Effect.promise(() => ended)
    children.delete(child)
    ready.delete(child)
    tellStatus()
    return how
  })

  const keepAlive = Effect.fnUntraced(function* (id: number) {
    let pauseMs = firstPauseMs
    while (!stopping) {
      const began = yield* Clock.currentTimeMillis
      const how = yield* Effect.catch(life(id), ({ cause }) => Effect.succeed(`it could not be started: ${cause}`))
      if (stopping) return yield* Effect.logInfo("worker ended", { worker: id, how })
      pauseMs = (yield* Clock.currentTimeMillis) - began >= settledMs ? firstPauseMs : pauseMs
      yield* Effect.logError("a worker died: it is started again", { worker: id, how, inMs: pauseMs })
      yield* Effect.sleep(pauseMs)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
  })

  const lives = yield* FiberSet.make()
  /** Workers drain by themselves, each with its own time limit; all there is to do is to wait, and to pass on a second signal. */
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      stopping = true
      tell({ type: "drain" })
      let hurried = false
      while (children.size > 0) {
        if (!hurried && (yield* options.hurry)) {
          hurried = true
          tell({ type: "stop" })
        }
        yield* Effect.sleep("100 millis")
      }
    })
  )
  for (let id = 1; id <= options.workers; id++) yield* FiberSet.run(lives, keepAlive(id))
  return yield* Effect.never
})
