/**
 * `parley serve --workers N`: a parent process that runs N workers on one port. With `--sound process` each has a sibling that holds the sound of its
 * calls. It restarts a process that died and passes requests to stop on to all. When it is asked to reload, it replaces the workers one after the other.
 * It takes no calls itself, so little in it can fail.
 */
import { type ChildProcess, fork } from "node:child_process"
import { Clock, Effect, FiberSet, Option, Redacted, type Scope } from "effect"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { freePort } from "../../integrations/web/FreePort.ts"
import { type Enlisted, ReloadFailed, replace } from "./reload.ts"
import * as SpareWorker from "./SpareWorker.ts"
import { successorMark } from "./Successor.ts"
import type { FromWorker, ToWorker } from "./SupervisedWorker.ts"

export interface SupervisorOptions {
  readonly workers: number
  /** Starts the process of the worker with this id. */
  readonly launch: (id: number) => Promise<ChildProcess>
  /** Starts the process with the sound beside the worker with this id. Absent: the sound is in the worker. */
  readonly launchSound?: (id: number) => Promise<ChildProcess>
  /** True when the workers are to stop at once. */
  readonly hurry: Effect.Effect<boolean>
  /** Completes when the workers are to be replaced by processes with the code on disk. */
  readonly reloads: Effect.Effect<void>
  /** Starts a process that is to take the place of the worker with this id. */
  readonly launchSuccessor: (id: number) => Promise<ChildProcess>
  /** The workers have been replaced: what waits beside them has old code. */
  readonly reloaded: Effect.Effect<void>
}

type Kind = "worker" | "media"

/** A worker that lived as long is started again at once, since its calls wait; one that did not, after a pause that doubles each time. */
const settledMs = 10_000
const firstPauseMs = 200
const longestPauseMs = 10_000

/** Calls make young garbage: a larger young generation is collected half as often, for some 40 MB (docs/performance.md). As in `npm start`. */
const youngGeneration = "--max-semi-space-size=32"
const flags = process.execArgv.some((flag) => flag.startsWith("--max-semi-space-size"))
  ? process.execArgv
  : [...process.execArgv, youngGeneration]

/**
 * Glibc gives threads their own memory arenas, up to eight for each processor. Two arenas make an engine some 15 MB smaller
 * (docs/performance.md). The same as in `npm start`.
 */
const { MALLOC_ARENA_MAX = "2" } = process.env

/** The workers use consecutive ports from CLUSTER_PORT. Without a cluster only they need each other's ports, so any free port serves. */
const clusterPortOf = ({ cluster }: Settings, id: number): Promise<number> =>
  cluster === undefined ? freePort() : Promise.resolve(cluster.port + id - 1)

interface Place {
  /** From 1. */
  readonly id: number
  readonly of: number
  readonly ownPort: number
  readonly clusterPort: number
}

/** What a worker's environment has that its supervisor's has not. The workers use consecutive ports from INTERNAL_PORT. */
export const workerVariables = (
  { internal, engineSecret }: Settings,
  { id, of, ownPort, clusterPort }: Place
): Readonly<Record<string, string>> => ({
  MALLOC_ARENA_MAX,
  PARLEY_WORKER: `${id}/${of}:${ownPort}`,
  CLUSTER_PORT: `${clusterPort}`,
  ...(Option.isSome(internal.port) ? { INTERNAL_PORT: `${internal.port.value + id - 1}` } : {}),
  // In development the secret is made up at the start; all workers need the same one.
  ENGINE_WS_SECRET: Redacted.value(engineSecret)
})

/** What a process that runs `parley` is started with. `sockets`: those of the processes with the sound. */
export interface ParleyProcess {
  readonly settings: Settings
  readonly workers: number
  readonly args: ReadonlyArray<string>
  readonly sockets: ReadonlyArray<string>
  /** A process that has loaded the service waits beside the workers. */
  readonly spare: boolean
}

/** Launches workers, for the life of the scope. */
export const parleyProcess = Effect.fnUntraced(function* ({
  settings,
  workers,
  args,
  sockets,
  spare
}: ParleyProcess): Effect.fn.Return<
  Pick<SupervisorOptions, "launch" | "launchSuccessor" | "reloaded">,
  never,
  Scope.Scope
> {
  const forkWorker = (env: Readonly<Record<string, string>>) =>
    fork(process.argv[1], args, {
      execArgv: flags,
      env: { ...process.env, MALLOC_ARENA_MAX, PARLEY_MEDIA_SOCKETS: sockets.join(","), ...env }
    })
  const spares = spare ? yield* SpareWorker.make(forkWorker) : undefined
  const variablesOf = async (id: number) => {
    // A single worker shares nothing with others, and needs neither Redis nor a database of the operator's.
    if (workers === 1) return { ENGINE_WS_SECRET: Redacted.value(settings.engineSecret) }
    const place = { id, of: workers, ownPort: await freePort(), clusterPort: await clusterPortOf(settings, id) }
    return workerVariables(settings, place)
  }
  const launch = spares?.launch ?? forkWorker
  return {
    launch: async (id) => launch(await variablesOf(id)),
    launchSuccessor: async (id) => forkWorker({ ...(await variablesOf(id)), ...successorMark }),
    reloaded: Effect.sync(() => spares?.renew())
  }
})

const isOf = <Type extends FromWorker["type"]>(
  type: Type,
  message: FromWorker
): message is Extract<FromWorker, { readonly type: Type }> => message.type === type

