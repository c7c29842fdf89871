/** The parent of workers, with real child processes that do nothing. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Exit, Logger, Queue, Scope } from "effect"
import { supervise, workerVariables } from "../../../src/cli/process/supervisor.ts"
import * as Config from "../../../src/config/Config.ts"
import { eventually } from "../../support/eventually.ts"

const script = resolve(import.meta.dirname, "../../support/workerProcess.ts")

/** Workers that were forked, killed at the end of the test. */
const nursery = Effect.acquireRelease(
  Effect.sync(() => {
    const born: Array<ChildProcess> = []
    const bear = (env: Readonly<Record<string, string>> = {}) => {
      const child = fork(script, { execArgv: [], env: { ...process.env, ...env } })
      born.push(child)
      return child
    }
    return { born, bear }
  }),
  ({ born }) => Effect.sync(() => void born.map((child) => child.kill("SIGKILL")))
)

interface Running {
  readonly workers: number
  readonly launch: (id: number) => Promise<ChildProcess>
  readonly launchSuccessor?: (id: number) => Promise<ChildProcess>
}

const running = ({ workers, launch, launchSuccessor = launch }: Running) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const asked = yield* Queue.sliding<void>(1)
    const log: Array<string> = []
    let reloaded = 0
    yield* supervise({
      ...{ workers, launch, launchSuccessor },
      hurry: Effect.succeed(false),
      reloads: Queue.take(asked),
      reloaded: Effect.sync(() => {
        reloaded++
      })
    }).pipe(
      Scope.provide(scope),
      Effect.provide(Logger.layer([Logger.make(({ message }) => void log.push(JSON.stringify(message)))])),
      Effect.forkScoped
    )
    return {
      log,
      reloaded: () => reloaded,
      reload: () => void Queue.offerUnsafe(asked, undefined),
      stop: Scope.close(scope, Exit.void)
    }
  })

const lives = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

describe("the parent of workers", () => {
  it.effect("gives each worker an internal port of its own, in a row from INTERNAL_PORT", () =>
    Effect.gen(function* () {
      const portsOf = (env: Readonly<Record<string, string>>) =>
        Config.load.pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
          Effect.map((settings) =>
            [1, 2, 3].map((id) => workerVariables(settings, { id, of: 3, ownPort: 1, clusterPort: 2 }).INTERNAL_PORT)
          )
        )
      assert.deepStrictEqual(yield* portsOf({ INTERNAL_PORT: "9100" }), ["9100", "9101", "9102"])
      assert.isTrue((yield* portsOf({})).every((port) => port === undefined))
    })
  )

  it.live("tries again when a worker could not be started", () =>
    Effect.gen(function* () {
      const { born, bear } = yield* nursery
      let tries = 0
      const launch = async () => {
        if (++tries <= 2) throw new Error("no more processes")
        return bear()
      }
      const { stop } = yield* running({ workers: 1, launch })
      yield* eventually("a worker after all", async () => (born.length === 1 ? true : undefined))
      yield* stop
      assert.strictEqual(born[0].exitCode, 0)
    }).pipe(Effect.scoped)
  )

  it.live("also stops a worker that is still starting when all are told to stop", () =>
    Effect.gen(function* () {
      const { born, bear } = yield* nursery
      const late = yield* Deferred.make<void>()
      const launch = async (id: number) => {
        if (id === 2) await Effect.runPromise(Deferred.await(late))
        return bear()
      }
      const { stop } = yield* running({ workers: 2, launch })
      yield* eventually("the first worker", async () => (born.length === 1 ? true : undefined))
      // The first worker still runs when the second one starts.
      born[0].kill("SIGSTOP")
      const stopped = Effect.runPromise(stop)
      yield* Deferred.succeed(late, undefined)
      const second = yield* eventually("the second worker", async () => born[1])
      if (second.exitCode === null) yield* Effect.promise(() => once(second, "exit"))
      assert.strictEqual(second.exitCode, 0)
      born[0].kill("SIGCONT")
      yield* Effect.promise(() => stopped)
    }).pipe(Effect.scoped)
  )

  it.live("replaces one worker after the other when it is asked to, and once more when it is asked meanwhile", () =>
    Effect.gen(function* () {
      const { born, bear } = yield* nursery
      let most = 0
      const launchSuccessor = async () => {
        most = Math.max(most, born.filter(lives).length + 1)
        return bear({ PARLEY_SUCCESSOR: "1" })
      }
      const { reload, reloaded, stop } = yield* running({ workers: 2, launch: async () => bear(), launchSuccessor })
      yield* eventually("two workers", async () => (born.length === 2 ? true : undefined))
      reload()
      yield* eventually("the first successor", async () => (born.length === 3 ? true : undefined))
      reload()
      reload()
      yield* eventually("two reloads", async () => (reloaded() === 2 ? true : undefined))
      assert.lengthOf(born, 6)
      assert.strictEqual(most, 3)
      assert.deepStrictEqual(
        born.map(({ exitCode }) => exitCode),
        [0, 0, 0, 0, null, null]
      )
      yield* stop
      assert.isFalse(born.some(lives))
    }).pipe(Effect.scoped)
  )

  it.live("leaves a worker in its place when the process that was to follow it does not start", () =>
    Effect.gen(function* () {
      const { born, bear } = yield* nursery
      const { log, reload, reloaded, stop } = yield* running({
        workers: 1,
        launch: async () => bear(),
        launchSuccessor: async () => bear({ PARLEY_SUCCESSOR: born.length === 1 ? "broken" : "1" })
      })
      yield* eventually("a worker", async () => (born.length === 1 ? true : undefined))
      reload()
      yield* eventually("the end of the reload", async () =>
        log.some((line) => line.includes("the reload has failed")) ? true : undefined
      )
      assert.include(log.join("\n"), "the new process ended: code 3")
      assert.isTrue(lives(born[0]))
      reload()
      yield* eventually("a reload", async () => (reloaded() === 1 ? true : undefined))
      assert.deepStrictEqual(born.map(lives), [false, false, true])
      yield* stop
    }).pipe(Effect.scoped)
  )
})
