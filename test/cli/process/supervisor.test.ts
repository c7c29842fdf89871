/** The parent of workers, with real child processes that do nothing. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Exit, Logger, Scope } from "effect"
import { supervise, workerVariables } from "../../../src/cli/process/supervisor.ts"
import * as Config from "../../../src/config/Config.ts"
import { eventually } from "../../support/eventually.ts"

const script = resolve(import.meta.dirname, "../../support/workerProcess.ts")

/** Workers that were forked, killed at the end of the test. */
const nursery = Effect.acquireRelease(
  Effect.sync(() => {
    const born: Array<ChildProcess> = []
    const bear = () => {
      const child = fork(script, { execArgv: [] })
      born.push(child)
      return child
    }
    return { born, bear }
  }),
  ({ born }) => Effect.sync(() => void born.map((child) => child.kill("SIGKILL")))
)

const running = (launch: (id: number) => Promise<ChildProcess>, workers: number) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* supervise({ workers, launch, hurry: Effect.succeed(false) }).pipe(
      Scope.provide(scope),
      Effect.provide(Logger.layer([])),
      Effect.forkScoped
    )
    return { stop: Scope.close(scope, Exit.void) }
  })

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
      const { stop } = yield* running(launch, 1)
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
      const { stop } = yield* running(launch, 2)
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
})
