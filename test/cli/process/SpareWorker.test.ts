/** The spare worker, with real child processes that do nothing. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as SpareWorker from "../../../src/cli/process/SpareWorker.ts"
import { eventually } from "../../support/eventually.ts"

const script = resolve(import.meta.dirname, "../../support/spareWorkerProcess.ts")

/** Processes that were forked, killed at the end of the test. */
const nursery = Effect.acquireRelease(
  Effect.sync(() => {
    const born: Array<ChildProcess> = []
    const forkWorker = (env: Readonly<Record<string, string>>) => {
      const child = fork(script, { execArgv: [], env: { ...process.env, ...env } })
      born.push(child)
      return child
    }
    return { born, forkWorker }
  }),
  ({ born }) => Effect.sync(() => void born.map((child) => child.kill("SIGKILL")))
)

const born = (all: ReadonlyArray<ChildProcess>, count: number) =>
  eventually(`${count} processes`, async () => (all.length === count ? true : undefined))

describe("a spare worker", () => {
  it.live("takes the place of a worker that died, is followed by another, and ends with its supervisor", () =>
    Effect.gen(function* () {
      const { born: all, forkWorker } = yield* nursery
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { launch } = yield* SpareWorker.make(forkWorker)
          const first = launch({})
          assert.strictEqual(first, all[0])
          yield* born(all, 2)
          first.kill("SIGKILL")
          yield* Effect.promise(() => once(first, "exit"))
          assert.strictEqual(launch({}), all[1])
          yield* born(all, 3)
        })
      )
      yield* eventually("the end of the spare", async () => (all[2].signalCode === "SIGKILL" ? true : undefined))
      assert.isNull(all[1].signalCode)
    }).pipe(Effect.scoped)
  )

  it.live("that has died itself is not waited for", () =>
    Effect.gen(function* () {
      const { born: all, forkWorker } = yield* nursery
      const { launch } = yield* SpareWorker.make(forkWorker)
      launch({})
      yield* born(all, 2)
      all[1].kill("SIGKILL")
      yield* Effect.promise(() => once(all[1], "exit"))
      assert.strictEqual(launch({}), all[2])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "that has died itself is replaced after a second, and after twice as long each time that this one dies, too",
    () =>
      Effect.gen(function* () {
        const { born: all, forkWorker } = yield* nursery
        const { launch } = yield* SpareWorker.make(forkWorker)
        launch({})
        yield* TestClock.withLive(born(all, 2))
        const dies = (index: number) =>
          Effect.promise(() => {
            const ended = once(all[index], "exit")
            all[index].kill("SIGKILL")
            return ended
          })
        yield* dies(1)
        yield* TestClock.adjust("999 millis")
        assert.lengthOf(all, 2)
        yield* TestClock.adjust("1 millis")
        assert.lengthOf(all, 3)
        yield* dies(2)
        yield* TestClock.adjust("1999 millis")
        assert.lengthOf(all, 3)
        yield* TestClock.adjust("1 millis")
        assert.lengthOf(all, 4)
        assert.strictEqual(launch({}), all[3])
      }).pipe(Effect.scoped)
  )
})