/** How the process ended. It listens as soon as the process exists: one that cannot be started reports that at the next tick. */
const endOf = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once("error", (cause) => resolve(String(cause)))
    child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`))
  })

/** Runs until it is interrupted, then waits for the workers to drain. */
export const supervise = traced("supervise")(function* (options: SupervisorOptions) {
  const all = Array.from({ length: options.workers }, (_, at) => at + 1)
  const children = new Set<ChildProcess>()
  const ready = new Set<ChildProcess>()
  /** The workers by their ids, and those that are to take their places. */
  const workers = new Map<number, Enlisted>()
  const successors = new Map<number, Enlisted>()
  let stopping = false

  const tellOne = (child: ChildProcess, message: ToWorker) => {
    // A worker that has ended needs no message.
    if (child.connected) child.send(message, () => undefined)
  }
  const tell = (message: ToWorker) => {
    for (const child of children) tellOne(child, message)
  }
  const tellStatus = () => tell({ type: "status", alive: ready.size, of: options.workers })
  const kinds = { worker: options.launch, media: options.launchSound ?? options.launch }

  /** Synchronous, so that no request to stop comes in between. */
  const enlist = (kind: Kind, child: ChildProcess): Enlisted => {
    const ended = endOf(child)
    children.add(child)
    void ended.then(() => {
      children.delete(child)
      ready.delete(child)
      tellStatus()
    })
    if (kind === "worker")
      child.on("message", ({ type }: FromWorker) => {
        if (type === "ready") ready.add(child)
        if (type === "left") ready.delete(child)
        if (type === "ready" || type === "left") tellStatus()
      })
    // It was being started while the others were told to drain.
    if (stopping) tellOne(child, { type: "drain" })
    return {
      child,
      ended,
      tell: (message) => tellOne(child, message),
      hears: (type) =>
        new Promise((resolve) => {
          const hear = (message: FromWorker) => {
            if (!isOf(type, message)) return
            child.off("message", hear)
            resolve(message)
          }
          child.on("message", hear)
        })
    }
  }

  /** The process that has been prepared to take the place of a worker which has ended, or a new one. */
  const next = async (kind: Kind, id: number): Promise<Enlisted> => {
    const successor = kind === "worker" ? successors.get(id) : undefined
    if (successor === undefined) return enlist(kind, await kinds[kind](id))
    successors.delete(id)
    successor.tell({ type: "take" })
    return successor
  }

  /** Runs a worker until it ends. Returns how it ended. */
  const life = Effect.fnUntraced(function* (kind: Kind, id: number) {
    const enlisted = yield* Effect.tryPromise(() => next(kind, id))
    if (kind === "worker") workers.set(id, enlisted)
    yield* Effect.logInfo(`${kind} started`, { [kind]: id, pid: enlisted.child.pid })
    const how = yield* Effect.promise(() => enlisted.ended)
    if (kind === "worker") workers.delete(id)
    return how
  })

  const keepAlive = Effect.fnUntraced(function* (kind: Kind, id: number) {
    let pauseMs = 0
    while (!stopping) {
      const began = yield* Clock.currentTimeMillis
      const how = yield* Effect.catch(life(kind, id), ({ cause }) =>
        Effect.succeed(`it could not be started: ${cause}`)
      )
      if (stopping) return yield* Effect.logInfo(`${kind} ended`, { [kind]: id, how })
      if (kind === "worker" && successors.has(id)) {
        yield* Effect.logInfo("worker ended: another one has its place", { worker: id, how })
        continue
      }
      const settled = (yield* Clock.currentTimeMillis) - began >= settledMs
      pauseMs = settled ? 0 : Math.min(Math.max(firstPauseMs, 2 * pauseMs), longestPauseMs)
      yield* Effect.logError(`a ${kind} died: it is started again`, { [kind]: id, how, inMs: pauseMs })
      yield* Effect.sleep(pauseMs)
    }
  })

  const replaceWorker = Effect.fnUntraced(function* (id: number) {
    const before = workers.get(id)
    // It is being started, with the code on disk.
    if (before === undefined) return
    const successor = yield* Effect.tryPromise({
      try: () => options.launchSuccessor(id).then((child) => enlist("worker", child)),
      catch: (cause) => new ReloadFailed({ message: `the new process could not be started: ${cause}` })
    })
    successors.set(id, successor)
    yield* Effect.logInfo("worker is being replaced", { worker: id, pid: successor.child.pid })
    yield* replace({ before, next: successor, alone: options.workers === 1 }).pipe(
      Effect.tapError(() =>
        Effect.sync(() => {
          if (successors.get(id) === successor) successors.delete(id)
          successor.child.kill("SIGKILL")
        })
      )
    )
  })

  const reload = Effect.gen(function* () {
    yield* options.reloads
    if (stopping) return
    yield* Effect.logInfo("reloading: workers are replaced one after the other")
    for (const id of all) yield* replaceWorker(id)
    yield* options.reloaded
    yield* Effect.logInfo("reloaded: all workers have the code on disk")
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.logError("the reload has failed: the workers go on as they are", { reason: message })
    )
  )

  const lives = yield* FiberSet.make()
  /** Workers drain by themselves, each with its own time limit. The supervisor only waits, and passes on a second signal. */
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
  // First: workers wait for their sound.
  if (options.launchSound !== undefined) for (const id of all) yield* FiberSet.run(lives, keepAlive("media", id))
  for (const id of all) yield* FiberSet.run(lives, keepAlive("worker", id))
  yield* FiberSet.run(lives, Effect.forever(reload))
  return yield* Effect.never
})
