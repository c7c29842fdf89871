/**
 * `parley serve --workers N`: a parent that runs N engine processes on one port, starts one again that has died, and passes on that it is asked to
 * stop. It takes no calls itself, so there is little in it that could fail.
 */
import { type ChildProcess, fork } from "node:child_process"
import { Clock, Effect, FiberSet, Redacted } from "effect"
import type { Settings } from "../Config.ts"
import { freePort } from "../integrations/network/FreePort.ts"
import type { FromWorker, ToWorker } from "../Worker.ts"

export interface SupervisorOptions {
  readonly workers: number
  /** Arguments of each worker's `parley`. */
  readonly args: ReadonlyArray<string>
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

/** Workers side by side from the port that was set; any free ones when nobody outside needs to find them. */
const clusterPortOf = ({ cluster }: Settings, id: number): Promise<number> =>
  cluster === undefined ? freePort() : Promise.resolve(cluster.port + id - 1)

const start = (
  settings: Settings,
  id: number,
  ports: { readonly own: number; readonly cluster: number },
  options: SupervisorOptions
) =>
  fork(process.argv[1], options.args, {
    execArgv: flags,
    env: {
      ...process.env,
      PARLEY_WORKER: `${id}/${options.workers}:${ports.own}`,
      CLUSTER_PORT: `${ports.cluster}`,
      // In development it is made up at the start; all workers must have the same.
      ENGINE_WS_SECRET: Redacted.value(settings.engineSecret)
    }
  })

const ended = (child: ChildProcess) =>
  Effect.callback<string>((resume) => {
    child.once("error", (cause) => resume(Effect.succeed(String(cause))))
    child.once("exit", (code, signal) => resume(Effect.succeed(signal ?? `code ${code}`)))
  })

/** Runs until it is interrupted, then waits for the workers to drain. */
export const supervise = Effect.fn("supervise")(function* (settings: Settings, options: SupervisorOptions) {
  const children = new Set<ChildProcess>()
  const ready = new Set<ChildProcess>()
  let stopping = false

  const tell = (message: ToWorker) => {
    // A worker that is gone by now needs no telling.
    for (const child of children) if (child.connected) child.send(message, () => undefined)
  }
  const tellStatus = () => tell({ type: "status", alive: ready.size, of: options.workers })

  /** One life of a worker; resolves to how it ended. */
  const life = Effect.fnUntraced(function* (id: number) {
    const ports = {
      own: yield* Effect.promise(freePort),
      cluster: yield* Effect.promise(() => clusterPortOf(settings, id))
    }
    const child = start(settings, id, ports, options)
    children.add(child)
    child.on("message", (message: FromWorker) => {
      if (message.type !== "ready") return
      ready.add(child)
      tellStatus()
    })
    yield* Effect.logInfo("worker started", { worker: id, pid: child.pid })
    const how = yield* ended(child)
    children.delete(child)
    ready.delete(child)
    tellStatus()
    return how
  })

  const keepAlive = Effect.fnUntraced(function* (id: number) {
    let pauseMs = firstPauseMs
    while (!stopping) {
      const began = yield* Clock.currentTimeMillis
      const how = yield* life(id)
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
